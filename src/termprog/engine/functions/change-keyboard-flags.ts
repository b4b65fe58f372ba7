import type { ControlSequence } from '../control-function.ts';

/** The second parameter: 1 sets all flags, 2 adds some, 3 takes some away. */
export const changeKeyboardFlags: ControlSequence = {
  kind: 'csi',
  name: 'change keyboard flags; kitty keyboard protocol',
  sequences: ['=u'],
  run: ({ keyboardFlags }, parameters) => keyboardFlags.change(parameters.at(0), parameters.count(1)),
};
