import type { ControlSequence } from '../control-function.ts';

export const columnRelative: ControlSequence = {
  kind: 'csi',
  name: 'HPR, character position forward',
  sequences: ['a'],
  run: ({ screen }, parameters) => screen.moveTo(screen.column + parameters.count(0), screen.row),
};
