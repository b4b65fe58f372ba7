import type { ControlSequence } from '../control-function.ts';

export const cursorDown: ControlSequence = {
  kind: 'csi',
  name: 'CUD, cursor down',
  sequences: ['B'],
  run: ({ screen }, parameters) => screen.moveUp(-parameters.count(0)),
};
