import type { ControlFunction } from '../control-function.ts';

/** Margins. */
export const margins: readonly ControlFunction[] = [
  {
    kind: 'csi',
    name: 'DECSTBM, set top and bottom margins',
    sequences: ['r'],
    run: ({ screen }, parameters) => {
      const top = parameters.count(0) - 1;
      const bottom = Math.min(parameters.at(1) || screen.rows, screen.rows) - 1;
      if (top >= bottom) return;
      screen.setMargins({ ...screen.margins, top, bottom });
      screen.moveToAddress(0, 0);
    },
  },
  /** Sets margins if mode 69 is on; otherwise it saves the cursor. */
  {
    kind: 'csi',
    name: 'DECSLRM, set left and right margins, or SCOSC, save cursor position',
    sequences: ['s'],
    run: ({ screen }, parameters) => {
      if (!screen.maySetSideMargins) {
        screen.saveCursor();
        return;
      }
      const left = parameters.count(0) - 1;
      const right = Math.min(parameters.at(1) || screen.columns, screen.columns) - 1;
      if (left >= right) return;
      screen.setMargins({ ...screen.margins, left, right });
      screen.moveToAddress(0, 0);
    },
  },
];
