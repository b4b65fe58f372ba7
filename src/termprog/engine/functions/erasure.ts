import { GUARDED, PROTECTED } from '../cell.ts';
import type { ControlFunction } from '../control-function.ts';
import { eraseCells, eraseDisplay, eraseLine, moveTextIntoHistory } from '../editing.ts';
import { fillsRow } from '../row-cells.ts';

/** The parameter of kitty and others that moves the text into the history before the screen is erased. */
const INTO_HISTORY = 22;

/** Erasure, and the protection of text from it. */
export const erasure: readonly ControlFunction[] = [
  {
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
  },
  {
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
  },
  {
    kind: 'csi',
    name: 'ECH, erase character',
    sequences: ['X'],
    run: ({ screen }, parameters) => {
      const { column, row, columns } = screen;
      screen.isWrapPending = false;
      eraseCells(screen, row, { start: column, end: Math.min(columns, column + parameters.count(0)) });
    },
  },
  {
    kind: 'csi',
    name: 'DECSED, selective erase in display',
    sequences: ['?J'],
    run: ({ screen }, parameters) => eraseDisplay(screen, parameters.at(0), true),
  },
  {
    kind: 'csi',
    name: 'DECSEL, selective erase in line',
    sequences: ['?K'],
    run: ({ screen }, parameters) => eraseLine(screen, parameters.at(0), true),
  },
  {
    kind: 'csi',
    name: 'DECSCA, select character protection attribute',
    sequences: ['"q'],
    level: 2,
    run: ({ screen: { pen } }, parameters) => {
      if (parameters.at(0) === 1) pen.protection |= PROTECTED;
      else pen.protection &= ~PROTECTED;
    },
  },
  /** Protects the text that is written next from all erasure except selective erasure. */
  {
    kind: 'escape',
    name: 'SPA, start of guarded area',
    sequences: ['V'],
    run: ({ screen }) => {
      screen.pen.protection |= GUARDED;
      screen.sparesGuarded = true;
    },
  },
  {
    kind: 'escape',
    name: 'EPA, end of guarded area',
    sequences: ['W'],
    run: ({ screen }) => {
      screen.pen.protection &= ~GUARDED;
    },
  },
];
