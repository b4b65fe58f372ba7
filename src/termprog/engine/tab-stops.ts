const TAB_WIDTH = 8;

/** Stores the columns of the tab stops. */
export class TabStops {
  #stops: Uint8Array;

  constructor(columns: number) {
    this.#stops = new Uint8Array(columns);
    this.#setFrom(0);
  }

  reset(): void {
    this.#stops.fill(0);
    this.#setFrom(0);
  }

  resize(columns: number): void {
    const before = this.#stops;
    if (columns === before.length) return;
    this.#stops = new Uint8Array(columns);
    this.#stops.set(before.subarray(0, columns));
    if (columns > before.length) this.#setFrom(before.length);
  }

  set(column: number): void {
    this.#stops[column] = 1;
  }

  clear(column: number): void {
    this.#stops[column] = 0;
  }

  clearAll(): void {
    this.#stops.fill(0);
  }

  /** Returns the stop after a column, at most `last`. */
  next(column: number, last: number): number {
    const found = this.#stops.indexOf(1, column + 1);
    return found < 0 ? last : Math.min(found, last);
  }

  /** Returns the stop before a column, at least `first`. */
  previous(column: number, first: number): number {
    const found = column <= 0 ? -1 : this.#stops.lastIndexOf(1, column - 1);
    return Math.max(found, first);
  }

  #setFrom(column: number): void {
    for (let at = Math.ceil(column / TAB_WIDTH) * TAB_WIDTH; at < this.#stops.length; at += TAB_WIDTH)
      this.#stops[at] = 1;
  }
}
