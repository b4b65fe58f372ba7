/**
 * Longest wait for the first output after a size. A shell takes a few milliseconds, one on a distant machine far more.
 */
const ANSWER_MAX_MS = 500;

/** Silence after which the answer is complete: some shells write it in several pieces. */
const PIECES_MS = 8;

export interface ResizePaceParts {
  nowMs(): number;
  /** The next size may be sent. */
  resume(): void;
}

/**
 * Spaces out sizes for a program that redraws its lines after each of them. It draws for the last size that it received
 * and finds its first row by counting the rows of that size. If its text is drawn for one size and shown in the next
 * one, the count is wrong and lines of output are overwritten. Therefore the next size waits until the answer to the
 * last one has come, or until its deadline passes. ours: decision 180
 */
export class ResizePace {
  readonly #parts: ResizePaceParts;
  #timer: NodeJS.Timeout | undefined;
  #deadlineMs = 0;

  constructor(parts: ResizePaceParts) {
    this.#parts = parts;
  }

  /** Whether the answer to the last size may still come. */
  get isAwaiting(): boolean {
    return this.#timer !== undefined;
  }

  /** A program that edits lines was sent a size. */
  takeSize(): void {
    this.#deadlineMs = this.#parts.nowMs() + ANSWER_MAX_MS;
    this.#wake(ANSWER_MAX_MS);
  }

  /** The program has written something. */
  takeOutput(): void {
    if (!this.isAwaiting) return;
    this.#wake(Math.min(PIECES_MS, Math.max(0, this.#deadlineMs - this.#parts.nowMs())));
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wake(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#parts.resume();
    }, ms);
  }
}
