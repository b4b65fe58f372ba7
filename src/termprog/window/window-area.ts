import type { WireEvent } from 'x11';
import type { Rectangle } from '../render/rectangle.ts';
import type { EventHandlers } from './event-router.ts';

/** Nothing of the window is to be seen, because others cover it or it lies off the screen; X11 protocol, VisibilityNotify. */
const FULLY_OBSCURED = 2;

export interface AreaParts {
  /** Part of the window lost its picture. */
  onExposed(area: Rectangle): void;
  /** The size in pixels; of several changes only the last is reported. */
  onResized(size: { width: number; height: number }): void;
  /** All changes of this turn were reported: time to show them. */
  request(): void;
  /** Calls back when everything has come that the server sent until now; never, when it never answers. */
  fence(done: () => void): void;
}

/**
 * The window's size and whether there is anything to see of it. All events of a turn are collected first, so that
 * several resizes count as one, and a resize and its exposures make one frame.
 */
export class WindowArea {
  readonly #parts: AreaParts;
  #size: { width: number; height: number } | undefined;
  #last: { width: number; height: number } | undefined;
  #isScheduled = false;
  #isShown = false;
  #wasShown = false;
  #isCovered = false;
  /** How often it was covered: what was asked during one cover is of no interest in the next. */
  #covers = 0;

  constructor(parts: AreaParts) {
    this.#parts = parts;
  }

  /** False before the first Expose, and while the window is unmapped or wholly covered: what is drawn then is lost. */
  get isVisible(): boolean {
    return this.#isShown && !this.#isCovered;
  }

  /** As the server told it last; undefined before it did. */
  get size(): { width: number; height: number } | undefined {
    return this.#last;
  }

  readonly handlers: EventHandlers = {
    Expose: ({ x, y, width, height }) => {
      this.#parts.onExposed({ x, y, width, height });
      this.#show();
    },
    // The source of a copy was hidden; the rest of the window is unchanged.
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
      // A window that is mapped again is told of its state, if it is covered then.
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
   * The server tells first that the window is uncovered, and then, perhaps in another piece, what lost its picture: that
   * Expose shows it. None comes from a server which has kept the picture.
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

  /** An Expose counts more than what was told of covers: in doubt the window is painted. */
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
