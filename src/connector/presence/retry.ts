import { backoffMs } from '../domain/backoff.ts';
import { chance } from '../random.ts';

/** Repeats work until it succeeds, with growing waits. */
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

  /** Cancels the work and resets the waits. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#attempt = 0;
  }

  async #try(): Promise<void> {
    try {
      await this.#work();
      this.stop();
    } catch {
      // The work itself logs its failure.
      this.later();
    }
  }
}
