import type { ControlSequence } from '../control-function.ts';

export const cursorNextLine: ControlSequence = {
  kind: 'csi',
  name: 'CNL, cursor next line',
  sequences: ['E'],
  run: ({ screen }, parameters) => {
    screen.moveUp(-parameters.count(0));
    screen.carriageReturn();
  },
};
