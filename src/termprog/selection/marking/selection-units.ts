import type { CellLine } from '../../engine/cell.ts';
import { isSecondHalf, textOfCell } from '../../engine/cell-text.ts';
import type { ScreenView } from '../../engine/engine.ts';
import { textCells, wrappedCells } from '../../engine/row-cells.ts';
import type { CharacterClasses } from './character-classes.ts';
import type { TextPosition, TextRange } from './text-range.ts';

const SPACE = 0x20;

/** Units of a selection, selected by single, double and triple clicks. */
export const SELECTION_UNITS = ['character', 'word', 'line'] as const;
export type SelectionUnit = (typeof SELECTION_UNITS)[number];

/** Most rows of one wrapped line that are searched for the ends of a word, in either direction. */
const WORD_ROWS_MAX = 1_024;

/** Most rows of one wrapped line that are searched for its beginning and its end: each motion repeats the search. */
const LINE_ROWS_MAX = 65_536;

/** Extends the range between two cells, the earlier one first, to whole units. */
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

/** Returns the rectangle between two corners; wide characters are included whole. */
export function blockBetween(view: ScreenView, one: TextPosition, other: TextPosition): TextRange {
  const start = { row: Math.min(one.row, other.row), column: Math.min(one.column, other.column) };
  const end = { row: Math.max(one.row, other.row), column: Math.min(Math.max(one.column, other.column), view.columns) };
  return { start, end, isBlock: true };
}

/** Snaps a place: after the text of a row to the beginning of the next; inside a wide character to its start. */
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
  // After the text of a row its end is used, not a word of the next row.
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

/** Returns the end of the line, including its line break. */
function lineEnd(view: ScreenView, { row }: TextPosition): TextPosition {
  let last = row;
  while (last - row < LINE_ROWS_MAX && view.line(last)?.isWrapped === true && last + 1 < view.rows) last += 1;
  return { row: last + 1, column: 0 };
}

/** Returns the number of cells of a row that hold text. */
function lengthOf(view: ScreenView, row: number): number {
  const line = view.line(row);
  if (line === undefined) return 0;
  return line.isWrapped ? Math.min(wrappedCells(line, view.line(row + 1)), view.columns) : textCells(line);
}

/** Returns the first code point of a cell's text; a space for an empty cell. */
function codePointAt(view: ScreenView, line: CellLine, column: number): number {
  const text = textOfCell(view, line, isSecondHalf(line, column) ? column - 1 : column);
  return text.codePointAt(0) ?? SPACE;
}
