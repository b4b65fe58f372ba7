import { type CellLine, CONTENT, WORDS_PER_CELL } from '../../engine/cell.ts';
import type { ScreenView } from '../../engine/engine.ts';
import { contentAt } from '../../engine/row-cells.ts';
import { type HeldPosition, hold, holdEnd, positionOf } from './held-position.ts';
import { columnsIn, isBefore, isSamePosition, type TextRange } from './text-range.ts';

/** Present place of the marked text, by the ids of its first and last row. */
interface Found {
  startRow: number;
  endRow: number;
  columns: number;
  rows: number;
  range: TextRange;
}

/** Marked text on the screen or in the history. It ends when its text is changed or gone. */
export class MarkedText {
  readonly #view: ScreenView;
  readonly #start: HeldPosition;
  readonly #end: HeldPosition;
  readonly #isBlock: boolean;
  /** Row id → content of the marked rows on the screen, which may change. */
  #contents = new Map<number, Uint32Array>();
  #found: Found | undefined;

  private constructor(view: ScreenView, start: HeldPosition, end: HeldPosition, isBlock: boolean) {
    this.#view = view;
    this.#start = start;
    this.#end = end;
    this.#isBlock = isBlock;
  }

  /** Marks a range; undefined if it is empty. */
  static mark(view: ScreenView, range: TextRange): MarkedText | undefined {
    const isEmpty = range.isBlock
      ? range.start.column >= range.end.column
      : isSamePosition(range.start, range.end) || isBefore(range.end, range.start);
    if (isEmpty) return undefined;
    const start = hold(view, range.start);
    const end = holdEnd(view, range.end);
    return start && end && new MarkedText(view, start, end, range.isBlock);
  }

  /** The present range; undefined when the text is gone. */
  get range(): TextRange | undefined {
    const view = this.#view;
    const found = this.#found;
    const isSameSize = found?.columns === view.columns && found.rows === view.rows;
    const moved = isSameSize ? this.#movedRange(found) : undefined;
    if (moved !== undefined) return moved;
    const range = this.#locate();
    if (range === undefined) return undefined;
    this.#remember(range);
    if (!isSameSize) this.#takeContents(range);
    return range;
  }

  /** Whether a marked row of the screen is unchanged. */
  isUnchanged(row: number, line: CellLine, range: TextRange): boolean {
    if (row < 0) return true;
    const contents = this.#contents.get(line.id);
    const columns = columnsIn(range, row, this.#view.columns);
    if (columns === undefined) return true;
    if (contents === undefined) return false;
    for (let column = columns.first; column < columns.last; column += 1) {
      if ((contents[column] ?? 0) !== contentAt(line, column)) return false;
    }
    return true;
  }

  /** Whether all of its text still exists. */
  get isWhole(): boolean {
    const { range } = this;
    if (range === undefined) return false;
    for (let row = Math.max(0, range.start.row); row <= Math.min(range.end.row, this.#view.rows - 1); row += 1) {
      const line = this.#view.line(row);
      if (line !== undefined && !this.isUnchanged(row, line, range)) return false;
    }
    return true;
  }

  #locate(): TextRange | undefined {
    const start = positionOf(this.#view, this.#start);
    if (start === undefined) return undefined;
    // Blank rows at the bottom disappear when the screen becomes lower.
    const end = positionOf(this.#view, this.#end) ?? { row: this.#view.rows, column: 0 };
    if (this.#isBlock)
      return start.row <= end.row && start.column < end.column ? { start, end, isBlock: true } : undefined;
    return isBefore(start, end) ? { start, end, isBlock: false } : undefined;
  }

  /** Returns the range after scrolling, without visiting every row of a long line. */
  #movedRange({ startRow, endRow, range }: Found): TextRange | undefined {
    const start = this.#view.rowOf(startRow);
    const end = this.#view.rowOf(endRow);
    const height = lastRow(range) - range.start.row;
    if (start === undefined || end === undefined || end - start !== height) return undefined;
    if (start === range.start.row) return range;
    const by = start - range.start.row;
    const moved = {
      start: { row: start, column: range.start.column },
      end: { row: range.end.row + by, column: range.end.column },
      isBlock: range.isBlock,
    };
    if (this.#found !== undefined) this.#found.range = moved;
    return moved;
  }

  #remember(range: TextRange): void {
    const { columns, rows } = this.#view;
    const startRow = this.#view.line(range.start.row)?.id;
    const endRow = this.#view.line(lastRow(range))?.id;
    this.#found =
      startRow === undefined || endRow === undefined ? undefined : { startRow, endRow, columns, rows, range };
  }

  #takeContents(range: TextRange): void {
    this.#contents = new Map();
    for (let row = Math.max(0, range.start.row); row <= Math.min(range.end.row, this.#view.rows - 1); row += 1) {
      const line = this.#view.line(row);
      if (line === undefined) continue;
      const contents = new Uint32Array(line.words.length / WORDS_PER_CELL);
      for (let cell = 0; cell < contents.length; cell += 1)
        contents[cell] = line.words[cell * WORDS_PER_CELL + CONTENT] ?? 0;
      this.#contents.set(line.id, contents);
    }
  }
}

/** Returns the last row with marked cells; the row of the range's end may be below the screen. */
function lastRow({ start, end, isBlock }: TextRange): number {
  return !isBlock && end.column === 0 ? Math.max(start.row, end.row - 1) : end.row;
}
