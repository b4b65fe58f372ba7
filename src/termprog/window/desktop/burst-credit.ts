/** Rate limit with a burst: `most` events at once, then one more per interval. */
export class BurstCredit {
  readonly #most: number;
  readonly #intervalMs: number;
  readonly #nowMs: () => number;
  #left: number;
  #countedMs: number;

  constructor({ most, intervalMs, nowMs }: { most: number; intervalMs: number; nowMs(): number }) {
    this.#most = most;
    this.#intervalMs = intervalMs;
    this.#nowMs = () => nowMs();
    this.#left = most;
    this.#countedMs = nowMs();
  }

  /** Whether an event is permitted now; if so, it is counted. */
  take(): boolean {
    const earned = Math.floor((this.#nowMs() - this.#countedMs) / this.#intervalMs);
    if (earned > 0) {
      this.#left = Math.min(this.#most, this.#left + earned);
      this.#countedMs += earned * this.#intervalMs;
    }
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }

  /** Restores the full burst. */
  refill(): void {
    this.#left = this.#most;
  }
}
