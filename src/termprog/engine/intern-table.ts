/** A table with fewer values is not swept. */
const FIRST_SWEEP = 4_096;

/** Cells that a sweep may read for each value that came since the last: a long history must not be read for a few values. */
const CELLS_PER_VALUE = 64;

export interface InternTableOptions<T> {
  /** Equal values have equal keys. */
  keyOf(value: T): string;
  /** No number is greater. */
  numberMax: number;
  /** Bound on the characters of all keys. */
  charactersMax: number;
}

/**
 * Numbers for values that few cells have, so that a cell holds one word. Number 0 is never given to a value: it says
 * that there was no room. A number keeps its value while any cell has it: a sweep asks every holder of numbers to mark
 * those in use.
 */
export class InternTable<T> {
  readonly #options: InternTableOptions<T>;
  readonly #values: (T | undefined)[] = [undefined];
  readonly #numbers = new Map<string, number>();
  readonly #free: number[] = [];
  #characters = 0;
  #refused = 0;
  /** The number that a new value got last, as long as only the one who asked for it can have it; else 0. */
  #newest = 0;
  /** Values that were new, or refused, since the last sweep, and how many there must be to pay for the next. */
  #newValues = 0;
  #payingValues = 0;
  #sweepAtValues = FIRST_SWEEP;
  #sweepAtCharacters: number;

  constructor(options: InternTableOptions<T>) {
    this.#options = options;
    this.#sweepAtCharacters = options.charactersMax / 4;
  }

  get(number: number): T | undefined {
    return this.#values[number];
  }

  /** All numbers are smaller than this. */
  get capacity(): number {
    return this.#values.length;
  }

  /**
   * Whether the table has grown, or refused, so much that a sweep is due. A sweep reads every cell, so it pays only when
   * there is much to find.
   */
  get isDue(): boolean {
    const mayFind =
      this.#numbers.size >= this.#sweepAtValues ||
      this.#characters >= this.#sweepAtCharacters ||
      this.#refused >= FIRST_SWEEP;
    return mayFind && this.#newValues >= this.#payingValues;
  }

  /** 0 when there is no room for the value. */
  numberOf(value: T): number {
    const key = this.#options.keyOf(value);
    const known = this.#numbers.get(key);
    if (known !== undefined) {
      if (known === this.#newest) this.#newest = 0;
      return known;
    }
    this.#newValues += 1;
    const { numberMax, charactersMax } = this.#options;
    const hasNumber = this.#free.length > 0 || this.#values.length <= numberMax;
    if (!hasNumber || this.#characters + key.length > charactersMax) {
      this.#refused += 1;
      return 0;
    }
    const number = this.#free.pop() ?? this.#values.length;
    this.#values[number] = value;
    this.#numbers.set(key, number);
    this.#characters += key.length;
    this.#newest = number;
    return number;
  }

  /**
   * The number of a value that takes the place of the one with `number`, of which the caller has the only cell. A value
   * that has just been added, and that nothing has read since, is forgotten at once.
   */
  replace(number: number, value: T): number {
    const before = this.#values[number];
    if (number !== this.#newest || before === undefined) return this.numberOf(value);
    const key = this.#options.keyOf(before);
    this.#numbers.delete(key);
    this.#characters -= key.length;
    this.#values[number] = undefined;
    this.#free.push(number);
    const found = this.numberOf(value);
    if (found !== 0) return found;
    // There is no room: the cell keeps what it has.
    this.#free.pop();
    this.#values[number] = before;
    this.#numbers.set(key, number);
    this.#characters += key.length;
    return 0;
  }

  /** Others have read the values: each keeps its number as long as a cell has it. */
  settle(): void {
    this.#newest = 0;
  }

  /**
   * Drops every value whose number is not marked. The next sweep is due when there is twice as much as now remains.
   * @param marks by number, 1 for those in use
   * @param cells how many were read to find them
   */
  sweep(marks: Uint8Array, cells = 0): void {
    for (const [key, number] of this.#numbers) {
      if (marks[number] === 1) continue;
      this.#numbers.delete(key);
      this.#values[number] = undefined;
      this.#free.push(number);
      this.#characters -= key.length;
    }
    this.#refused = 0;
    this.#newest = 0;
    this.#newValues = 0;
    this.#payingValues = cells / CELLS_PER_VALUE;
    this.#sweepAtValues = Math.max(FIRST_SWEEP, 2 * this.#numbers.size);
    this.#sweepAtCharacters = Math.max(this.#options.charactersMax / 4, 2 * this.#characters);
  }
}
