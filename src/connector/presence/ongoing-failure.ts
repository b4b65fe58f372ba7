/** Shortest interval between two log lines about the same failure. */
const TELL_EVERY_MS = 60 * 60 * 1_000;
/** Most reasons that are distinguished; far more than one fault has. */
const REASONS_MAX = 16;

/** State of a reason in the log. */
interface Told {
  /** Monotonic milliseconds. */
  at: number;
  /** Number of failures since the last log line. */
  untold: number;
}

/**
 * Limits the log lines of work that is retried and keeps failing. Each reason is logged when it first comes, and then
 * once an hour: a line for each attempt of each account would fill the log.
 */
export class OngoingFailure {
  readonly #told = new Map<string, Told>();

  /** @param tell writes to the log; `count` is the number of failures since the last log line */
  failed(reason: string, tell: (count: number) => void): void {
    const now = performance.now();
    const told = this.#told.get(reason);
    const count = (told?.untold ?? 0) + 1;
    if (told !== undefined && now - told.at < TELL_EVERY_MS) {
      told.untold = count;
      return;
    }
    if (told === undefined && this.#told.size >= REASONS_MAX) this.#told.clear();
    this.#told.set(reason, { at: now, untold: 0 });
    tell(count);
  }

  /** Resets after a success: the next failure is logged at once. */
  succeeded(): void {
    this.#told.clear();
  }
}
