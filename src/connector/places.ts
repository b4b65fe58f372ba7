/** Bounds of the line in which work waits for a place. */
export interface Line {
  max: number;
  waitMaxMs: number;
  /** Error for work that gets no place. */
  refusal: () => Error;
}

/**
 * Runs a limited number of tasks at once; the others wait in line, in order. With a line their number and wait are
 * bounded.
 */
export class Places {
  readonly #count: number;
  readonly #line: Line | undefined;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  /** @param line bounds of the line; without it all may wait, for as long as it takes */
  constructor(count: number, line?: Line) {
    this.#count = count;
    this.#line = line;
  }

  /** Whether all places are free. */
  get isIdle(): boolean {
    return this.#taken === 0;
  }

  /** Settles like the work, which begins when a place is free. @throws the refusal of the line */
  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#count) this.#taken += 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      this.#giveBack();
    }
  }

  async #turn(): Promise<void> {
    const line = this.#line;
    if (line !== undefined && this.#waiting.size >= line.max) throw line.refusal();
    const { promise, resolve: turn, reject } = Promise.withResolvers<void>();
    const giveUp = ({ refusal }: Line): void => {
      this.#waiting.delete(turn);
      reject(refusal());
    };
    const timer = line && setTimeout(giveUp, line.waitMaxMs, line);
    this.#waiting.add(turn);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Gives the place to the work that has waited longest. */
  #giveBack(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#taken -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
