import { SlidingWindow } from '../domain/sliding-window.ts';

/** Most keys counted at once; one more drops the one that was used longest ago. */
const KEYS_MAX = 10_000;

/**
 * Limits the rate for each host, or each account, with one sliding window per key; the verification of callbacks relies
 * on it. Times are monotonic milliseconds.
 */
export class WindowsByKey {
  readonly #max: number | (() => number);
  readonly #windowMs: number;
  /** Key → its window, the last used one last. */
  readonly #windows = new Map<string, SlidingWindow>();

  /** @param max of each key; at least one */
  constructor(max: number | (() => number), windowMs: number) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  /** Counts one and returns 0, or returns the milliseconds until one more is allowed. */
  take(key: string, now: number): number {
    const window = this.#windows.get(key) ?? new SlidingWindow(this.#max, this.#windowMs);
    this.#windows.delete(key);
    this.#windows.set(key, window);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > KEYS_MAX && oldest !== undefined) this.#windows.delete(oldest);
    return window.take(now);
  }
}
