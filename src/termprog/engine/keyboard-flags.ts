/** Progressive enhancements of the kitty keyboard protocol, and the sum of all. */
const ALL_FLAGS = 0b1_1111;

/** Beyond this number, saved flags are dropped, oldest first. */
const DEPTH_MAX = 16;

/** How `CSI = flags ; how u` changes the flags. */
const CHANGES: Readonly<Record<number, (before: number, flags: number) => number>> = {
  1: (_before, flags) => flags,
  2: (before, flags) => before | flags,
  3: (before, flags) => before & ~flags,
};

/** Stores the flags of one screen, the primary or the alternate one, and those that applications saved. */
class FlagStack {
  flags = 0;
  #saved: number[] = [];

  push(flags: number): void {
    this.#saved.push(this.flags);
    if (this.#saved.length > DEPTH_MAX) this.#saved.shift();
    this.flags = flags;
  }

  pop(count: number): void {
    const rest = this.#saved.length - count;
    this.flags = this.#saved[rest] ?? 0;
    this.#saved.length = Math.max(0, rest);
  }
}

/** Stores what the kitty keyboard protocol asks of the keyboard: how keys are reported, separately for each screen. */
export class KeyboardFlags {
  readonly #isAlternate: () => boolean;
  #primary = new FlagStack();
  #alternate = new FlagStack();

  constructor(isAlternate: () => boolean) {
    this.#isAlternate = isAlternate;
  }

  get flags(): number {
    return this.#stack.flags;
  }

  push(flags: number): void {
    this.#stack.push(flags & ALL_FLAGS);
  }

  /** Goes back to the flags of `count` pushes before; if there were fewer, all flags are off. */
  pop(count: number): void {
    this.#stack.pop(count);
  }

  change(flags: number, how: number): void {
    const next = CHANGES[how]?.(this.flags, flags & ALL_FLAGS);
    if (next !== undefined) this.#stack.flags = next;
  }

  reset(): void {
    this.#primary = new FlagStack();
    this.#alternate = new FlagStack();
  }

  get #stack(): FlagStack {
    return this.#isAlternate() ? this.#alternate : this.#primary;
  }
}
