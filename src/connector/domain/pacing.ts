import { SEND_BURST_LINES, SEND_INTERVAL_MS } from './limits.ts';

/** Token bucket of one account's lines: a burst, then one line per interval. Times are monotonic milliseconds. */
export class Pacing {
  #tokens = SEND_BURST_LINES;
  #filledAt: number;

  constructor(now: number) {
    this.#filledAt = now;
  }

  /** Takes a token and returns 0, or returns the milliseconds until there is one. */
  take(now: number): number {
    this.#fill(now);
    if (this.#tokens > 0) {
      this.#tokens -= 1;
      return 0;
    }
    return this.#filledAt + SEND_INTERVAL_MS - now;
  }

  #fill(now: number): void {
    const earned = Math.floor((now - this.#filledAt) / SEND_INTERVAL_MS);
    if (this.#tokens + earned >= SEND_BURST_LINES) {
      this.#tokens = SEND_BURST_LINES;
      this.#filledAt = now;
      return;
    }
    this.#tokens += earned;
    this.#filledAt += earned * SEND_INTERVAL_MS;
  }
}
