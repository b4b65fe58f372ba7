import { type OutputReads, STEADY_FRAME_MS, SteadyOutput } from './steady-output.ts';

/** Shortest and longest time between two quick frames; the longest applies while output takes most of the time. */
const FRAME_MIN_MS = 8;
const FRAME_MAX_MS = 33;

/** Largest share of time for painting. */
const PAINTING_SHARE = 0.3;

/**
 * Largest share while more output is about to be read, and the longest time between two frames then. Nobody can read a
 * flood, so its end matters more than its frames: those of large windows, and the first ones, take long.
 */
const FLOOD_PAINTING_SHARE = 0.15;
const FLOOD_FRAME_MAX_MS = 100;

/** Above this share of time for parsing, text moves too fast to be read. */
const LOADED_SHARE = 0.5;

/** The longest time for which an application may hold back frames by synchronized output (mode 2026). */
const SYNCHRONIZED_MAX_MS = 150;

/** Time after a key during which its echo is awaited: frames come as fast as painting permits, at any load. */
const ECHO_AWAITED_MS = 100;

export interface FrameParts {
  paint(): void;
  /** Whether a frame would be noticed; if not, it waits for the next request. */
  isOfUse(): boolean;
  /** The application is in the middle of a change of the screen. */
  isHeldBack(): boolean;
  /** The application has held frames back for too long: switches its mode off. */
  endHolding(): void;
}

/**
 * Decides when a frame is painted. The X server is its clock: the next frame waits until the server has processed the
 * last, so that a slow or stopped server does not get more than it can show. A key's echo is painted in the turn in
 * which it arrives, a burst of output when its reads end, a flood at a rate that leaves time for parsing,
 * steady output as often as screens show it. Without changes, it has no timer and sends no requests.
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
  /** Time between frames, and its minimum by the cost of the last frame. */
  #intervalMs = FRAME_MIN_MS;
  #leastIntervalMs = FRAME_MIN_MS;
  /** Time between frames while more output is about to be read. */
  #floodIntervalMs = FRAME_MAX_MS;
  #echoUntilMs = Number.NEGATIVE_INFINITY;
  #notBeforeMs = Number.NEGATIVE_INFINITY;
  #parsingMs = 0;
  readonly #steady = new SteadyOutput();
  /** A turn of steady output has ended without a frame: the next frame shows its output. */
  #isReadAhead = false;
  /** Earliest end of the next such turn. */
  #turnDueMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #timerDueMs = Number.POSITIVE_INFINITY;

  /** @param fence calls back when the server has processed all earlier requests; never, if the server does not */
  constructor({ fence, nowMs }: { fence: (done: () => void) => void; nowMs: () => number }) {
    this.#fence = fence;
    this.#nowMs = nowMs;
  }

  /** Sets the parts of a frame. Earlier requests are dropped: mapping the window requests everything. */
  drive(parts: FrameParts): void {
    this.#parts = parts;
    this.#wantedSinceMs = undefined;
  }

  /** Sets what reads the output, so that it rests between the frames of steady output. */
  governReads(reads: OutputReads): void {
    this.#steady.govern(reads);
  }

  /** The screen changed; requests a frame, which may be painted at once. */
  request(): void {
    // The user may be at work. Changes by the output itself are as steady as the output.
    if (!this.#isParsing) this.#steady.interrupt();
    this.#want(this.#nowMs());
    this.#consider();
  }

  /** Runs the parsing of output, which returns its number of bytes. Painting is deferred until `readsEnded` follows. */
  duringOutput(parse: () => number): void {
    const startMs = this.#nowMs();
    // The cost of a frame of the empty screen must not delay the prompt.
    if (!this.#hasOutput) this.#lastMs = Number.NEGATIVE_INFINITY;
    this.#hasOutput = true;
    this.#isParsing = true;
    try {
      this.#steady.take(parse(), startMs);
    } finally {
      this.#isParsing = false;
    }
    this.#parsingMs += this.#nowMs() - startMs;
    this.#want(startMs);
  }

  /**
   * The application has ended a change for which it held frames back. It may begin the next one at once, so that a
   * check at the end of each read would find one in progress: a frame that is due is painted here.
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
    if (this.#wantedSinceMs !== undefined && !this.#canPaint) this.#endTurnWithoutFrame();
  }

  /** The application got something to which it may answer at once. */
  expectAnswer(): void {
    this.#steady.interrupt();
  }

  /** A key was sent, and its user waits for the echo. */
  awaitEcho(): void {
    this.#steady.interrupt();
    this.#echoUntilMs = this.#nowMs() + ECHO_AWAITED_MS;
  }

  /** The last frame failed: the next one comes after this time at the earliest, and only on request. */
  backOff(ms: number): void {
    this.#notBeforeMs = this.#nowMs() + ms;
  }

  /** Paints a pending frame without waiting for the server, and ends the frames. */
  finish(): void {
    if (this.#wantedSinceMs !== undefined && !this.#isStopped) this.#paint();
    this.stop();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#steady.interrupt();
  }

  #want(nowMs: number): void {
    this.#wantedSinceMs ??= nowMs;
  }

  /** Whether a frame would be noticed, and the server has processed the one before. */
  get #canPaint(): boolean {
    return !this.#isUnanswered && this.#parts?.isOfUse() === true;
  }

  #consider(): void {
    if (this.#wantedSinceMs === undefined || this.#isParsing || this.#isStopped || !this.#canPaint) return;
    const nowMs = this.#nowMs();
    const dueMs = this.#dueMs(nowMs, this.#wantedSinceMs);
    if (dueMs <= nowMs) this.#paint();
    else this.#wake(dueMs, nowMs);
  }

  #dueMs(nowMs: number, wantedSinceMs: number): number {
    const isEchoAwaited = nowMs < this.#echoUntilMs;
    const intervalMs = isEchoAwaited ? this.#leastIntervalMs : this.#intervalMs;
    let dueMs = Math.max(this.#lastMs + intervalMs, this.#notBeforeMs);
    if (!isEchoAwaited) dueMs = Math.max(dueMs, this.#steady.dueMs);
    if (this.#hasMore && !isEchoAwaited) {
      dueMs = Math.max(dueMs, this.#lastMs + this.#floodIntervalMs, wantedSinceMs + FRAME_MAX_MS);
    }
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
        if (this.#steady.isResting) this.#steady.readOnce();
        this.#consider();
      },
      Math.max(0, Math.ceil(dueMs - nowMs)),
    );
  }

  #paint(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const startMs = this.#nowMs();
    const isLoaded = this.#hasMore || this.#parsingMs > LOADED_SHARE * (startMs - this.#lastMs);
    if (this.#heldSinceMs !== undefined && this.#parts?.isHeldBack() === true) this.#parts.endHolding();
    if (startMs < this.#echoUntilMs) this.#steady.interrupt();
    else if (!this.#isParsing && (this.#steady.hasOutput || !this.#isReadAhead)) this.#steady.endTurn(startMs);
    this.#isReadAhead = false;
    this.#wantedSinceMs = undefined;
    this.#heldSinceMs = undefined;
    this.#parsingMs = 0;
    this.#isUnanswered = true;
    try {
      this.#parts?.paint();
    } finally {
      this.#lastMs = this.#nowMs();
      const costMs = this.#lastMs - startMs;
      this.#leastIntervalMs = between(FRAME_MIN_MS, costMs / PAINTING_SHARE, FRAME_MAX_MS);
      this.#intervalMs = isLoaded ? Math.min(2 * this.#intervalMs, FRAME_MAX_MS) : this.#leastIntervalMs;
      this.#floodIntervalMs = between(FRAME_MAX_MS, costMs / FLOOD_PAINTING_SHARE, FLOOD_FRAME_MAX_MS);
      // A failed frame needs the fence too: without its answer no further frame would be painted.
      this.#fence(() => {
        this.#isUnanswered = false;
        this.#consider();
      });
      // In the middle of output its reads go on, and their end decides.
      if (!this.#isParsing) this.#restIfSteady(this.#lastMs);
    }
  }

  /** A hidden window and a slow server get no frames now, and need the terminal awake no more often than others. */
  #endTurnWithoutFrame(): void {
    const nowMs = this.#nowMs();
    const dueMs = Math.max(this.#turnDueMs, this.#lastMs + STEADY_FRAME_MS, this.#echoUntilMs);
    if (nowMs < dueMs) {
      // A frame in the middle of this output, of a title for instance, has cleared the timer that would end a rest.
      this.#steady.endRest();
      return;
    }
    this.#turnDueMs = nowMs + FRAME_MIN_MS;
    this.#isReadAhead = true;
    this.#steady.endTurn(nowMs);
    this.#restIfSteady(nowMs);
  }

  /** Lets the reads rest until the next frame. The next one comes a moment later than it may, and so needs no second wait. */
  #restIfSteady(nowMs: number): void {
    if (!this.#steady.isSteady || this.#hasMore || this.#isStopped) this.#steady.endRest();
    else {
      this.#steady.rest();
      this.#wake(this.#steady.dueMs + 1, nowMs);
    }
  }
}

function between(least: number, value: number, most: number): number {
  return Math.min(Math.max(least, value), most);
}
