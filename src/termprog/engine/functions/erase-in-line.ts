import type { ControlSequence } from '../control-function.ts';
import { eraseLine } from '../editing.ts';
import { fillsRow } from '../row-cells.ts';

export const eraseInLine: ControlSequence = {
  kind: 'csi',
  name: 'EL, erase in line',
  sequences: ['K'],
  run: (state, parameters) => {
    const { screen } = state;
    const { row, column, grid } = screen;
    if (column === 0 && row > 0 && !screen.isAlternate && fillsRow(grid.row(row - 1))) {
      state.clearedLine = grid.row(row).id;
    }
    const part = parameters.at(0);
    if (part === 0) state.editedRows.takeErasedRest(screen);
    eraseLine(screen, part, false);
  },
};
