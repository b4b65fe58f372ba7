/** Allows at most a number of acceptances in any period of `windowMs`. Times are monotonic milliseconds. */
export class SlidingWindow {
  readonly #max: number;
  readonly #windowMs: number;
  #accepted: number[] = [];

  constructor(max: number, windowMs: number) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  /** Takes a place and returns 0, or returns the milliseconds until one is free. */
  take(now: number): number {
    this.#accepted = this.#accepted.filter((at) => now - at < this.#windowMs);
    const [oldest] = this.#accepted;
    if (oldest !== undefined && this.#accepted.length >= this.#max) return oldest + this.#windowMs - now;
    this.#accepted.push(now);
    return 0;
  }

  /** Frees the place that was taken at that time: it was not used. */
  giveBack(takenAt: number): void {
    const index = this.#accepted.indexOf(takenAt);
    if (index !== -1) this.#accepted.splice(index, 1);
  }
}
