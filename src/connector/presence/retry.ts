import { backoffMs } from '../domain/backoff.ts';
import { chance } from '../random.ts';

/** Does something again until it succeeds; each wait is longer than the last. */
export class Retry {
  readonly #work: () => Promise<void>;
  #attempt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Plans the next attempt. */
  later(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#try(), backoffMs(this.#attempt, chance()));
    this.#attempt += 1;
  }

  /** Nothing is owed any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#attempt = 0;
  }

  async #try(): Promise<void> {
    try {
      await this.#work();
      this.stop();
    } catch {
      // What went wrong is told where the work is done.
      this.later();
    }
  }
}
