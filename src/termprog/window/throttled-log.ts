/** Shortest time between two lines. */
const INTERVAL_MS = 1_000;

/**
 * Logs events that may be very frequent, such as X errors: at most one line per second, with the number of skipped
 * lines.
 */
export class ThrottledLog {
  readonly #write: (line: string) => void;
  readonly #nowMs: () => number;
  #lastMs = Number.NEGATIVE_INFINITY;
  #suppressed = 0;

  constructor({ write, nowMs }: { write(line: string): void; nowMs(): number }) {
    this.#write = (line) => write(line);
    this.#nowMs = () => nowMs();
  }

  log(message: string): void {
    const nowMs = this.#nowMs();
    if (nowMs - this.#lastMs < INTERVAL_MS) {
      this.#suppressed += 1;
      return;
    }
    this.#write(this.#suppressed === 0 ? message : `${message} (${this.#suppressed} more since the last such line)`);
    this.#lastMs = nowMs;
    this.#suppressed = 0;
  }
}
