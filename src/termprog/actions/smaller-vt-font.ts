import type { Action } from '../ports/action.ts';

/** Switches to the next smaller font. */
export const smallerVtFont: Action<'fonts'> = {
  name: 'smaller-vt-font',
  run: ({ fonts }) => fonts.smaller(),
};
