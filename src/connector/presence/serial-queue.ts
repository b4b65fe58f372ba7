/** Runs tasks one at a time in the order they were added; a failed task does not stop the next. */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  readonly #limit: number;

  /** @param limit tasks at once, including the running one; for a further one `run` throws */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Tasks added and not yet finished. */
  get size(): number {
    return this.#waiting;
  }

  /** Resolves or rejects as the task does. @throws RangeError when `limit` tasks are there already */
  run<T>(task: () => Promise<T> | T): Promise<T> {
    if (this.#waiting >= this.#limit) throw new RangeError(`more than ${this.#limit} tasks`);
    this.#waiting += 1;
    const result = this.#tail.then(task);
    this.#tail = result.then(
      () => this.#done(),
      () => this.#done(),
    );
    return result;
  }

  /** Resolves when everything added so far has ended. */
  async idle(): Promise<void> {
    await this.#tail;
  }

  #done(): void {
    this.#waiting -= 1;
  }
}
