/** Interval between two lines if the output is not a terminal. */
const LINE_INTERVAL_MS = 60_000;
/** Width of a terminal that does not say it. */
const DEFAULT_COLUMNS = 80;
/** Returns the cursor to the beginning of the line, and erases the line. */
const ERASE_LINE = '\r\u001b[K';

/** A stream for progress. */
export interface ProgressOutput {
  isTTY?: boolean;
  /** 0 for a terminal whose width was never set, as over `ssh -tt` from a program. */
  columns?: number;
  write(text: string): unknown;
}

/** Draws progress: on a terminal always in the same line, elsewhere in a new line each time. */
export class ProgressLine {
  readonly isTerminal: boolean;
  /** Shortest interval between two drawings. */
  readonly intervalMs: number;
  readonly #output: ProgressOutput;
  #isShown = false;

  /** @param redrawMs the interval on a terminal; elsewhere it is a minute */
  constructor(output: ProgressOutput, redrawMs: number) {
    this.#output = output;
    this.isTerminal = output.isTTY === true;
    this.intervalMs = this.isTerminal ? redrawMs : LINE_INTERVAL_MS;
  }

  show(words: string): void {
    // One column stays free: in the last one some terminals break the line.
    const fitting = words.slice(0, (this.#output.columns || DEFAULT_COLUMNS) - 1);
    this.#output.write(this.isTerminal ? `${ERASE_LINE}${fitting}` : `${words}\n`);
    this.#isShown = this.isTerminal;
  }

  /** Erases the progress, so that the next line of the output stands there. */
  erase(): void {
    if (this.#isShown) this.#output.write(ERASE_LINE);
    this.#isShown = false;
  }
}
