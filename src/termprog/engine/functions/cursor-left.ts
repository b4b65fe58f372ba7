import type { ControlSequence } from '../control-function.ts';

export const cursorLeft: ControlSequence = {
  kind: 'csi',
  name: 'CUB, cursor left',
  sequences: ['D'],
  run: ({ screen }, parameters) => screen.moveLeft(parameters.count(0)),
};
