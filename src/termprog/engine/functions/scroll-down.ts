import type { ControlSequence } from '../control-function.ts';

export const scrollDown: ControlSequence = {
  kind: 'csi',
  name: 'SD, scroll down',
  sequences: ['T'],
  run: ({ screen }, parameters) => {
    // With more parameters it is highlight tracking of the mouse, which a 0 ends.
    const isZero = parameters.at(0) === 0 && !parameters.isOmitted(0);
    if (parameters.length === 1 && !isZero) screen.scrollDown(parameters.count(0));
  },
};
