import type { Action } from '../ports/action.ts';

/** Writes the decisions about fonts so far. */
export const reportFontRouting: Action<'fontRouting'> = {
  name: 'report-font-routing',
  run: ({ fontRouting }) => fontRouting.report(),
};
