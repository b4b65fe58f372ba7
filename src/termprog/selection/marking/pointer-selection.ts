import type { ScreenView } from '../../engine/engine.ts';
import type { CharacterClasses } from './character-classes.ts';
import { ClickCounter } from './click-counter.ts';
import { EdgeScrolling } from './edge-scrolling.ts';
import type { MarkedText } from './marked-text.ts';
import { TextMarker } from './text-marker.ts';
import type { TextPosition } from './text-range.ts';

/** The fields of a pointer event that are used. */
export interface PointerEvent {
  button: number;
  /** Pixels of the window. */
  x: number;
  y: number;
  /** Server time in milliseconds. */
  time: number;
}

export interface PointerSelectionParts {
  view: ScreenView;
  /** Lines between the view and the live screen. */
  linesAbove(): number;
  /** Returns the cell of the view at a pixel of the window; it may be outside the view. */
  cellAt(place: { x: number; y: number }): TextPosition;
  classes(): CharacterClasses;
  multiClickTimeMs(): number;
  /** Shows older lines, or newer ones if negative. */
  scrollBy(lines: number): void;
  /** Whether a button of the pointer is held. */
  isHeld(): Promise<boolean>;
  /** The marked text has changed or was unmarked. */
  changed(): void;
}

/**
 * Marks text as the pointer moves, and scrolls when it leaves the window. It owns the marker, the click counter and the
 * scrolling.
 */
export class PointerSelection {
  readonly #parts: PointerSelectionParts;
  readonly #marker: TextMarker;
  readonly #clicks = new ClickCounter();
  readonly #edges: EdgeScrolling;
  /** The pointer's cell in the view. */
  #pointer: TextPosition = { row: 0, column: 0 };

  constructor(parts: PointerSelectionParts) {
    this.#parts = parts;
    this.#marker = new TextMarker(parts);
    this.#edges = new EdgeScrolling({
      scrollBy: (lines) => this.#scrollBy(lines),
      isHeld: () => parts.isHeld(),
      moved: () => this.#marker.extendTo(this.#cell()),
      released: () => this.#marker.end(),
    });
  }

  /** Whether a button that marks text is held. */
  get isMarking(): boolean {
    return this.#marker.isMarking;
  }

  get marked(): MarkedText | undefined {
    return this.#marker.marked;
  }

  start(event: PointerEvent, { isBlock }: { isBlock: boolean }): void {
    const clicks = this.#press(event);
    this.#marker.start(this.#cell(), { clicks, isBlock });
  }

  startExtend(event: PointerEvent): void {
    const clicks = this.#press(event);
    this.#marker.startExtend(this.#cell(), clicks);
  }

  extend(event: PointerEvent): void {
    if (!this.#marker.isMarking) return;
    this.#point(event);
    this.#marker.extendTo(this.#cell());
    const { row } = this.#pointer;
    this.#edges.pointAt(row < 0 ? -row : Math.min(0, this.#parts.view.rows - 1 - row));
  }

  /** Ends marking; returns false if no text was being marked. */
  end(event: PointerEvent): boolean {
    this.#point(event);
    this.#clicks.release({ time: event.time, ...this.#pointer });
    if (!this.#marker.isMarking) return false;
    this.#edges.stop();
    this.#marker.end();
    return true;
  }

  /** Unmarks the text. */
  clear(): void {
    this.#marker.clear();
  }

  /** Stops marking and scrolling, so that no timer stays. */
  stop(): void {
    this.#edges.stop();
    this.#marker.end();
  }

  #press(event: PointerEvent): number {
    this.#point(event);
    this.#edges.stop();
    const { button, time } = event;
    return this.#clicks.press({ button, time, ...this.#pointer }, this.#parts.multiClickTimeMs());
  }

  #point({ x, y }: PointerEvent): void {
    this.#pointer = this.#parts.cellAt({ x, y });
  }

  /** Returns the place in the text at the pointer, or at the nearest edge. */
  #cell(): TextPosition {
    const { view, linesAbove } = this.#parts;
    const { row, column } = this.#pointer;
    return {
      row: Math.min(Math.max(0, row), view.rows - 1) - linesAbove(),
      column: Math.min(Math.max(0, column), view.columns),
    };
  }

  #scrollBy(lines: number): boolean {
    const before = this.#parts.linesAbove();
    this.#parts.scrollBy(lines);
    return this.#parts.linesAbove() !== before;
  }
}
