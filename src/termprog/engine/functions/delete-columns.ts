import type { ControlSequence } from '../control-function.ts';
import { shiftColumns } from '../editing.ts';

export const deleteColumns: ControlSequence = {
  kind: 'csi',
  name: 'DECDC, delete column',
  sequences: ["'~"],
  level: 4,
  run: ({ screen }, parameters) => {
    if (screen.isBetweenMargins) shiftColumns(screen, { from: screen.column, by: -parameters.count(0) });
  },
};
