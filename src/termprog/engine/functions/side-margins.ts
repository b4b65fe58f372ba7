import type { ControlSequence } from '../control-function.ts';

/** Sets margins if mode 69 is on; otherwise it saves the cursor. */
export const sideMargins: ControlSequence = {
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
};
