import type { EscapeSequence } from '../control-function.ts';
import { shiftColumns } from '../editing.ts';

/**
 * Moves the cursor one column to the left; at the left margin the text between the margins moves to the right instead.
 */
export const backIndex: EscapeSequence = {
  kind: 'escape',
  name: 'DECBI, back index',
  sequences: ['6'],
  level: 4,
  run: ({ screen }) => {
    const { column, margins } = screen;
    if (column !== margins.left) screen.moveLeft(1);
    else if (screen.isBetweenMargins) shiftColumns(screen, { from: margins.left, by: 1 });
  },
};
