import { SlidingWindow } from '../domain/sliding-window.ts';

/** Hosts remembered at once; whoever names more of them forgets the ones named longest ago. */
const HOSTS_MAX = 10_000;

/** How often each host may be called. Times are monotonic milliseconds. */
export class HostWindows {
  readonly #max: number;
  readonly #windowMs: number;
  /** The host that was named last is the last one. */
  readonly #windows = new Map<string, SlidingWindow>();

  constructor(max: number, windowMs: number) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  /** Counts a call and returns 0, or returns the milliseconds until the host may be called again. */
  take(host: string, now: number): number {
    const window = this.#windows.get(host) ?? new SlidingWindow(this.#max, this.#windowMs);
    this.#windows.delete(host);
    this.#windows.set(host, window);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > HOSTS_MAX && oldest !== undefined) this.#windows.delete(oldest);
    return window.take(now);
  }
}
