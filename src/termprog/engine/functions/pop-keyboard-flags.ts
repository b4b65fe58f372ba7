import type { ControlSequence } from '../control-function.ts';

export const popKeyboardFlags: ControlSequence = {
  kind: 'csi',
  name: 'restore keyboard flags; kitty keyboard protocol',
  sequences: ['<u'],
  run: ({ keyboardFlags }, parameters) => keyboardFlags.pop(parameters.count(0)),
};
