import { KeyTable } from './key-table.ts';

/** A table with fewer values is not swept. */
const FIRST_SWEEP = 4_096;

/**
 * The most cells that a sweep may read for each value added since the last one: a long history must not be read for a
 * few values.
 */
const CELLS_PER_VALUE = 64;

export interface InternTableOptions<T> {
  /** Returns the key of a value; equal values have equal keys. */
  keyOf(value: T): string;
  /** The largest number. */
  numberMax: number;
  /** Bound on the characters of all keys. */
  charactersMax: number;
}

/**
 * Gives numbers to values that few cells have, so that a cell holds one word. Number 0 is never given to a value: it
 * means that there was no room. A number keeps its value while any cell has it: before a sweep, everything that holds
 * numbers marks those in use.
 */
export class InternTable<T> {
  readonly #options: InternTableOptions<T>;
  readonly #values: (T | undefined)[] = [undefined];
  readonly #numbers = new KeyTable();
  readonly #free: number[] = [];
  #characters = 0;
  #refused = 0;
  /** The number that a new value got last, as long as only its first caller can have it; else 0. */
  #newest = 0;
  /**
   * Values that were new, or refused, since the last sweep, and how many there must be to make the next one worthwhile.
   */
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

  /** A bound: all numbers are smaller than this. */
  get capacity(): number {
    return this.#values.length;
  }

  /**
   * Whether the table has grown, or refused, so much that a sweep is due. A sweep reads every cell, so it pays only
   * when there is much to find.
   */
  get isDue(): boolean {
    const mayFind =
      this.#numbers.size >= this.#sweepAtValues ||
      this.#characters >= this.#sweepAtCharacters ||
      this.#refused >= FIRST_SWEEP;
    return mayFind && this.#newValues >= this.#payingValues;
  }

  /** Returns the number of a value; 0 if there is no room for it. */
  numberOf(value: T): number {
    const key = this.#options.keyOf(value);
    const known = this.#numbers.get(key);
    if (known !== 0) {
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
    const number = this.#free.at(-1) ?? this.#values.length;
    if (!this.#numbers.add(key, number)) {
      this.#refused += 1;
      return 0;
    }
    this.#free.pop();
    this.#values[number] = value;
    this.#characters += key.length;
    this.#newest = number;
    return number;
  }

  /**
   * Returns the number of a value that replaces the one with `number`, which only one cell has: the caller's. The old
   * value is forgotten at once if it has just been added and has not been read since.
   */
  replace(number: number, value: T): number {
    const before = this.#values[number];
    if (number !== this.#newest || before === undefined) return this.numberOf(value);
    const key = this.#numbers.keyOf(number) ?? '';
    this.#forget(number, key);
    const found = this.numberOf(value);
    if (found !== 0) return found;
    // There is no room, so the cell keeps its present value.
    this.#free.pop();
    this.#values[number] = before;
    this.#numbers.add(key, number);
    this.#characters += key.length;
    return 0;
  }

  /** Records that other code has read the values: from now on each keeps its number as long as a cell has it. */
  settle(): void {
    this.#newest = 0;
  }

  /**
   * Drops every value whose number is not marked. The next sweep is due when there are twice as many values as remain
   * now.
   * @param marks 1 for each number in use
   * @param cells how many were read to find them
   */
  sweep(marks: Uint8Array, cells = 0): void {
    for (let number = 1; number < this.#values.length; number += 1) {
      if (marks[number] === 1) continue;
      const key = this.#numbers.keyOf(number);
      if (key !== undefined) this.#release(number, key);
    }
    this.#numbers.keepOnly(marks);
    this.#refused = 0;
    this.#newest = 0;
    this.#newValues = 0;
    this.#payingValues = cells / CELLS_PER_VALUE;
    this.#sweepAtValues = Math.max(FIRST_SWEEP, 2 * this.#numbers.size);
    this.#sweepAtCharacters = Math.max(this.#options.charactersMax / 4, 2 * this.#characters);
  }

  #forget(number: number, key: string): void {
    this.#numbers.delete(number);
    this.#release(number, key);
  }

  #release(number: number, key: string): void {
    this.#values[number] = undefined;
    this.#free.push(number);
    this.#characters -= key.length;
  }
}
