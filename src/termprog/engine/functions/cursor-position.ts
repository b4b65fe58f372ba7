import type { ControlSequence } from '../control-function.ts';

export const cursorPosition: ControlSequence = {
  kind: 'csi',
  name: 'CUP, cursor position, and HVP, character and line position',
  sequences: ['H', 'f'],
  run: ({ screen }, parameters) => screen.moveToAddress(parameters.count(1) - 1, parameters.count(0) - 1),
};
