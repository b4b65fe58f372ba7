import type { ControlSequence } from '../control-function.ts';

export const setTopBottomMargins: ControlSequence = {
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
};
