import type { ControlSequence } from '../control-function.ts';
import { shiftColumns } from '../editing.ts';

export const insertColumns: ControlSequence = {
  kind: 'csi',
  name: 'DECIC, insert column',
  sequences: ["'}"],
  level: 4,
  run: ({ screen }, parameters) => {
    if (screen.isBetweenMargins) shiftColumns(screen, { from: screen.column, by: parameters.count(0) });
  },
};
