import { GUARDED, PROTECTED } from './cell.ts';
import { workOfRows } from './row-work.ts';
import type { Screen } from './screen.ts';

/** Functions that erase, insert and delete on the screen. Counts larger than the line or the screen mean all of it. */

/**
 * Blanks cells of a row from `start` up to `end`, except for protected ones: DECSCA protects against selective erasure,
 * SPA against any other.
 */
export function eraseCells(
  screen: Screen,
  row: number,
  { start, end, isSelective = false }: { start: number; end: number; isSelective?: boolean },
): void {
  if (start >= end) return;
  const line = screen.grid.row(row);
  line.splitWide(start);
  line.splitWide(end);
  const spared = isSelective ? PROTECTED : GUARDED;
  if (isSelective || screen.sparesGuarded) line.eraseExcept(spared, start, end, screen.pen.background);
  else line.erase(start, end, screen.pen.background);
  if (end === screen.columns) line.isWrapped = false;
  screen.damage.mark(row);
}

/** Blanks whole rows from `first` to `last`, both included. */
export function eraseRows(screen: Screen, first: number, last: number, isSelective: boolean): void {
  screen.damage.markRows(first, last);
  for (let row = first; row <= last; row += 1) {
    eraseCells(screen, row, { start: 0, end: screen.columns, isSelective });
  }
}

/**
 * Moves the rows of the primary screen, up to the last one with text, into the history; it ignores the margins, and the
 * cursor stays.
 */
export function moveTextIntoHistory(screen: Screen): void {
  const { grid, pen } = screen;
  const bottom = screen.rows - 1;
  let last = bottom;
  while (last >= 0 && grid.row(last).usedCells === 0) last -= 1;
  if (screen.isAlternate || last < 0) return;
  grid.row(last).isWrapped = false;
  grid.scrollUp({ top: 0, bottom }, last + 1, { keepsHistory: true, background: pen.background });
  screen.damage.scroll(0, bottom, last + 1);
}

/** Moves the cells from the cursor to the right margin to the right; those that pass the margin are lost. */
export function insertBlanks(screen: Screen, count: number): void {
  if (!screen.isBetweenSideMargins) return;
  const { column, row } = screen;
  shiftCells(screen, row, { from: column, by: count });
  screen.isWrapPending = false;
}

/** Removes cells at the cursor; blanks come in at the right margin. */
export function deleteCells(screen: Screen, count: number): void {
  if (!screen.isBetweenSideMargins) return;
  const { column, row } = screen;
  shiftCells(screen, row, { from: column, by: -count });
  screen.isWrapPending = false;
}

/** Shifts the cells of a row between `from` and the right margin, to the right if `by` is positive. */
export function shiftCells(screen: Screen, row: number, { from, by }: { from: number; by: number }): void {
  const end = screen.margins.right + 1;
  const count = Math.min(Math.abs(by), end - from);
  if (count <= 0) return;
  screen.work += workOfRows(1, end - from);
  const line = screen.grid.row(row);
  const { background } = screen.pen;
  line.splitWide(from);
  line.splitWide(end);
  if (by > 0) {
    line.splitWide(end - count);
    line.move(from, end - count, from + count);
    line.erase(from, from + count, background);
  } else {
    line.splitWide(from + count);
    line.move(from + count, end, from);
    line.erase(end - count, end, background);
  }
  if (end === screen.columns) line.isWrapped = false;
  screen.damage.mark(row);
}

/** Shifts the cells to the right of `from` in every row between the margins; DECIC, DECDC, SL and SR. */
export function shiftColumns(screen: Screen, { from, by }: { from: number; by: number }): void {
  const { top, bottom } = screen.margins;
  for (let row = top; row <= bottom; row += 1) shiftCells(screen, row, { from, by });
}

/** Parameters of functions that erase: from the cursor on, up to it, or all; only whole screens have the history. */
const ERASE = { toEnd: 0, fromStart: 1, all: 2, history: 3 } as const;

/** Runs ED and DECSED; other parameters have no effect. */
export function eraseDisplay(screen: Screen, which: number, isSelective: boolean): void {
  const { row, rows } = screen;
  screen.isWrapPending &&= which > ERASE.all;
  if (which === ERASE.toEnd) {
    eraseLine(screen, ERASE.toEnd, isSelective);
    eraseRows(screen, row + 1, rows - 1, isSelective);
  } else if (which === ERASE.fromStart) {
    eraseRows(screen, 0, row - 1, isSelective);
    eraseLine(screen, ERASE.fromStart, isSelective);
  } else if (which === ERASE.all) eraseRows(screen, 0, rows - 1, isSelective);
  else if (which === ERASE.history && !isSelective) screen.clearHistory();
}

/** Runs EL and DECSEL; other parameters have no effect. */
export function eraseLine(screen: Screen, which: number, isSelective: boolean): void {
  const { row, column, columns } = screen;
  screen.isWrapPending &&= which > ERASE.all;
  if (which === ERASE.toEnd) eraseCells(screen, row, { start: column, end: columns, isSelective });
  else if (which === ERASE.fromStart) eraseCells(screen, row, { start: 0, end: column + 1, isSelective });
  else if (which === ERASE.all) eraseCells(screen, row, { start: 0, end: columns, isSelective });
}
