/** Longest duration of a call below a mount; after it the mount counts as hanging. */
export const CALL_DEADLINE_MS = 2_000;

/** Threads that calls below mounts of any kind leave to the local file systems of a report. */
const KEPT_THREADS = 1;

/**
 * Counts the calls to mounts that hold threads of Node's pool, at most one at a time for each mount. A call that does
 * not return holds its thread until it does, so `MountProbe` and `MountGuard` share one count. The agent has no other
 * use for these threads.
 */
export class MountThreads {
  readonly #size: number;
  readonly #now: () => number;
  /** When each call started, by mount point; each byte of it is one character. */
  readonly #calls = new Map<string, number>();
  readonly #waiting = new Set<() => void>();

  /** @param size of Node's thread pool @param now milliseconds of a clock that never steps back */
  constructor(size: number, now: () => number) {
    this.#size = size;
    this.#now = now;
  }

  get size(): number {
    return this.#size;
  }

  /** Calls that have not returned: then the process cannot end in the usual way, which joins the threads. */
  get taken(): number {
    return this.#calls.size;
  }

  /** Whether a call that may hang still leaves a thread to local file systems. */
  get mayLeaveOne(): boolean {
    return this.taken < Math.max(1, this.#size - KEPT_THREADS);
  }

  has(mount: string): boolean {
    return this.#calls.has(mount);
  }

  isHanging(mount: string): boolean {
    const startedMs = this.#calls.get(mount);
    return startedMs !== undefined && this.#leftMs(startedMs) === 0;
  }

  /** Makes a call below a mount that has no other. */
  async run<T>(mount: string, call: () => Promise<T>): Promise<T> {
    this.#calls.set(mount, this.#now());
    try {
      return await call();
    } finally {
      this.#calls.delete(mount);
      for (const resolve of this.#waiting) resolve();
    }
  }

  /** Resolves when a call has returned, or hangs now. @returns false at once when all calls hang: waiting is of no use */
  async waitForChange(): Promise<boolean> {
    const left = [...this.#calls.values()].map((startedMs) => this.#leftMs(startedMs)).filter((ms) => ms > 0);
    if (left.length === 0) return false;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.min(...left));
    this.#waiting.add(resolve);
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
    return true;
  }

  #leftMs(startedMs: number): number {
    return Math.max(0, startedMs + CALL_DEADLINE_MS - this.#now());
  }
}
