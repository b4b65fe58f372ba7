/** Shortest and longest time between two frames; the longest while output takes most of the time. */
const FRAME_MIN_MS = 8;
const FRAME_MAX_MS = 33;

/** Most of the time that may go into painting under load. */
const PAINTING_SHARE = 0.3;

/** Above this share of time for parsing, nobody can read along. */
const LOADED_SHARE = 0.5;

/** How long an application may hold back frames by synchronized output (mode 2026). */
const SYNCHRONIZED_MAX_MS = 150;

/** How long after a key its echo is awaited: frames come as close together as painting lets them, whatever the load. */
const ECHO_AWAITED_MS = 100;

export interface FrameParts {
  paint(): void;
  /** Whether anybody can see a frame; if not, the frame waits for the next request. */
  isOfUse(): boolean;
  /** The application is in the middle of a change of the screen. */
  isHeldBack(): boolean;
  /** The application has held frames back for too long: ends that until it asks again. */
  endHolding(): void;
}

/**
 * Decides when a frame is painted. Its clock is the X server: no frame before the server has dealt with the last, so
 * that a slow or stopped server is never sent what it can't show. A key's echo is painted in the turn it arrives, a
 * burst of output when its reads end, a flood at a rate that leaves time for parsing it. Without anything to paint there
 * is neither a timer nor a request.
 */
export class FrameClock {
  readonly #fence: (done: () => void) => void;
  readonly #nowMs: () => number;
  #parts: FrameParts | undefined;
  #wantedSinceMs: number | undefined;
  #heldSinceMs: number | undefined;
  #isUnanswered = false;
  #isStopped = false;
  #isParsing = false;
  /** More output is about to be read: the screen may show half of a change. */
  #hasMore = false;
  #lastMs = Number.NEGATIVE_INFINITY;
  #hasOutput = false;
  /** Time between frames, and the shortest time that the cost of the last frame allows. */
  #intervalMs = FRAME_MIN_MS;
  #leastIntervalMs = FRAME_MIN_MS;
  #echoUntilMs = Number.NEGATIVE_INFINITY;
  #notBeforeMs = Number.NEGATIVE_INFINITY;
  #parsingMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerDueMs = Number.POSITIVE_INFINITY;

  /** `fence` calls back when the server has dealt with everything sent before; not at all when it never does. */
  constructor({ fence, nowMs }: { fence(done: () => void): void; nowMs(): number }) {
    this.#fence = (done) => fence(done);
    this.#nowMs = () => nowMs();
  }

  /** Sets the parts of a frame. Earlier requests are forgotten: showing the window requests everything. */
  drive(parts: FrameParts): void {
    this.#parts = parts;
    this.#wantedSinceMs = undefined;
  }

  /** The screen changed, and its picture may follow at once. */
  request(): void {
    this.#want(this.#nowMs());
    this.#consider();
  }

  /** Has output parsed, which changes the screen. Nothing is painted meanwhile: `readsEnded` follows. */
  duringOutput(parse: () => void): void {
    const startMs = this.#nowMs();
    // What a frame of the empty screen took must not delay the prompt.
    if (!this.#hasOutput) this.#lastMs = Number.NEGATIVE_INFINITY;
    this.#hasOutput = true;
    this.#isParsing = true;
    try {
      parse();
    } finally {
      this.#isParsing = false;
    }
    this.#parsingMs += this.#nowMs() - startMs;
    this.#want(startMs);
  }

  /**
   * The application has ended a change of the screen for which it held frames back. It may begin the next one at once, so
   * that every look at the end of a read finds one under way: a frame that is due is painted here.
   */
  changeCompleted(): void {
    this.#heldSinceMs = undefined;
    const nowMs = this.#nowMs();
    const dueMs = Math.max(this.#lastMs + this.#intervalMs, this.#notBeforeMs);
    const isPossible = this.#isParsing && !this.#isUnanswered && !this.#isStopped && this.#parts?.isOfUse() === true;
    if (isPossible && dueMs <= nowMs) this.#paint();
  }

  /** There is no more output to read now, or this turn's share of it is used up. */
  readsEnded({ hasMore }: { hasMore: boolean }): void {
    this.#hasMore = hasMore;
    this.#consider();
  }

  /** A key was sent, and whoever pressed it looks for what it does. */
  awaitEcho(): void {
    this.#echoUntilMs = this.#nowMs() + ECHO_AWAITED_MS;
  }

  /** The last frame failed: the next one comes after this time at the earliest, and only on request. */
  backOff(ms: number): void {
    this.#notBeforeMs = this.#nowMs() + ms;
  }

  /** Paints the rest without waiting for the server, and ends the frames. */
  finish(): void {
    if (this.#wantedSinceMs !== undefined && !this.#isStopped) this.#paint();
    this.stop();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #want(nowMs: number): void {
    this.#wantedSinceMs ??= nowMs;
  }

  #consider(): void {
    if (this.#wantedSinceMs === undefined || this.#isUnanswered || this.#isParsing || this.#isStopped) return;
    if (this.#parts?.isOfUse() !== true) return;
    const nowMs = this.#nowMs();
    const dueMs = this.#dueMs(nowMs, this.#wantedSinceMs);
    if (dueMs <= nowMs) this.#paint();
    else this.#wake(dueMs, nowMs);
  }

  #dueMs(nowMs: number, wantedSinceMs: number): number {
    const isEchoAwaited = nowMs < this.#echoUntilMs;
    const intervalMs = isEchoAwaited ? this.#leastIntervalMs : this.#intervalMs;
    let dueMs = Math.max(this.#lastMs + intervalMs, this.#notBeforeMs);
    if (this.#hasMore && !isEchoAwaited) dueMs = Math.max(dueMs, Math.max(this.#lastMs, wantedSinceMs) + FRAME_MAX_MS);
    if (this.#parts?.isHeldBack() !== true) {
      this.#heldSinceMs = undefined;
      return dueMs;
    }
    this.#heldSinceMs ??= nowMs;
    return Math.max(dueMs, this.#heldSinceMs + SYNCHRONIZED_MAX_MS);
  }

  #wake(dueMs: number, nowMs: number): void {
    if (this.#timer !== undefined && this.#timerDueMs <= dueMs) return;
    clearTimeout(this.#timer);
    this.#timerDueMs = dueMs;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#consider();
      },
      Math.ceil(dueMs - nowMs),
    );
  }

  #paint(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const startMs = this.#nowMs();
    const isLoaded = this.#hasMore || this.#parsingMs > LOADED_SHARE * (startMs - this.#lastMs);
    if (this.#heldSinceMs !== undefined && this.#parts?.isHeldBack() === true) this.#parts.endHolding();
    this.#wantedSinceMs = undefined;
    this.#heldSinceMs = undefined;
    this.#parsingMs = 0;
    this.#isUnanswered = true;
    try {
      this.#parts?.paint();
    } finally {
      this.#lastMs = this.#nowMs();
      const bound = (ms: number): number => Math.min(Math.max(FRAME_MIN_MS, ms), FRAME_MAX_MS);
      this.#leastIntervalMs = bound((this.#lastMs - startMs) / PAINTING_SHARE);
      this.#intervalMs = isLoaded ? bound(2 * this.#intervalMs) : this.#leastIntervalMs;
      // Also after a frame that failed: without an answer there would be no other.
      this.#fence(() => {
        this.#isUnanswered = false;
        this.#consider();
      });
    }
  }
}
