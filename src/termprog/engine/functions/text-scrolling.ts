import type { ControlFunction } from '../control-function.ts';
import { shiftColumns } from '../editing.ts';
import type { HighlightRequest } from '../engine-host.ts';
import type { Parameters } from '../parameters.ts';

/** Line feeds and indexes, which scroll at a margin, and scrolling itself. */
export const textScrolling: readonly ControlFunction[] = [
  {
    kind: 'character',
    name: 'LF, line feed; VT and FF do the same',
    codes: [0x0a, 0x0b, 0x0c],
    run: ({ screen }) => {
      screen.index();
      if (screen.isLinefeedNewLine) screen.carriageReturn();
    },
  },
  {
    kind: 'escape',
    name: 'NEL, next line',
    sequences: ['E'],
    run: ({ screen }) => {
      screen.index();
      screen.carriageReturn();
    },
  },
  {
    kind: 'escape',
    name: 'IND, index',
    sequences: ['D'],
    run: ({ screen }) => screen.index(),
  },
  {
    kind: 'escape',
    name: 'RI, reverse index',
    sequences: ['M'],
    run: ({ screen }) => screen.reverseIndex(),
  },
  /**
   * Moves the cursor one column to the left; at the left margin the text between the margins moves to the right instead.
   */
  {
    kind: 'escape',
    name: 'DECBI, back index',
    sequences: ['6'],
    level: 4,
    run: ({ screen }) => {
      const { column, margins } = screen;
      if (column !== margins.left) screen.moveLeft(1);
      else if (screen.isBetweenMargins) shiftColumns(screen, { from: margins.left, by: 1 });
    },
  },
  /**
   * Moves the cursor one column to the right; at the right margin the text between the margins moves to the left instead.
   */
  {
    kind: 'escape',
    name: 'DECFI, forward index',
    sequences: ['9'],
    level: 4,
    run: ({ screen }) => {
      const { column, margins } = screen;
      if (column !== margins.right) screen.moveRight(1);
      else if (screen.isBetweenMargins) shiftColumns(screen, { from: margins.left, by: -1 });
    },
  },
  {
    kind: 'csi',
    name: 'SU, scroll up',
    sequences: ['S'],
    run: ({ screen }, parameters) => screen.scrollUp(parameters.count(0)),
  },
  {
    kind: 'csi',
    name: 'SD, scroll down; with five parameters, or a 0, highlight tracking of the mouse',
    sequences: ['T'],
    run: ({ screen, host }, parameters) => {
      const isZero = parameters.at(0) === 0 && !parameters.isOmitted(0);
      if (parameters.length === 1 && !isZero) screen.scrollDown(parameters.count(0));
      else host.highlight(requestOf(parameters));
    },
  },
  /** The fifth edition of ECMA-48 gives SD this final character until its correction of 2003; xterm knows it, too. */
  {
    kind: 'csi',
    name: 'SD, scroll down, as ECMA-48 misprinted it',
    sequences: ['^'],
    run: ({ screen }, parameters) => screen.scrollDown(parameters.count(0)),
  },
  {
    kind: 'csi',
    name: 'SL, scroll left',
    sequences: [' @'],
    run: ({ screen }, parameters) => {
      if (screen.isBetweenMargins) shiftColumns(screen, { from: screen.margins.left, by: -parameters.count(0) });
    },
  },
  {
    kind: 'csi',
    name: 'SR, scroll right',
    sequences: [' A'],
    run: ({ screen }, parameters) => {
      if (screen.isBetweenMargins) shiftColumns(screen, { from: screen.margins.left, by: parameters.count(0) });
    },
  },
];

/**
 * Returns the request in the parameters: function, column, row, first row and the row after the last; all but the first
 * count from 1.
 */
function requestOf(parameters: Parameters): HighlightRequest | undefined {
  if (parameters.at(0) === 0) return undefined;
  return {
    column: parameters.at(1) - 1,
    row: parameters.count(2) - 1,
    firstRow: parameters.at(3) - 1,
    lastRow: parameters.at(4) - 2,
  };
}
