import type { CellLine } from './cell.ts';
import type { Screen } from './screen.ts';

type Rows = { line(row: number): CellLine | undefined };
type Cursor = Pick<Screen, 'row' | 'column' | 'grid' | 'isAlternate'>;

/** The most rows that are remembered; an editor draws only a few. */
const ROWS_MAX = 1_024;

/** The most starts of erasures that are remembered. */
const ERASED_MAX = 16;

/**
 * Finds out which rows a line editor, such as that of a shell, has drawn. It uses only the editor's output, without
 * marks. Such editors switch bracketed paste on while they edit. zsh erases everything from the start of its prompt on,
 * draws the prompt, and then switches bracketed paste on. fish switches it on first, and erases the rest of each row
 * that it draws.
 */
export class EditedRows {
  /**
   * Ids of the lines from whose beginning on everything was erased, the newest last. zsh also erases below its input,
   * where it lists completions.
   */
  readonly #erasedFrom = new Set<number>();
  /** Ids of lines that were erased after their text. */
  readonly #ended = new Set<number>();

  /** Records that everything from the cursor on is erased. */
  takeErasedBelow({ row, column, grid, isAlternate }: Cursor): void {
    if (isAlternate || column > 0) return;
    const { id } = grid.row(row);
    this.#erasedFrom.delete(id);
    this.#erasedFrom.add(id);
    const [oldest] = this.#erasedFrom;
    if (this.#erasedFrom.size > ERASED_MAX && oldest !== undefined) this.#erasedFrom.delete(oldest);
  }

  /** Records that the rest of the cursor's row is erased. */
  takeErasedRest({ row, grid, isAlternate }: Cursor): void {
    if (isAlternate) return;
    if (this.#ended.size >= ROWS_MAX) this.#ended.clear();
    this.#ended.add(grid.row(row).id);
  }

  /**
   * Records that bracketed paste is switched: an editor begins or ends. One that begins after text has already drawn
   * that text.
   */
  takePasteMode({ column, isAlternate }: Cursor, isOn: boolean): void {
    if (isAlternate) return;
    this.#ended.clear();
    if (!isOn || column === 0) this.#erasedFrom.clear();
  }

  /**
   * Returns the first row that the editor has drawn above a row, as far as that is on the screen; if there is no such
   * row, the row itself.
   */
  firstAbove(view: Rows, row: number): number {
    return Math.min(this.#firstErased(view, row), this.#firstEnded(view, row));
  }

  #firstErased(view: Rows, row: number): number {
    for (const id of [...this.#erasedFrom].reverse()) {
      for (let top = row; top >= 0; top -= 1) {
        // No line of text begins where the row above runs on into this one.
        if (view.line(top)?.id === id && view.line(top - 1)?.isWrapped !== true) return top;
      }
    }
    return row;
  }

  #firstEnded(view: Rows, row: number): number {
    let top = row;
    for (let first = row - 1, isEnded = false; first >= 0; first -= 1) {
      // A wrapped line of text counts if one of its rows was erased.
      isEnded ||= this.#ended.has(view.line(first)?.id ?? 0);
      if (view.line(first - 1)?.isWrapped === true && first > 0) continue;
      if (!isEnded) break;
      top = first;
      isEnded = false;
    }
    return top;
  }
}
