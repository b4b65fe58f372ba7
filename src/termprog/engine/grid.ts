import { CellStorage } from './cell-storage.ts';
import { BROKEN_ROWS_MAX, REFLOW_LINES_MAX } from './limits.ts';
import { Line, type LineIds } from './line.ts';
import { LineFinder } from './line-finder.ts';
import { LineRing } from './line-ring.ts';
import { type HeldRows, reflow } from './reflow.ts';

export interface GridSize {
  columns: number;
  rows: number;
}

/** Stores the lines of one screen with the history above it. Rows count from the top of the screen. */
export class Grid {
  columns: number;
  rows: number;
  readonly #historyMax: number;
  readonly #ids: LineIds;
  readonly #lines = new LineRing();
  readonly #storage = new CellStorage();
  readonly #rowFinder = new LineFinder();

  /** @param historyMax the most lines that are kept above the screen; a resize may split them into more rows */
  constructor({ columns, rows }: GridSize, historyMax: number, ids: LineIds) {
    this.columns = columns;
    this.rows = rows;
    this.#historyMax = historyMax;
    this.#ids = ids;
    for (let row = 0; row < rows; row += 1) this.#lines.push(new Line(columns, ids.next()));
  }

  get historyLines(): number {
    return this.#lines.length - this.rows;
  }

  /** Returns a row of the screen, or of the history if negative; it must exist. */
  row(row: number): Line {
    return this.#lines.fromEnd(this.rows - row);
  }

  /** Returns a line; undefined outside of history and screen. */
  line(row: number): Line | undefined {
    const index = this.historyLines + row;
    if (index < 0 || row >= this.rows) return undefined;
    return this.#lines.at(index);
  }

  /** Returns the row of a line. Lines that were looked up before are found at once; others cost a look at each line. */
  rowOf(lineId: number): number | undefined {
    const index = this.#rowFinder.indexOf(lineId, this.#lines);
    return index === undefined ? undefined : index - this.historyLines;
  }

  /**
   * Moves rows of a region up. The first rows leave it, into the history if `keepsHistory`; blank rows come in at the
   * bottom.
   */
  scrollUp(
    { top, bottom }: { top: number; bottom: number },
    lines: number,
    { keepsHistory, background }: { keepsHistory: boolean; background: number },
  ): void {
    const count = Math.min(lines, bottom - top + 1);
    if (keepsHistory) this.#pushLines(bottom, count, background);
    else {
      this.#rotate(top, bottom, count);
      this.#renew(bottom - count + 1, bottom, background);
    }
  }

  /** Moves rows of a region down; blank ones come in at its top. */
  scrollDown({ top, bottom }: { top: number; bottom: number }, lines: number, background: number): void {
    const height = bottom - top + 1;
    const count = Math.min(lines, height);
    this.#rotate(top, bottom, height - count);
    this.#renew(top, top + count - 1, background);
  }

  clearHistory(): void {
    this.#lines.dropFirst(this.historyLines);
  }

  /** Cuts lines, or fills them with blanks; adds or removes rows at the bottom, but never the cursor's row. */
  resizePlain({ columns, rows }: GridSize, cursorRow: number): { cursorRow: number } {
    const kept: Line[] = [];
    const first = Math.max(0, cursorRow - rows + 1);
    for (let row = first; row < Math.min(this.rows, first + rows); row += 1) kept.push(this.row(row));
    while (kept.length < rows) kept.push(new Line(columns, this.#ids.next()));
    for (const line of kept) {
      line.setColumns(columns);
      line.isWrapped = false;
    }
    this.#lines.replaceAll(kept);
    this.columns = columns;
    this.rows = rows;
    return { cursorRow: cursorRow - first };
  }

  /**
   * Breaks wrapped text again for another number of columns, in the screen and the newest part of the history; returns
   * the new place of the cursor's cell. Older lines keep their breaks, because a history of a million lines would take
   * minutes.
   * @param held rows that stay as they are
   */
  resizeReflowing(
    size: GridSize,
    cursor: { row: number; column: number },
    held: HeldRows | undefined,
  ): { row: number; column: number } {
    const { length } = this.#lines;
    const start = this.#reflowStart(size.columns);
    const lines: Line[] = [];
    for (let index = start; index < length; index += 1) lines.push(this.#lines.at(index));
    const oldSize = { columns: this.columns, rows: this.rows };
    const result = reflow({ lines, oldSize, newSize: size, cursor, held, ids: this.#ids });
    this.#lines.dropLast(length - start);
    for (const line of result.lines) this.#lines.push(line);
    this.columns = size.columns;
    this.rows = size.rows;
    const room = this.#historyMax === 0 ? 0 : this.#historyMax + BROKEN_ROWS_MAX;
    this.#lines.dropFirst(Math.max(0, this.historyLines - room));
    return result.cursor;
  }

  /** Returns the index of the oldest line to break again, chosen so that the number of new lines stays bounded. */
  #reflowStart(columns: number): number {
    const screenStart = this.historyLines;
    let start = screenStart;
    for (let made = 0; start > 0; start -= 1) {
      const line = this.#lines.at(start - 1);
      const cells = line.isWrapped ? this.columns : line.usedCells;
      made += Math.max(1, Math.ceil(cells / columns));
      if (made > REFLOW_LINES_MAX) break;
    }
    return start;
  }

  /** Visits every line, to find the numbers in use. */
  forEachLine(visit: (line: Line) => void): void {
    for (let index = 0; index < this.#lines.length; index += 1) visit(this.#lines.at(index));
  }

  /** Turns the first rows into history; blank rows come in at `bottom`, and the rows below it stay. */
  #pushLines(bottom: number, count: number, background: number): void {
    const { columns } = this;
    if (this.historyLines > this.#historyMax) this.#dropLines(count);
    for (let pushed = 0; pushed < count; pushed += 1) {
      if (this.historyLines < this.#historyMax) {
        const line = new Line(columns, this.#ids.next(), this.#storage.blankLine(columns));
        if (background !== 0) line.erase(0, columns, background);
        this.#lines.push(line);
      } else this.#lines.rotate().renew(columns, this.#ids.next(), background, this.#storage);
    }
    if (bottom < this.rows - 1) this.#rotate(bottom - count + 1, this.rows - 1, this.rows - 1 - bottom);
  }

  /** Drops the oldest lines of text, each with all its rows, as long as a resize has made more rows than are kept. */
  #dropLines(count: number): void {
    for (let left = count; left > 0 && this.historyLines > this.#historyMax; left -= 1) {
      let isWrapped = true;
      while (isWrapped && this.historyLines > this.#historyMax) {
        ({ isWrapped } = this.#lines.at(0));
        this.#lines.dropFirst(1);
      }
    }
  }

  /** Moves rows up by `count`; the first ones come in again at the bottom. */
  #rotate(top: number, bottom: number, count: number): void {
    const lines = this.#lines;
    const height = bottom - top + 1;
    if (count === 0 || count === height) return;
    const first = this.historyLines + top;
    if (count === 1) {
      // This is by far the most frequent case; it needs no list.
      const line = lines.at(first);
      for (let row = first; row < first + height - 1; row += 1) lines.set(row, lines.at(row + 1));
      lines.set(first + height - 1, line);
      return;
    }
    const before = Array.from({ length: height }, (_, row) => lines.at(first + row));
    for (let row = 0; row < height; row += 1) lines.set(first + row, before[(row + count) % height] as Line);
  }

  #renew(first: number, last: number, background: number): void {
    const { columns } = this;
    for (let row = first; row <= last; row += 1) {
      this.row(row).renew(columns, this.#ids.next(), background, this.#storage);
    }
  }
}
