import type { CellLine, Extra } from '../../engine/cell.ts';
import type { ScreenView } from '../../engine/engine.ts';
import { anchorAt, placeOf } from '../../engine/text-anchors.ts';
import type { ViewPort } from '../../ports/shown-text.ts';
import type { FrameSource } from '../../render/frame.ts';

/**
 * The visible part of history and screen. Rows of the view count from its top. It keeps its place during output and
 * resizes.
 */
export class Viewport implements ViewPort, FrameSource {
  readonly #screen: ScreenView;
  readonly #changed: () => void;
  #linesAbove = 0;
  #follow: ((linesAbove?: number) => void) | undefined;

  constructor(screen: ScreenView, changed: () => void) {
    this.#screen = screen;
    this.#changed = changed;
  }

  /** Lines between the view and the live screen; 0 at the live screen. */
  get linesAbove(): number {
    return this.#linesAbove;
  }

  get rows(): number {
    return this.#screen.rows;
  }

  get columns(): number {
    return this.#screen.columns;
  }

  scrollBy(lines: number): void {
    this.#moveTo(Math.min(Math.max(0, this.#linesAbove + lines), this.#screen.historyLines));
  }

  /** Scrolls to the newest text, as after a key. */
  toBottom(): void {
    if (this.#follow !== undefined) this.#follow();
    else this.#moveTo(0);
  }

  /**
   * Stops output and `toBottom` from moving the view: `follow` is called instead, and may move it. After a resize
   * `follow` gets the distance from the bottom at which the view shows the same text.
   * @returns a function that ends this
   */
  hold(follow: (linesAbove?: number) => void): () => void {
    this.#follow = follow;
    return () => {
      this.#follow = undefined;
    };
  }

  /**
   * Resizes the screen by `change`. A view into the history keeps its first line of text; if that line has left the
   * history, it shows the oldest line.
   */
  keepThrough(change: () => void): void {
    const screen = this.#screen;
    const first = this.#linesAbove > 0 ? anchorAt(screen, { row: -this.#linesAbove, column: 0 }) : undefined;
    change();
    const place = first && placeOf(screen, first);
    // Text that has left the history was the oldest.
    const oldest = first === undefined ? 0 : screen.historyLines;
    const linesAbove = place === undefined ? oldest : Math.max(0, -place.row);
    if (this.#follow === undefined) this.#moveTo(linesAbove);
    else this.#follow(linesAbove);
  }

  /**
   * Output arrived. A view into the history keeps its distance from the bottom, unless `toBottom` is set or its lines
   * are gone.
   */
  followOutput({ toBottom }: { toBottom: boolean }): void {
    if (this.#follow !== undefined) this.#follow();
    else if (this.#linesAbove > 0) this.#moveTo(toBottom ? 0 : Math.min(this.#linesAbove, this.#screen.historyLines));
  }

  line(row: number): CellLine | undefined {
    return this.#screen.line(row - this.#linesAbove);
  }

  clusterText(number: number): string {
    return this.#screen.clusterText(number);
  }

  extra(number: number): Extra {
    return this.#screen.extra(number);
  }

  #moveTo(linesAbove: number): void {
    if (linesAbove === this.#linesAbove) return;
    this.#linesAbove = linesAbove;
    this.#changed();
  }
}
