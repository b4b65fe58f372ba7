/** Output of this size is painted at once when nothing else is under way. */
const AT_ONCE_MAX_BYTES = 4_096;

/** Shortest and longest time between two frames under load. */
const FRAME_MIN_MS = 8;
const FRAME_MAX_MS = 33;

/** Most of the time that may go into painting under load. */
const PAINTING_SHARE = 0.3;

/** How long an application may hold back frames by synchronized output (mode 2026). */
const SYNCHRONIZED_MAX_MS = 150;

/** Decides when to paint: a key's echo in the same turn, a flood at a rate that leaves time for parsing it. */
export class FrameScheduler {
  readonly #paint: () => void;
  readonly #isHeldBack: () => boolean;
  readonly #nowMs: () => number;
  #timer: NodeJS.Timeout | undefined;
  #lastPaintMs = Number.NEGATIVE_INFINITY;
  #intervalMs = FRAME_MIN_MS;
  #heldSinceMs: number | undefined;

  constructor({ paint, isHeldBack, nowMs }: { paint(): void; isHeldBack(): boolean; nowMs(): number }) {
    this.#paint = paint;
    this.#isHeldBack = isHeldBack;
    this.#nowMs = nowMs;
  }

  /** The screen changed by output of `bytes` bytes, or by the user (0). */
  request(bytes: number): void {
    if (this.#timer !== undefined) return;
    const sinceMs = this.#nowMs() - this.#lastPaintMs;
    if (!this.#isHeldBack() && bytes <= AT_ONCE_MAX_BYTES && sinceMs >= this.#intervalMs) this.#paintNow();
    else this.#timer = setTimeout(() => this.#tick(), Math.max(0, this.#intervalMs - sinceMs));
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #tick(): void {
    this.#timer = undefined;
    const now = this.#nowMs();
    if (this.#isHeldBack()) {
      this.#heldSinceMs ??= now;
      if (now - this.#heldSinceMs < SYNCHRONIZED_MAX_MS) {
        this.#timer = setTimeout(() => this.#tick(), FRAME_MIN_MS);
        return;
      }
    }
    this.#paintNow();
  }

  #paintNow(): void {
    const startMs = this.#nowMs();
    this.#heldSinceMs = undefined;
    this.#paint();
    this.#lastPaintMs = this.#nowMs();
    const wantedMs = (this.#lastPaintMs - startMs) / PAINTING_SHARE;
    this.#intervalMs = Math.min(Math.max(FRAME_MIN_MS, wantedMs), FRAME_MAX_MS);
  }
}
