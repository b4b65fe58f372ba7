import type { ControlSequence } from '../control-function.ts';
import { eraseDisplay, moveTextIntoHistory } from '../editing.ts';

/** The parameter of kitty and others that moves the text into the history before the screen is erased. */
const INTO_HISTORY = 22;

export const eraseInDisplay: ControlSequence = {
  kind: 'csi',
  name: 'ED, erase in page; 22 moves its text into the history first',
  sequences: ['J'],
  run: (state, parameters) => {
    const { screen } = state;
    const { row, column, grid } = screen;
    const part = parameters.at(0);
    if (part === 0) state.editedRows.takeErasedBelow(screen);
    if (part === 0 && column === 0 && !screen.isAlternate) state.drawnFrom = grid.row(row).id;
    if (part === INTO_HISTORY) moveTextIntoHistory(screen);
    eraseDisplay(screen, part === INTO_HISTORY ? 2 : part, false);
  },
};
