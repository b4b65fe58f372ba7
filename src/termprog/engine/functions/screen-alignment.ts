import { WORDS_PER_CELL } from '../cell.ts';
import type { EscapeSequence } from '../control-function.ts';

const PATTERN = 'E'.charCodeAt(0);

/** Fills the screen with the letter E. */
export const screenAlignment: EscapeSequence = {
  kind: 'escape',
  name: 'DECALN, screen alignment pattern',
  sequences: ['#8'],
  run: ({ screen }) => {
    screen.resetMargins();
    screen.moveTo(0, 0);
    for (let row = 0; row < screen.rows; row += 1) {
      const line = screen.grid.row(row);
      line.erase(0, screen.columns, 0);
      line.isWrapped = false;
      for (let at = 0; at < line.words.length; at += WORDS_PER_CELL) line.words[at] = PATTERN;
    }
    screen.damage.markAll();
  },
};
