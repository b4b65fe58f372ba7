import type { TextView } from './line-text.ts';

/**
 * Numbers rows so that each keeps its number when output pushes it up: the number is the row of the screen that it had
 * at first. The newest line of the history tells how far that was; rows of the screen may change in any way.
 */
export class RowNumbers {
  readonly #view: TextView;
  readonly #columns: number;
  readonly #rows: number;
  /** The id of the newest line of the history. */
  #newest: number | undefined;
  #pushed = 0;

  constructor(view: TextView) {
    this.#view = view;
    this.#columns = view.columns;
    this.#rows = view.rows;
    this.#newest = view.line(-1)?.id;
  }

  /** Of the screen, when rows were numbered. */
  get rows(): number {
    return this.#rows;
  }

  /** Rows by which all have moved up since. */
  get pushed(): number {
    return this.#pushed;
  }

  /** Number of the oldest row. */
  get oldest(): number {
    return this.#pushed - this.#view.historyLines;
  }

  /** Whether `follow` has nothing to do. */
  get isCurrent(): boolean {
    return this.#hasSize && this.#view.line(-1)?.id === this.#newest;
  }

  /** Looks how far rows have moved; false when that can't be told, as after a resize: they must be numbered anew. */
  follow(): boolean {
    const view = this.#view;
    const { historyLines } = view;
    if (!this.#hasSize) return false;
    if (this.#newest === undefined) return historyLines === 0;
    for (let row = -1; row >= -historyLines; row -= 1) {
      if (view.line(row)?.id !== this.#newest) continue;
      this.#pushed -= row + 1;
      this.#newest = view.line(-1)?.id;
      return true;
    }
    return false;
  }

  get #hasSize(): boolean {
    return this.#view.columns === this.#columns && this.#view.rows === this.#rows;
  }
}
