import { fillCellsIn } from '../area-editing.ts';
import type { ControlFunction } from '../control-function.ts';
import { LEVEL_MAX } from '../terminal-state.ts';

/** Levels are written as 61 and up. A level above the highest means the highest. */
const LEVEL_BASE = 60;

const PATTERN = 'E'.charCodeAt(0);

/** Resets, the conformance level, and the alignment pattern. */
export const resets: readonly ControlFunction[] = [
  {
    kind: 'escape',
    name: 'RIS, reset to initial state',
    sequences: ['c'],
    run: (state) => state.fullReset(),
  },
  {
    kind: 'csi',
    name: 'DECSTR, soft terminal reset',
    sequences: ['!p'],
    run: (state) => state.softReset(),
  },
  {
    kind: 'csi',
    name: 'DECSCL, select conformance level',
    sequences: ['"p'],
    run: (state, parameters) => {
      const level = parameters.at(0) - LEVEL_BASE;
      if (level >= 1 && level <= LEVEL_MAX + 1) state.setLevel(Math.min(level, LEVEL_MAX));
    },
  },
  /** Fills the screen with the letter E, and ends margins and rendition. */
  {
    kind: 'escape',
    name: 'DECALN, screen alignment pattern',
    sequences: ['#8'],
    run: ({ screen, modes }) => {
      screen.pen.foreground = 0;
      screen.pen.background = 0;
      screen.pen.extra = 0;
      screen.pen.protection = 0;
      screen.resetMargins();
      modes.set('origin', false);
      screen.clear();
      fillCellsIn(screen, { top: 0, left: 0, bottom: screen.rows - 1, right: screen.columns - 1 }, PATTERN);
    },
  },
];
