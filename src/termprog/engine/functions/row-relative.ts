import type { ControlSequence } from '../control-function.ts';

export const rowRelative: ControlSequence = {
  kind: 'csi',
  name: 'VPR, line position forward',
  sequences: ['e'],
  run: ({ screen }, parameters) => screen.moveTo(screen.column, screen.row + parameters.count(0)),
};
