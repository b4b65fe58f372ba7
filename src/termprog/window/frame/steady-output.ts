/** Time between frames while little output comes steadily: most screens show sixty a second. */
export const STEADY_FRAME_MS = 16;

/** Output is steady after as many frames in a row whose output came so soon after the frame before. */
const FRAMES_MIN = 4;
const SOON_MS = 14;

/** After so many frames steadiness is measured anew: while reads rest, the time at which output comes is unknown. */
const FRAMES_MAX = 64;

/** Most output between two frames, in bytes. The kernel keeps 4 KiB for the next read, so the child does not wait. */
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
 * Recognizes a child that writes a little all the time, such as a log or a counter. Its output is read once before each
 * frame; in between the terminal need not wake up.
 */
export class SteadyOutput {
  #reads: OutputReads | undefined;
  /** Bytes since the last frame. */
  #bytes = 0;
  #frames = 0;
  #frameMs = Number.NEGATIVE_INFINITY;
  #isResting = false;
  #goesOn = false;
  #isReadingOnce = false;

  govern(reads: OutputReads): void {
    this.#reads = reads;
  }

  get isSteady(): boolean {
    return this.#frames >= FRAMES_MIN;
  }

  /** Whether output is read only before the next frame. */
  get isResting(): boolean {
    return this.#isResting;
  }

  /** Earliest start of the next frame, in the time of `takeFrame`. */
  get dueMs(): number {
    return this.isSteady ? this.#frameMs + STEADY_FRAME_MS : Number.NEGATIVE_INFINITY;
  }

  take(bytes: number): void {
    this.#bytes += bytes;
  }

  /**
   * A frame begins.
   * @param wantedSinceMs when its output came
   */
  takeFrame(startMs: number, wantedSinceMs: number): void {
    // A frame without output is one that was requested, which calls `interrupt`.
    const isLittle = this.#bytes > 0 && this.#bytes <= LITTLE_BYTES;
    const isSoon = this.#isReadingOnce || wantedSinceMs - this.#frameMs < SOON_MS;
    this.#frames = isLittle && isSoon && this.#frames < FRAMES_MAX ? this.#frames + 1 : 0;
    this.#bytes = 0;
    this.#frameMs = startMs;
  }

  /** Output matters at once, or changes its pace: it is read as it comes until it has been steady again. */
  interrupt(): void {
    this.#frames = 0;
    this.#bytes = 0;
    if (this.#isResting) this.#endRest();
  }

  /** Stops reading until `readOnce`. */
  rest(): void {
    if (!this.#isResting) this.#reads?.pause();
    this.#isResting = this.#reads !== undefined;
    this.#goesOn = true;
  }

  /** Reads the output that came during the rest. The rest goes on if that makes a frame, which calls `rest` again. */
  readOnce(): void {
    this.#goesOn = false;
    this.#isReadingOnce = true;
    this.#reads?.catchUp();
    this.#isReadingOnce = false;
    if (this.#isResting && !this.#goesOn) this.#endRest();
  }

  #endRest(): void {
    this.#isResting = false;
    this.#reads?.resume();
  }
}
