/** What may happen so often at once, and then once in an interval. */
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

  /** Whether it may happen now; it then counts. */
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

  /** As at the beginning. */
  refill(): void {
    this.#left = this.#most;
  }
}
