import { fillCellsIn } from '../area-editing.ts';
import type { EscapeSequence } from '../control-function.ts';

const PATTERN = 'E'.charCodeAt(0);

/** Fills the screen with the letter E, and ends margins and rendition. */
export const screenAlignment: EscapeSequence = {
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
};
