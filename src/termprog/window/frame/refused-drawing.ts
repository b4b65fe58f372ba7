/** Delay between a refusal and the full redraw; doubles each time. */
const REDRAW_FIRST_MS = 50;

/** Most redraws while refusals follow each other; what is refused after them stays missing. */
const REDRAWS_MAX = 6;

/** Time without a refusal after which the count starts again. */
const CALM_MS = 10_000;

/** Range of core request codes that create pixmaps and graphics contexts, and draw; X11 protocol, appendix B. */
const CREATE_PIXMAP = 53;
const IMAGE_TEXT_16 = 77;

/** First code of extension requests; RENDER draws with such codes. */
const FIRST_EXTENSION = 128;

/** Whether a request with this code is part of drawing. */
export function isDrawing(majorOpcode: number): boolean {
  return (majorOpcode >= CREATE_PIXMAP && majorOpcode <= IMAGE_TEXT_16) || majorOpcode >= FIRST_EXTENSION;
}

export interface RefusalParts {
  nowMs(): number;
  /** Redraws everything with new server resources. */
  redraw(): void;
}

/**
 * Redraws after the server refused drawing requests because it lacked memory. A resource that failed then, such as the
 * glyphs of half an alphabet, would be missing in all later frames: after a delay everything is created and drawn
 * again. Without refusals there is no timer.
 */
export class Refusals {
  readonly #parts: RefusalParts;
  #timer: NodeJS.Timeout | undefined;
  #redraws = 0;
  #lastMs = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(parts: RefusalParts) {
    this.#parts = parts;
  }

  take(): void {
    const nowMs = this.#parts.nowMs();
    if (nowMs - this.#lastMs > CALM_MS) this.#redraws = 0;
    this.#lastMs = nowMs;
    if (this.#timer !== undefined || this.#isStopped || this.#redraws >= REDRAWS_MAX) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#parts.redraw();
      },
      REDRAW_FIRST_MS * 2 ** this.#redraws,
    );
    this.#redraws += 1;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
