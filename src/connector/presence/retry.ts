import { backoffMs } from '../domain/backoff.ts';
import { chance } from '../random.ts';

export interface RetryOptions {
  /** Does the work once. A failure plans the next attempt; a success plans nothing. */
  attempt: () => Promise<void>;
  /** Returns the milliseconds before an attempt, 0 for the first one after `reset`; by default half a second to 30 s. */
  waits?: (attempt: number) => number;
  /** Called with the failure of an attempt before the next one is planned. Without it, the work reports its failures. */
  onFailure?: (error: unknown) => void;
}

const backoff = (attempt: number): number => backoffMs(attempt, chance());

/**
 * Schedule of work that is tried until it succeeds, with growing waits; at most one attempt is planned. Its owner knows what
 * a success is, and resets the waits then. A plan that was made meanwhile stays: it may be for something newer.
 */
export class Retry {
  readonly #options: RetryOptions;
  #attempt = 0;
  #planned: { timer: NodeJS.Timeout; at: number } | undefined;

  constructor(options: RetryOptions) {
    this.#options = options;
  }

  get isPlanned(): boolean {
    return this.#planned !== undefined;
  }

  /** Plans the next attempt, after a longer wait than before the last one. */
  later(): void {
    const { waits = backoff } = this.#options;
    this.soon(waits(this.#attempt));
    this.#attempt += 1;
  }

  /** Plans an attempt after this time, in place of the planned one. */
  soon(waitMs: number): void {
    this.cancel();
    const timer = setTimeout(() => void this.now(), waitMs);
    this.#planned = { timer, at: performance.now() + waitMs };
  }

  /** Plans an attempt after this time, unless the planned one comes before. */
  sooner(waitMs: number): void {
    if (this.#planned === undefined || this.#planned.at > performance.now() + waitMs) this.soon(waitMs);
  }

  /** Does the work now, in place of the planned attempt. */
  async now(): Promise<void> {
    this.cancel();
    const { attempt, onFailure } = this.#options;
    try {
      await attempt();
    } catch (error) {
      onFailure?.(error);
      this.later();
    }
  }

  /** Lets the waits grow anew from the first one. */
  reset(): void {
    this.#attempt = 0;
  }

  cancel(): void {
    clearTimeout(this.#planned?.timer);
    this.#planned = undefined;
  }

  /** Cancels the planned attempt and resets the waits. */
  stop(): void {
    this.cancel();
    this.reset();
  }
}
