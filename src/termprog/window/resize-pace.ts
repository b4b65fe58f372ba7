/** How long the program may take to begin its answer to a size. A shell takes a few milliseconds, one on a distant machine far more. */
const ANSWER_MAX_MS = 500;

/** An answer is over when nothing came for so long: some shells write it in several pieces. */
const PIECES_MS = 8;

export interface ResizePaceParts {
  nowMs(): number;
  /** The next size may be told. */
  resume(): void;
}

/**
 * Keeps sizes apart for a program that draws its lines again after each of them. It draws for the size that it was told
 * last, and goes to its first row by counting the rows that this size gave. Text that is drawn for one size and shown in
 * the next one has other rows: lines of output are overwritten then. So the next size waits until the answer to the last
 * one has come, or until it is clear that none comes. ours: decisions/0180
 */
export class ResizePace {
  readonly #parts: ResizePaceParts;
  #timer: NodeJS.Timeout | undefined;
  #deadlineMs = 0;

  constructor(parts: ResizePaceParts) {
    this.#parts = parts;
  }

  /** The answer to the last size may still come. */
  get isAwaiting(): boolean {
    return this.#timer !== undefined;
  }

  /** A program that edits lines was told a size. */
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
