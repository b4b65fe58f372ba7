import type { CellLine } from './cell.ts';
import type { Screen } from './screen.ts';

type Cursor = Pick<Screen, 'row' | 'column' | 'grid' | 'isAlternate'>;

/** Rows that are remembered; an editor draws a few. */
const ROWS_MAX = 1_024;

/**
 * The rows that an editor of lines, such as that of a shell, has drawn, as far as its output tells without marks. Such
 * editors have bracketed paste switched on while they edit. zsh erases everything from where its prompt begins, draws
 * that, and then switches it on; fish switches it on first, and erases the rest of each row that it draws.
 */
export class EditedRows {
  /** Id of the line from whose beginning on everything was erased. */
  #erasedFrom: number | undefined;
  /** Ids of lines that were erased behind their text. */
  readonly #ended = new Set<number>();

  /** Everything from the cursor on is erased. */
  takeErasedBelow({ row, column, grid, isAlternate }: Cursor): void {
    if (!isAlternate && column === 0) this.#erasedFrom = grid.row(row).id;
  }

  /** The rest of the cursor's row is erased. */
  takeErasedRest({ row, column, grid, isAlternate }: Cursor): void {
    if (isAlternate || column === 0) return;
    if (this.#ended.size >= ROWS_MAX) this.#ended.clear();
    this.#ended.add(grid.row(row).id);
  }

  /** Bracketed paste is switched: an editor begins or ends. One that begins behind text has drawn that before. */
  takePasteMode({ column, isAlternate }: Cursor, isOn: boolean): void {
    if (isAlternate) return;
    this.#ended.clear();
    if (!isOn || column === 0) this.#erasedFrom = undefined;
  }

  /** The first row that the editor has drawn of those above a row, as far as that is on the screen; the row itself if there is none. */
  firstAbove(view: { line(row: number): CellLine | undefined }, row: number): number {
    for (let top = row; top >= 0; top -= 1) if (view.line(top)?.id === this.#erasedFrom) return top;
    let top = row;
    while (top > 0) {
      const above = view.line(top - 1);
      if (above === undefined || (!above.isWrapped && !this.#ended.has(above.id))) break;
      top -= 1;
    }
    return top;
  }
}
