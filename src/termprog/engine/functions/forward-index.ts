import type { EscapeSequence } from '../control-function.ts';
import { shiftColumns } from '../editing.ts';

/**
 * Moves the cursor one column to the right; at the right margin the text between the margins moves to the left instead.
 */
export const forwardIndex: EscapeSequence = {
  kind: 'escape',
  name: 'DECFI, forward index',
  sequences: ['9'],
  level: 4,
  run: ({ screen }) => {
    const { column, margins } = screen;
    if (column !== margins.right) screen.moveRight(1);
    else if (screen.isBetweenMargins) shiftColumns(screen, { from: margins.left, by: -1 });
  },
};
