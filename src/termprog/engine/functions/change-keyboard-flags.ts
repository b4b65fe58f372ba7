import type { ControlSequence } from '../control-function.ts';

/** Changes flags as the second parameter says: 1 sets all flags, 2 adds some, 3 removes some. */
export const changeKeyboardFlags: ControlSequence = {
  kind: 'csi',
  name: 'change keyboard flags; kitty keyboard protocol',
  sequences: ['=u'],
  run: ({ keyboardFlags }, parameters) => keyboardFlags.change(parameters.at(0), parameters.count(1)),
};
