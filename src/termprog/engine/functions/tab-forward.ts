import type { ControlSequence } from '../control-function.ts';

export const tabForward: ControlSequence = {
  kind: 'csi',
  name: 'CHT, cursor forward tabulation',
  sequences: ['I'],
  run: ({ screen }, parameters) => screen.tabForward(parameters.count(0)),
};
