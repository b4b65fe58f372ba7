/** Shortest interval between two log lines about the same failure. */
const LOG_EVERY_MS = 60 * 60 * 1_000;
/** Most reasons that are distinguished; far more than one fault has. */
const REASONS_MAX = 16;

/** State of a reason in the log. */
interface Logged {
  /** Monotonic milliseconds. */
  at: number;
  /** Number of failures since the last log line. */
  unlogged: number;
}

/**
 * Limits the log lines of work that is retried and keeps failing. Each reason is logged when it first comes, and then
 * once an hour: a line for each attempt of each account would fill the log.
 */
export class OngoingFailure {
  readonly #logged = new Map<string, Logged>();

  /** @param log writes to the log; `count` is the number of failures since the last log line */
  failed(reason: string, log: (count: number) => void): void {
    const now = performance.now();
    const logged = this.#logged.get(reason);
    const count = (logged?.unlogged ?? 0) + 1;
    if (logged !== undefined && now - logged.at < LOG_EVERY_MS) {
      logged.unlogged = count;
      return;
    }
    if (logged === undefined && this.#logged.size >= REASONS_MAX) this.#logged.clear();
    this.#logged.set(reason, { at: now, unlogged: 0 });
    log(count);
  }

  /** Resets after a success: the next failure is logged at once. */
  succeeded(): void {
    this.#logged.clear();
  }
}
