/** Tasks with the same key run one after the other, in order; others do not wait for each other. */
export class KeyedLock {
  /** The last task of each key, until it ends. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Resolves or rejects as the task does, which begins when those before it have ended. */
  async use<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const turn = before === undefined ? task() : before.then(task, task);
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }
}
