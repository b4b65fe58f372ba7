import type { Action } from '../ports/action.ts';

/** Switches to the next larger font. */
export const largerVtFont: Action<'fonts'> = {
  name: 'larger-vt-font',
  run: ({ fonts }) => fonts.larger(),
};
