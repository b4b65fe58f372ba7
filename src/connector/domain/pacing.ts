import { BOUNCER_BURST_LINES, CONNECT_LINES, SEND_BURST_LINES, SEND_INTERVAL_MS } from './limits.ts';

/**
 * Token bucket of one account's lines: a burst, then one line per interval. It keeps the account below the flood limits
 * of the IRC server and of the bouncer. Times are monotonic milliseconds.
 */
export class Pacing {
  /** Negative while the bouncer delays lines, because more were sent than its burst allows. */
  #tokens = SEND_BURST_LINES;
  #filledAt: number;

  constructor(now: number) {
    this.#filledAt = now;
  }

  /** Takes a token and returns 0, or returns the milliseconds until there is one. */
  take(now: number): number {
    const waitMs = this.turnOf(1, now);
    if (waitMs === 0) this.#tokens -= 1;
    return waitMs;
  }

  /** Milliseconds until this many tokens have become available. */
  turnOf(count: number, now: number): number {
    this.#fill(now);
    return count <= this.#tokens ? 0 : this.#filledAt + (count - this.#tokens) * SEND_INTERVAL_MS - now;
  }

  /**
   * Returns the time from which on each further line earns its token: the whole state of the bucket in one number, for
   * `turnAfter`.
   */
  emptyAt(now: number): number {
    this.#fill(now);
    return this.#filledAt - this.#tokens * SEND_INTERVAL_MS;
  }

  /** Counts a line that was sent without waiting for a token. */
  spend(now: number): void {
    this.#fill(now);
    this.#tokens -= 1;
  }

  /** Resets the bucket after the bouncer has connected to the server and joined this many channels. */
  connected(channelCount: number, now: number): void {
    this.#tokens = Math.min(SEND_BURST_LINES, BOUNCER_BURST_LINES - CONNECT_LINES - channelCount);
    this.#filledAt = now;
  }

  /** Counts lines that were sent shortly before this bucket was created. */
  recall(lineCount: number, now: number): void {
    this.#fill(now);
    this.#tokens = Math.min(this.#tokens, BOUNCER_BURST_LINES - lineCount);
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

/**
 * Returns the milliseconds until this many lines can be written on an account whose bucket was empty at that time, like
 * `Pacing.turnOf`. All times are of one clock.
 */
export function turnAfter(emptyAt: number, lineCount: number, now: number): number {
  if (lineCount === 0) return 0;
  const fullSince = now - SEND_BURST_LINES * SEND_INTERVAL_MS;
  return Math.max(0, Math.max(emptyAt, fullSince) + lineCount * SEND_INTERVAL_MS - now);
}
