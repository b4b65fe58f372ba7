/** How often the log is told of something that goes on. */
const TELL_EVERY_MS = 60 * 60 * 1_000;
/** Reasons that are told apart; far more than one fault has. */
const REASONS_MAX = 16;

/** A reason in the log. */
interface Told {
  /** Monotonic milliseconds. */
  at: number;
  /** How often it came since. */
  untold: number;
}

/**
 * What is tried again and again, and fails. The log is told of each reason when it first comes, and while that goes on once
 * an hour: a line for each attempt of each account would fill it.
 */
export class OngoingFailure {
  readonly #told = new Map<string, Told>();

  /** @param tell writes to the log; `count` is how often the reason has come since it was told last */
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

  /** It goes well: the next failure is news. */
  succeeded(): void {
    this.#told.clear();
  }
}
