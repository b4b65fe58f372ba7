/** Time between two steps. */
const STEP_MS = 60;

/** Each step scrolls one line more per this distance of the pointer from the text, in cells. */
const CELLS_PER_LINE = 2;

/** Most lines of one step. */
const LINES_MAX = 20;

export interface EdgeScrollingParts {
  /** Shows older lines, or newer ones if negative; returns false at the end. */
  scrollBy(lines: number): boolean;
  /** Whether a button is still held; another program may have grabbed the pointer. */
  isHeld(): Promise<boolean>;
  /** The view has moved under the pointer. */
  moved(): void;
  /** No button is held any more. */
  released(): void;
}

/** Scrolls while the pointer is held above or below the text, faster with its distance. */
export class EdgeScrolling {
  readonly #parts: EdgeScrollingParts;
  #timer: NodeJS.Timeout | undefined;
  #lines = 0;

  constructor(parts: EdgeScrollingParts) {
    this.#parts = parts;
  }

  /** @param cells rows between the pointer and the text; positive above it, negative below it, 0 inside */
  pointAt(cells: number): void {
    this.#lines = Math.sign(cells) * Math.min(LINES_MAX, Math.ceil(Math.abs(cells) / CELLS_PER_LINE));
    if (this.#lines === 0) this.stop();
    else this.#timer ??= setTimeout(() => this.#step(), STEP_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lines = 0;
  }

  #step(): void {
    this.#ask().catch(() => {
      // The connection has ended.
      this.stop();
    });
  }

  async #ask(): Promise<void> {
    const timer = this.#timer;
    const isHeld = await this.#parts.isHeld();
    // The scrolling may have stopped meanwhile.
    if (this.#timer === undefined || this.#timer !== timer) return;
    this.#timer = undefined;
    if (!isHeld) {
      this.stop();
      this.#parts.released();
    } else if (this.#parts.scrollBy(this.#lines)) {
      this.#timer = setTimeout(() => this.#step(), STEP_MS);
      this.#parts.moved();
    }
  }
}
