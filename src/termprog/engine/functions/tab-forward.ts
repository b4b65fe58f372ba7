import type { ControlSequence } from '../control-function.ts';

export const tabForward: ControlSequence = {
  kind: 'csi',
  name: 'CHT, cursor forward tabulation',
  sequences: ['I'],
  run: ({ screen }, parameters) => {
    if (screen.isWrapPending) return;
    const last = screen.column <= screen.margins.right ? screen.margins.right : screen.columns - 1;
    let { column } = screen;
    for (let left = parameters.count(0); left > 0 && column < last; left -= 1) {
      column = screen.tabStops.next(column, last);
    }
    screen.moveTo(column, screen.row);
  },
};
