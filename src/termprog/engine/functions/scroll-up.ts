import type { ControlSequence } from '../control-function.ts';

export const scrollUp: ControlSequence = {
  kind: 'csi',
  name: 'SU, scroll up',
  sequences: ['S'],
  run: ({ screen }, parameters) => screen.scrollUp(parameters.count(0)),
};
