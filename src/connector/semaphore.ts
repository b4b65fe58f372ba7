/**
 * Lets a limited number of tasks run at once; the others wait, in order. The sessions that attach to the bouncer at
 * once are limited by it, and the transactions that store lines. The caller bounds the number of waiting tasks.
 */
export class Semaphore {
  readonly #places: () => number;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param places at least one; a number that changes counts from the next task on that begins or ends */
  constructor(places: number | (() => number)) {
    this.#places = typeof places === 'number' ? () => places : places;
  }

  /** Settles like the task, which begins when a place is free. */
  async use<T>(task: () => Promise<T>): Promise<T> {
    if (this.#waiting.length === 0 && this.#taken < this.#places()) this.#taken += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      this.#taken -= 1;
      this.#begin();
    }
  }

  /** Gives the free places to the tasks that have waited longest. */
  #begin(): void {
    while (this.#taken < this.#places()) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#taken += 1;
      next();
    }
  }
}
