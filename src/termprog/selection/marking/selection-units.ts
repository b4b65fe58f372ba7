import type { CellLine } from '../../engine/cell.ts';
import type { ScreenView } from '../../engine/engine.ts';
import { isSecondHalf, textOfCell } from '../../engine/line-text.ts';
import { textCells, wrappedCells } from '../../engine/row-cells.ts';
import type { CharacterClasses } from './character-classes.ts';
import type { TextPosition, TextRange } from './text-range.ts';

const SPACE = 0x20;

/** What a selection consists of: single, double and triple clicks choose it. */
export const SELECTION_UNITS = ['character', 'word', 'line'] as const;
export type SelectionUnit = (typeof SELECTION_UNITS)[number];

/** Rows of one wrapped line that are looked at for the ends of a word, in either direction. */
const WORD_ROWS_MAX = 1_024;

/** Rows of one wrapped line that are looked at for its beginning and its end: each motion does so. */
const LINE_ROWS_MAX = 65_536;

/** Makes whole units of what lies between two cells, the earlier one first. */
export function expandToUnits(
  view: ScreenView,
  { start, end }: Pick<TextRange, 'start' | 'end'>,
  unit: SelectionUnit,
  classes: CharacterClasses,
): TextRange {
  switch (unit) {
    case 'character':
      return { start: snap(view, start), end: snap(view, end), isBlock: false };
    case 'word':
      return { start: wordStart(view, snap(view, start), classes), end: wordEnd(view, end, classes), isBlock: false };
    case 'line':
      return { start: lineStart(view, start), end: lineEnd(view, end), isBlock: false };
  }
}

/** The rectangle between two corners; wide characters are in it whole. */
export function blockBetween(view: ScreenView, one: TextPosition, other: TextPosition): TextRange {
  const start = { row: Math.min(one.row, other.row), column: Math.min(one.column, other.column) };
  const end = { row: Math.max(one.row, other.row), column: Math.min(Math.max(one.column, other.column), view.columns) };
  return { start, end, isBlock: true };
}

/** A place behind the text of a row is the beginning of the next; one inside a wide character is before it. */
function snap(view: ScreenView, { row, column }: TextPosition): TextPosition {
  const line = view.line(row);
  if (line === undefined) return { row, column: 0 };
  const text = line.isWrapped ? Math.max(textCells(line), view.columns) : textCells(line);
  if (column > text) return { row: row + 1, column: 0 };
  return { row, column: isSecondHalf(line, column) ? column - 1 : column };
}

function wordStart(view: ScreenView, from: TextPosition, classes: CharacterClasses): TextPosition {
  const line = view.line(from.row);
  if (line === undefined || from.column >= lengthOf(view, from.row)) return from;
  const wanted = classes.of(codePointAt(view, line, from.column));
  let { row, column } = from;
  for (let rows = 0; rows < WORD_ROWS_MAX; rows += 1) {
    const here = view.line(row);
    if (here === undefined) break;
    while (column > 0 && classes.of(codePointAt(view, here, column - 1)) === wanted) column -= 1;
    const above = view.line(row - 1);
    if (column > 0 || above?.isWrapped !== true) break;
    const last = lengthOf(view, row - 1);
    if (last === 0 || classes.of(codePointAt(view, above, last - 1)) !== wanted) break;
    row -= 1;
    column = last;
  }
  return { row, column };
}

function wordEnd(view: ScreenView, cell: TextPosition, classes: CharacterClasses): TextPosition {
  const from = snap(view, cell);
  const line = view.line(from.row);
  // Behind the text of a row its end is taken, not a word of the next.
  if (from.row !== cell.row || line === undefined || from.column >= lengthOf(view, from.row)) return from;
  const wanted = classes.of(codePointAt(view, line, from.column));
  let { row, column } = from;
  for (let rows = 0; rows < WORD_ROWS_MAX; rows += 1) {
    const here = view.line(row);
    if (here === undefined) break;
    const length = lengthOf(view, row);
    while (column < length && classes.of(codePointAt(view, here, column)) === wanted) column += 1;
    const below = view.line(row + 1);
    if (column < length || !here.isWrapped || below === undefined) break;
    if (lengthOf(view, row + 1) === 0 || classes.of(codePointAt(view, below, 0)) !== wanted) break;
    row += 1;
    column = 0;
  }
  return { row, column };
}

function lineStart(view: ScreenView, { row }: TextPosition): TextPosition {
  let first = row;
  while (row - first < LINE_ROWS_MAX && view.line(first - 1)?.isWrapped === true) first -= 1;
  return { row: first, column: 0 };
}

/** With the end of the line. */
function lineEnd(view: ScreenView, { row }: TextPosition): TextPosition {
  let last = row;
  while (last - row < LINE_ROWS_MAX && view.line(last)?.isWrapped === true && last + 1 < view.rows) last += 1;
  return { row: last + 1, column: 0 };
}

/** Cells of a row that hold text. */
function lengthOf(view: ScreenView, row: number): number {
  const line = view.line(row);
  if (line === undefined) return 0;
  return line.isWrapped ? Math.min(wrappedCells(line, view.line(row + 1)), view.columns) : textCells(line);
}

/** The first code point of a cell's text; a space for a cell without any. */
function codePointAt(view: ScreenView, line: CellLine, column: number): number {
  const text = textOfCell(view, line, isSecondHalf(line, column) ? column - 1 : column);
  return text.codePointAt(0) ?? SPACE;
}
