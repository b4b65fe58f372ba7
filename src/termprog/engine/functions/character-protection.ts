import { PROTECTED } from '../cell.ts';
import type { ControlSequence } from '../control-function.ts';

export const characterProtection: ControlSequence = {
  kind: 'csi',
  name: 'DECSCA, select character protection attribute',
  sequences: ['"q'],
  run: ({ screen }, parameters) => {
    screen.pen.protection = parameters.at(0) === 1 ? PROTECTED : 0;
  },
};
