import type { WireEvent } from 'x11';
import type { Rectangle } from '../../render/rectangle.ts';
import type { EventHandlers } from './event-router.ts';

/** The window is fully obscured or off the screen; X11 protocol, VisibilityNotify. */
const FULLY_OBSCURED = 2;

export interface AreaParts {
  /** Part of the window lost its picture. */
  onExposed(area: Rectangle): void;
  /** Size in pixels; if it changed several times in a turn, only the last one is reported. */
  onResized(size: { width: number; height: number }): void;
  /** All changes of this turn were reported, and a frame may show them. */
  request(): void;
  /** Calls back when all events that the server sent so far have arrived; never, if the server does not answer. */
  fence(done: () => void): void;
}

/**
 * Tracks the window's size and visibility. It collects all events of a turn first, so that several resizes count as
 * one, and a resize and its exposures make one frame.
 */
export class WindowArea {
  readonly #parts: AreaParts;
  #size: { width: number; height: number } | undefined;
  #last: { width: number; height: number } | undefined;
  #isScheduled = false;
  #isShown = false;
  #wasShown = false;
  #isCovered = false;
  /** Number of covers so far: an answer that was requested during one cover is ignored during the next. */
  #covers = 0;

  constructor(parts: AreaParts) {
    this.#parts = parts;
  }

  /** False before the first Expose, and while the window is unmapped or fully covered: drawing would be lost then. */
  get isVisible(): boolean {
    return this.#isShown && !this.#isCovered;
  }

  /** The last size that the server reported; undefined before. */
  get size(): { width: number; height: number } | undefined {
    return this.#last;
  }

  readonly handlers: EventHandlers = {
    Expose: ({ x, y, width, height }) => {
      this.#parts.onExposed({ x, y, width, height });
      this.#show();
    },
    // The source of a copy was obscured; the rest of the window is unchanged.
    GraphicsExposure: ({ x, y, width, height }) => {
      this.#parts.onExposed({ x, y, width, height });
      this.#schedule();
    },
    ConfigureNotify: (event) => this.#takeSize(event),
    // A server may keep the picture of an unmapped window and then send no Expose.
    MapNotify: () => {
      if (this.#wasShown) this.#show();
    },
    UnmapNotify: () => {
      this.#isShown = false;
      // The server reports the visibility of a window again after it is mapped.
      this.#isCovered = false;
    },
    VisibilityNotify: ({ state }) => {
      if (state === FULLY_OBSCURED) {
        this.#isCovered = true;
        this.#covers += 1;
      } else if (this.#isCovered) this.#awaitExposures();
    },
  };

  /**
   * The server first reports that the window is uncovered and then, possibly in another packet, the areas that lost
   * their content: that Expose shows the window. A server that has kept the content sends no Expose.
   */
  #awaitExposures(): void {
    const covers = this.#covers;
    this.#parts.fence(() => {
      if (this.#isCovered && covers === this.#covers) {
        this.#isCovered = false;
        this.#schedule();
      }
    });
  }

  /** An Expose outweighs the last visibility report: in doubt the window is painted. */
  #show(): void {
    this.#isShown = true;
    this.#wasShown = true;
    this.#isCovered = false;
    this.#schedule();
  }

  #takeSize({ width, height }: WireEvent): void {
    this.#size = { width, height };
    this.#last = this.#size;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const size = this.#size;
      this.#size = undefined;
      if (size !== undefined) this.#parts.onResized(size);
      this.#parts.request();
    });
  }
}
