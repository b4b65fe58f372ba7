import type { Match } from './find-matches.ts';

type Place = Pick<Match, 'row' | 'column'>;

/** The found matches, newest first. Search adds older ones at one end, and renews those of the screen at the other. */
export class MatchList {
  /** Newest first. */
  readonly #older: Match[] = [];
  /** Oldest first; all are newer than `#older`. */
  #newer: Match[] = [];
  /** Number of `#newer` that are in the history; the others belong to the present screen. */
  #settled = 0;

  get count(): number {
    return this.#newer.length + this.#older.length;
  }

  /** @param index counted from the newest, which is 0 */
  at(index: number): Match | undefined {
    const newer = this.#newer.length;
    return index < newer ? this.#newer[newer - 1 - index] : this.#older[index - newer];
  }

  /** Returns the index of the match that begins at a place; -1 if there is none. */
  indexOf(place: Place): number {
    const index = this.#firstNotAfter(place);
    const match = this.at(index);
    return match !== undefined && compare(match, place) === 0 ? index : -1;
  }

  /** Returns the index of the newest match that does not begin after a place; the count if there is none. */
  #firstNotAfter(place: Place): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(this.at(middle) as Match, place) > 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the newest match before a place, otherwise the oldest one. */
  nearest(place: Place): Match | undefined {
    return this.at(Math.min(this.#firstNotAfter(place), this.count - 1));
  }

  /** Returns the matches that may have cells in a row. */
  inRow(row: number): Match[] {
    const found: Match[] = [];
    for (let index = this.#firstNotAfter({ row, column: Number.POSITIVE_INFINITY }); ; index += 1) {
      const match = this.at(index);
      // Matches do not overlap, and all but the first of these begin further up.
      if (match === undefined || match.endRow < row) return found;
      found.push(match);
    }
  }

  /** Adds the matches of an older line, in their order. */
  addOlder(matches: readonly Match[]): void {
    for (let index = matches.length - 1; index >= 0; index -= 1) this.#older.push(matches[index] as Match);
  }

  /**
   * Replaces the matches of the screen.
   * @param settled matches of lines that have scrolled into the history
   */
  renewScreen(settled: readonly Match[], screen: readonly Match[]): void {
    const kept = this.#newer.slice(0, this.#settled);
    this.#newer = [...kept, ...settled, ...screen];
    this.#settled = kept.length + settled.length;
  }

  /** Drops the oldest matches: those before a row, and those beyond a number. */
  dropOldest(firstRow: number, countMax: number): void {
    const isDropped = (match: Match | undefined): boolean =>
      match !== undefined && (match.row < firstRow || this.count > countMax);
    while (isDropped(this.#older.at(-1))) this.#older.pop();
    if (this.#older.length > 0) return;
    let gone = 0;
    while (gone < this.#settled) {
      const match = this.#newer[gone] as Match;
      if (match.row >= firstRow && this.#newer.length - gone <= countMax) break;
      gone += 1;
    }
    if (gone === 0) return;
    this.#newer = this.#newer.slice(gone);
    this.#settled -= gone;
  }
}

/** Negative when the first is before the second. */
function compare(one: Place, other: Place): number {
  return one.row - other.row || one.column - other.column;
}
