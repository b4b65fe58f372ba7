import type { ControlSequence } from '../control-function.ts';

export const cursorUp: ControlSequence = {
  kind: 'csi',
  name: 'CUU, cursor up',
  sequences: ['A'],
  run: ({ screen }, parameters) => screen.moveUp(parameters.count(0)),
};
