import type { ControlSequence } from '../control-function.ts';
import { shiftColumns } from '../editing.ts';

export const insertColumns: ControlSequence = {
  kind: 'csi',
  name: 'DECIC, insert column',
  sequences: ["'}"],
  run: ({ screen }, parameters) => {
    const { row, column, margins } = screen;
    if (row < margins.top || row > margins.bottom || !screen.isBetweenSideMargins) return;
    screen.isWrapPending = false;
    shiftColumns(screen, { from: column, by: parameters.count(0) });
  },
};
