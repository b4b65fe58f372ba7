import type { ControlSequence } from '../control-function.ts';
import { shiftColumns } from '../editing.ts';

export const scrollLeft: ControlSequence = {
  kind: 'csi',
  name: 'SL, scroll left',
  sequences: [' @'],
  run: ({ screen }, parameters) => {
    if (screen.isBetweenMargins) shiftColumns(screen, { from: screen.margins.left, by: -parameters.count(0) });
  },
};
