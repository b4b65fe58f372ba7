import { PROTECTED } from '../cell.ts';
import type { ControlSequence } from '../control-function.ts';

export const characterProtection: ControlSequence = {
  kind: 'csi',
  name: 'DECSCA, select character protection attribute',
  sequences: ['"q'],
  level: 2,
  run: ({ screen: { pen } }, parameters) => {
    if (parameters.at(0) === 1) pen.protection |= PROTECTED;
    else pen.protection &= ~PROTECTED;
  },
};
