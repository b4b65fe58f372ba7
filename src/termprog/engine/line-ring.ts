import type { Line } from './line.ts';

const FIRST_CAPACITY = 64;

/** Stores lines, oldest first. Removing the oldest and appending new ones moves no other line. */
export class LineRing {
  #slots: (Line | undefined)[] = new Array<Line | undefined>(FIRST_CAPACITY).fill(undefined);
  #mask = FIRST_CAPACITY - 1;
  #first = 0;
  #length = 0;
  #dropped = 0;

  get length(): number {
    return this.#length;
  }

  /**
   * Number of lines that were ever removed from the beginning: the sum of an index and this number stays with its line.
   */
  get dropped(): number {
    return this.#dropped;
  }

  /** Returns the line at an index; `index` must be below `length`. */
  at(index: number): Line {
    return this.#slots[(this.#first + index) & this.#mask] as Line;
  }

  /** Returns a line counted from the end, from 1; `back` must not exceed `length`. */
  fromEnd(back: number): Line {
    return this.#slots[(this.#first + this.#length - back) & this.#mask] as Line;
  }

  set(index: number, line: Line): void {
    this.#slots[(this.#first + index) & this.#mask] = line;
  }

  push(line: Line): void {
    if (this.#length > this.#mask) this.#grow();
    this.#slots[(this.#first + this.#length) & this.#mask] = line;
    this.#length += 1;
  }

  /** Moves the oldest line to the end and returns it; it is the same object. */
  rotate(): Line {
    const line = this.at(0);
    this.#slots[this.#first] = undefined;
    this.#first = (this.#first + 1) & this.#mask;
    this.#slots[(this.#first + this.#length - 1) & this.#mask] = line;
    this.#dropped += 1;
    return line;
  }

  /** Drops the oldest lines. */
  dropFirst(count: number): void {
    for (let index = 0; index < count; index += 1) this.#slots[(this.#first + index) & this.#mask] = undefined;
    this.#first = (this.#first + count) & this.#mask;
    this.#length -= count;
    this.#dropped += count;
  }

  /** Drops the newest lines. */
  dropLast(count: number): void {
    for (let index = this.#length - count; index < this.#length; index += 1) {
      this.#slots[(this.#first + index) & this.#mask] = undefined;
    }
    this.#length -= count;
  }

  replaceAll(lines: readonly Line[]): void {
    let capacity = FIRST_CAPACITY;
    while (capacity < lines.length) capacity *= 2;
    this.#slots = [...lines, ...new Array<Line | undefined>(capacity - lines.length).fill(undefined)];
    this.#mask = capacity - 1;
    this.#first = 0;
    this.#length = lines.length;
  }

  #grow(): void {
    const slots: (Line | undefined)[] = new Array<Line | undefined>(2 * this.#slots.length).fill(undefined);
    for (let index = 0; index < this.#length; index += 1) slots[index] = this.at(index);
    this.#slots = slots;
    this.#mask = slots.length - 1;
    this.#first = 0;
  }
}
