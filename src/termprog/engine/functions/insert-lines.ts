import type { ControlSequence } from '../control-function.ts';

export const insertLines: ControlSequence = {
  kind: 'csi',
  name: 'IL, insert line',
  sequences: ['L'],
  run: ({ screen }, parameters) => screen.insertLines(parameters.count(0)),
};
