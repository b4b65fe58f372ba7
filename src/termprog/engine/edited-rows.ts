import type { CellLine } from './cell.ts';
import type { Screen } from './screen.ts';

type Rows = { line(row: number): CellLine | undefined };
type Cursor = Pick<Screen, 'row' | 'column' | 'grid' | 'isAlternate'>;

/** Rows that are remembered; an editor draws a few. */
const ROWS_MAX = 1_024;

/** Rows from which on everything was erased that are remembered. */
const ERASED_MAX = 16;

/**
 * The rows that an editor of lines, such as that of a shell, has drawn, as far as its output tells without marks. Such
 * editors have bracketed paste switched on while they edit. zsh erases everything from where its prompt begins, draws
 * that, and then switches it on; fish switches it on first, and erases the rest of each row that it draws.
 */
export class EditedRows {
  /**
   * Ids of the lines from whose beginning on everything was erased, the last one last: zsh does it below its input, too,
   * where it lists completions.
   */
  readonly #erasedFrom = new Set<number>();
  /** Ids of lines that were erased behind their text. */
  readonly #ended = new Set<number>();

  /** Everything from the cursor on is erased. */
  takeErasedBelow({ row, column, grid, isAlternate }: Cursor): void {
    if (isAlternate || column > 0) return;
    const { id } = grid.row(row);
    this.#erasedFrom.delete(id);
    this.#erasedFrom.add(id);
    const [oldest] = this.#erasedFrom;
    if (this.#erasedFrom.size > ERASED_MAX && oldest !== undefined) this.#erasedFrom.delete(oldest);
  }

  /** The rest of the cursor's row is erased. */
  takeErasedRest({ row, grid, isAlternate }: Cursor): void {
    if (isAlternate) return;
    if (this.#ended.size >= ROWS_MAX) this.#ended.clear();
    this.#ended.add(grid.row(row).id);
  }

  /** Bracketed paste is switched: an editor begins or ends. One that begins behind text has drawn that before. */
  takePasteMode({ column, isAlternate }: Cursor, isOn: boolean): void {
    if (isAlternate) return;
    this.#ended.clear();
    if (!isOn || column === 0) this.#erasedFrom.clear();
  }

  /** The first row that the editor has drawn of those above a row, as far as that is on the screen; the row itself if there is none. */
  firstAbove(view: Rows, row: number): number {
    return Math.min(this.#firstErased(view, row), this.#firstEnded(view, row));
  }

  #firstErased(view: Rows, row: number): number {
    for (const id of [...this.#erasedFrom].reverse()) {
      for (let top = row; top >= 0; top -= 1) {
        // What was erased before its text came from the row above is not where a line begins.
        if (view.line(top)?.id === id && view.line(top - 1)?.isWrapped !== true) return top;
      }
    }
    return row;
  }

  #firstEnded(view: Rows, row: number): number {
    let top = row;
    for (let first = row - 1, isEnded = false; first >= 0; first -= 1) {
      // Of a line of text that was wrapped, one row is enough.
      isEnded ||= this.#ended.has(view.line(first)?.id ?? 0);
      if (view.line(first - 1)?.isWrapped === true && first > 0) continue;
      if (!isEnded) break;
      top = first;
      isEnded = false;
    }
    return top;
  }
}
