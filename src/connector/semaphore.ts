/** Lets a limited number of tasks run at once; the others wait, in order. */
export class Semaphore {
  readonly #places: number;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#places = places;
  }

  /** Resolves or rejects as the task does, which begins when a place is free. */
  async use<T>(task: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#places) this.#taken += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      // The place goes to the task that has waited longest.
      if (next === undefined) this.#taken -= 1;
      else next();
    }
  }
}
