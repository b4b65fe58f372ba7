import { SlidingWindow } from '../domain/sliding-window.ts';

/** Keys remembered at once; for a further one the one named longest ago is forgotten. */
const KEYS_MAX = 10_000;

/** How often something may happen to each host, or by each account. Times are monotonic milliseconds. */
export class WindowsByKey {
  readonly #max: number;
  readonly #windowMs: number;
  /** The key that was named last is the last one. */
  readonly #windows = new Map<string, SlidingWindow>();

  constructor(max: number, windowMs: number) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  /** Counts one and returns 0, or returns the milliseconds until there may be another. */
  take(key: string, now: number): number {
    const window = this.#windows.get(key) ?? new SlidingWindow(this.#max, this.#windowMs);
    this.#windows.delete(key);
    this.#windows.set(key, window);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > KEYS_MAX && oldest !== undefined) this.#windows.delete(oldest);
    return window.take(now);
  }
}
