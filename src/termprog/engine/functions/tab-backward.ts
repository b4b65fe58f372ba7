import type { ControlSequence } from '../control-function.ts';

export const tabBackward: ControlSequence = {
  kind: 'csi',
  name: 'CBT, cursor backward tabulation',
  sequences: ['Z'],
  run: ({ screen }, parameters) => {
    const first = screen.isOrigin && screen.column >= screen.margins.left ? screen.margins.left : 0;
    let { column } = screen;
    for (let left = parameters.count(0); left > 0 && column > first; left -= 1) {
      column = screen.tabStops.previous(column, first);
    }
    screen.moveTo(column, screen.row);
  },
};
