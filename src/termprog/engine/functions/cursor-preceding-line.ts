import type { ControlSequence } from '../control-function.ts';

export const cursorPrecedingLine: ControlSequence = {
  kind: 'csi',
  name: 'CPL, cursor preceding line',
  sequences: ['F'],
  run: ({ screen }, parameters) => {
    screen.moveUp(parameters.count(0));
    screen.carriageReturn();
  },
};
