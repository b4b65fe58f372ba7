import type { ControlSequence } from '../control-function.ts';
import { shiftColumns } from '../editing.ts';

export const scrollRight: ControlSequence = {
  kind: 'csi',
  name: 'SR, scroll right',
  sequences: [' A'],
  run: ({ screen }, parameters) => {
    if (screen.isBetweenMargins) shiftColumns(screen, { from: screen.margins.left, by: parameters.count(0) });
  },
};
