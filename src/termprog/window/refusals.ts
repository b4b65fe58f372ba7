/** How long after a refusal all is drawn anew; twice as long after each further time. */
const REDRAW_FIRST_MS = 50;

/** So often, while refusals follow each other; what is refused then is left out. */
const REDRAWS_MAX = 6;

/** After so long without a refusal the next is a first one. */
const CALM_MS = 10_000;

/** Request codes of the core protocol that make pixmaps and graphics contexts, and draw; X11 protocol, appendix B. */
const CREATE_PIXMAP = 53;
const IMAGE_TEXT_16 = 77;

/** Codes from here on are those of extensions, of which RENDER draws. */
const FIRST_EXTENSION = 128;

/** Whether a request with this code has to do with drawing. */
export function isDrawing(majorOpcode: number): boolean {
  return (majorOpcode >= CREATE_PIXMAP && majorOpcode <= IMAGE_TEXT_16) || majorOpcode >= FIRST_EXTENSION;
}

export interface RefusalParts {
  nowMs(): number;
  /** Draws all anew, with new resources of the server. */
  redraw(): void;
}

/**
 * Requests of drawing that the server refused, for want of memory. What it lacks then, such as the glyphs of half an
 * alphabet, would be missing in all later frames: some time later all is made and drawn anew. Without refusals there is
 * no timer.
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
