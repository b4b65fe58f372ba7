import type { ControlSequence } from '../control-function.ts';

export const rowAbsolute: ControlSequence = {
  kind: 'csi',
  name: 'VPA, line position absolute',
  sequences: ['d'],
  run: ({ screen }, parameters) => screen.moveToRow(parameters.count(0) - 1),
};
