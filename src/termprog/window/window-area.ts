import type { WireEvent } from 'x11';
import type { Rectangle } from '../render/rectangle.ts';
import type { EventHandlers } from './event-router.ts';

export interface AreaParts {
  /** Part of the window lost its picture. */
  onExposed(area: Rectangle): void;
  /** The size in pixels; of several changes only the last is reported. */
  onResized(size: { width: number; height: number }): void;
  /** All changes of this turn were reported: time to show them. */
  request(): void;
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
  #isVisible = false;
  #wasVisible = false;

  constructor(parts: AreaParts) {
    this.#parts = parts;
  }

  /** False before the first Expose and while the window is unmapped: what is drawn then is lost. */
  get isVisible(): boolean {
    return this.#isVisible;
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
      if (this.#wasVisible) this.#show();
    },
    UnmapNotify: () => {
      this.#isVisible = false;
    },
  };

  #show(): void {
    this.#isVisible = true;
    this.#wasVisible = true;
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
