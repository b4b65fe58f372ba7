import type { ControlSequence } from '../control-function.ts';

export const scrollDown: ControlSequence = {
  kind: 'csi',
  name: 'SD, scroll down',
  sequences: ['T'],
  run: ({ screen }, parameters) => {
    // With more parameters it is highlight tracking of the mouse.
    if (parameters.length === 1) screen.scrollDown(parameters.count(0));
  },
};
