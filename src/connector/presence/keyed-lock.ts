import { accountBusy } from '../errors.ts';

/** Tasks with the same key run one after the other, in order; others do not wait for each other. */
export class KeyedLock {
  readonly #waitingMax: number;
  /** Of each key, the last task and how many have not ended. */
  readonly #queues = new Map<string, { last: Promise<unknown>; length: number }>();

  /** @param waitingMax tasks with one key that may wait for the one under way */
  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /** Resolves or rejects as the task does, which begins when those before it have ended. @throws RetryLater account_busy */
  async use<T>(key: string, task: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key);
    if (queue !== undefined && queue.length > this.#waitingMax) throw accountBusy();
    const turn = queue === undefined ? task() : queue.last.then(task, task);
    const own = queue ?? { last: turn, length: 0 };
    this.#queues.set(key, own);
    own.last = turn;
    own.length += 1;
    try {
      return await turn;
    } finally {
      own.length -= 1;
      if (own.length === 0) this.#queues.delete(key);
    }
  }
}
