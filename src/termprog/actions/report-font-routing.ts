import type { Action } from '../ports/action.ts';

/** Writes what was decided about fonts so far. */
export const reportFontRouting: Action<'fontRouting'> = {
  name: 'report-font-routing',
  run: ({ fontRouting }) => fontRouting.report(),
};
