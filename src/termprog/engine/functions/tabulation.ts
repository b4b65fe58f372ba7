import type { ControlFunction } from '../control-function.ts';

/** Tab stops, and moves to them. */
export const tabulation: readonly ControlFunction[] = [
  {
    kind: 'character',
    name: 'HT, character tabulation',
    codes: [0x09],
    run: ({ screen }) => screen.tabForward(1),
  },
  {
    kind: 'csi',
    name: 'CHT, cursor forward tabulation',
    sequences: ['I'],
    run: ({ screen }, parameters) => screen.tabForward(parameters.count(0)),
  },
  {
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
  },
  {
    kind: 'escape',
    name: 'HTS, character tabulation set',
    sequences: ['H'],
    run: ({ screen }) => screen.tabStops.set(screen.column),
  },
  {
    kind: 'csi',
    name: 'TBC, tabulation clear',
    sequences: ['g'],
    run: ({ screen }, parameters) => {
      const which = parameters.at(0);
      if (which === 0) screen.tabStops.clear(screen.column);
      else if (which === 3) screen.tabStops.clearAll();
    },
  },
];
