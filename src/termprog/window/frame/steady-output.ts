/** Time between frames while little output comes steadily: most screens show sixty a second. */
export const STEADY_FRAME_MS = 16;

/** Output is steady after as many turns in a row whose output came so soon after the turn before. */
const TURNS_MIN = 4;
const SOON_MS = 14;

/**
 * After so many turns output counts as steady no longer, until it shows that again: while reads rest, nobody knows when
 * output comes.
 */
const TURNS_MAX = 64;

/** Most output of a turn, in bytes. The kernel keeps 4 KiB for the next read, so the child does not wait. */
const LITTLE_BYTES = 2_048;

/** The reads of the child's output. */
export interface OutputReads {
  /** Reads nothing until `resume`, except by `catchUp`. */
  pause(): void;
  /** Reads what is there now. */
  catchUp(): void;
  resume(): void;
}

/**
 * Recognizes a child that writes a little all the time, such as a log or a counter. Its output is read once a turn; in
 * between the terminal need not wake up. A turn ends with a frame, or, while none can be painted, with the end of reads.
 */
export class SteadyOutput {
  #reads: OutputReads | undefined;
  /** Bytes of this turn, and when the first of them came. */
  #bytes = 0;
  #sinceMs = Number.POSITIVE_INFINITY;
  #turns = 0;
  /** End of the last turn. */
  #turnMs = Number.NEGATIVE_INFINITY;
  #isResting = false;
  #goesOn = false;
  #isReadingOnce = false;

  govern(reads: OutputReads): void {
    this.#reads = reads;
  }

  get isSteady(): boolean {
    return this.#turns >= TURNS_MIN;
  }

  /** Whether output is read only before the next frame. */
  get isResting(): boolean {
    return this.#isResting;
  }

  /** Whether output came in this turn. */
  get hasOutput(): boolean {
    return this.#bytes > 0;
  }

  /** Earliest start of the next frame, in the time of `endTurn`. */
  get dueMs(): number {
    return this.isSteady ? this.#turnMs + STEADY_FRAME_MS : Number.NEGATIVE_INFINITY;
  }

  /** Output came. */
  take(bytes: number, nowMs: number): void {
    this.#bytes += bytes;
    this.#sinceMs = Math.min(this.#sinceMs, nowMs);
  }

  /** A frame begins, or would begin if it could be painted. */
  endTurn(nowMs: number): void {
    // A frame without output is one that was requested, which calls `interrupt`.
    const isLittle = this.#bytes > 0 && this.#bytes <= LITTLE_BYTES;
    const isSoon = this.#isReadingOnce || this.#sinceMs - this.#turnMs < SOON_MS;
    this.#turns = isLittle && isSoon && this.#turns < TURNS_MAX ? this.#turns + 1 : 0;
    this.#beginTurn();
    this.#turnMs = nowMs;
  }

  /** Output matters at once, or changes its pace: it is read as it comes until it has been steady again. */
  interrupt(): void {
    this.#turns = 0;
    this.#beginTurn();
    if (this.#isResting) this.#resume();
  }

  /** Stops reading until `readOnce`. */
  rest(): void {
    if (!this.#isResting) this.#reads?.pause();
    this.#isResting = this.#reads !== undefined;
    this.#goesOn = true;
  }

  /** Output is read as it comes; if `readOnce` is at work, after its end. */
  endRest(): void {
    this.#goesOn = false;
    if (this.#isResting && !this.#isReadingOnce) this.#resume();
  }

  /** Reads the output that came during the rest. The rest goes on if that ends a turn, after which `rest` is called. */
  readOnce(): void {
    this.#goesOn = false;
    this.#isReadingOnce = true;
    this.#reads?.catchUp();
    this.#isReadingOnce = false;
    if (this.#isResting && !this.#goesOn) this.#resume();
  }

  #beginTurn(): void {
    this.#bytes = 0;
    this.#sinceMs = Number.POSITIVE_INFINITY;
  }

  #resume(): void {
    this.#isResting = false;
    this.#reads?.resume();
  }
}
