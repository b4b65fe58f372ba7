import type { ControlSequence } from '../control-function.ts';

export const cursorRight: ControlSequence = {
  kind: 'csi',
  name: 'CUF, cursor right',
  sequences: ['C'],
  run: ({ screen }, parameters) => screen.moveRight(parameters.count(0)),
};
