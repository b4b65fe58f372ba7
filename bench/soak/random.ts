/** Numbers that depend on a seed and a name alone: each part of a run draws its own. */
export class Random {
  #state: number;

  constructor(seed: number, name: string) {
    this.#state = [...name].reduce(
      (state, letter) => Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193),
      seed,
    );
  }

  /** From 0 to below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  isTrue(share: number): boolean {
    return this.next() < share;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  pick<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.next() * values.length)];
    if (value === undefined) throw new Error('expected at least one value to choose from');
    return value;
  }
}
