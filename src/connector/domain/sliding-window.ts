/** At most so many acceptances in any stretch of `windowMs`. Times are monotonic milliseconds. */
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

  /** Gives back the place taken at that time, because nothing came of it. */
  giveBack(takenAt: number): void {
    const index = this.#accepted.indexOf(takenAt);
    if (index !== -1) this.#accepted.splice(index, 1);
  }
}
