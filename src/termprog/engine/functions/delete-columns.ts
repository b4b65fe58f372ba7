import type { ControlSequence } from '../control-function.ts';
import { shiftColumns } from '../editing.ts';

export const deleteColumns: ControlSequence = {
  kind: 'csi',
  name: 'DECDC, delete column',
  sequences: ["'~"],
  run: ({ screen }, parameters) => {
    const { row, column, margins } = screen;
    if (row < margins.top || row > margins.bottom || !screen.isBetweenSideMargins) return;
    screen.isWrapPending = false;
    shiftColumns(screen, { from: column, by: -parameters.count(0) });
  },
};
