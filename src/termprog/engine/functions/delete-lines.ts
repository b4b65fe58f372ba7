import type { ControlSequence } from '../control-function.ts';

export const deleteLines: ControlSequence = {
  kind: 'csi',
  name: 'DL, delete line',
  sequences: ['M'],
  run: ({ screen }, parameters) => screen.insertLines(-parameters.count(0)),
};
