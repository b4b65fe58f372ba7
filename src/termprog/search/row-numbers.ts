import type { TextView } from './line-text.ts';

/**
 * Numbers rows so that each keeps its number when output pushes it up: the number is the row's first position on the
 * screen. The newest line of the history shows the distance; rows of the screen may change in any way.
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

  /** Rows of the screen when the rows were numbered. */
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

  /** Whether `follow` would change nothing here. */
  get isCurrent(): boolean {
    return this.#hasSize && this.#view.line(-1)?.id === this.#newest;
  }

  /**
   * Updates the distance by which rows have moved; returns false when it is unknown, as after a resize: rows must then
   * be numbered again.
   */
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
