/**
 * Allows at most a number of acceptances in any period of `windowMs`. Posts, login attempts, callbacks and requests to
 * the bouncer are limited by it. Times are monotonic milliseconds.
 */
export class SlidingWindow {
  readonly #max: () => number;
  readonly #windowMs: number;
  #accepted: number[] = [];

  /** @param max a function if the number may change; it is at least one */
  constructor(max: number | (() => number), windowMs: number) {
    this.#max = typeof max === 'number' ? () => max : max;
    this.#windowMs = windowMs;
  }

  /** Takes a place and returns 0, or returns the milliseconds until one is free. */
  take(now: number): number {
    this.#accepted = this.#accepted.filter((at) => now - at < this.#windowMs);
    // The place that one more needs; an earlier one than that may be over the number, if it has become smaller.
    const before = this.#accepted.at(-this.#max());
    if (before !== undefined) return before + this.#windowMs - now;
    this.#accepted.push(now);
    return 0;
  }

  /** Frees the place that was taken at that time and not used. */
  giveBack(takenAt: number): void {
    const index = this.#accepted.indexOf(takenAt);
    if (index !== -1) this.#accepted.splice(index, 1);
  }
}
