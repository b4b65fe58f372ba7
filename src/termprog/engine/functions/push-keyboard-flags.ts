import type { ControlSequence } from '../control-function.ts';

export const pushKeyboardFlags: ControlSequence = {
  kind: 'csi',
  name: 'save keyboard flags and set others; kitty keyboard protocol',
  sequences: ['>u'],
  run: ({ keyboardFlags }, parameters) => keyboardFlags.push(parameters.at(0)),
};
