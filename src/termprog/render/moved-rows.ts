import type { Scroll } from '../engine/damage.ts';
import type { Graphics } from './graphics.ts';
import type { CellSize, Point } from './rectangle.ts';
import type { ShadowGrid } from './shadow-grid.ts';

/**
 * Scrolls rows by a copy in the X server, and keeps which rows the last frame moved: the server reports later which of
 * their pixels it could not move, and a report of an earlier loss may name the place before the move.
 */
export class MovedRows {
  readonly #graphics: Graphics;
  readonly #shadow: ShadowGrid;
  readonly #scrolls: Scroll[] = [];

  constructor(graphics: Graphics, shadow: ShadowGrid) {
    this.#graphics = graphics;
    this.#shadow = shadow;
  }

  /** Whether the frame has moved pixels. */
  get isAny(): boolean {
    return this.#scrolls.length > 0;
  }

  /** Begins a new frame. */
  clear(): void {
    this.#scrolls.length = 0;
  }

  /** Moves the pixels of rows, and their cells in the shadow. */
  scroll({ top, bottom, lines }: Scroll, origin: Readonly<Point>, cell: CellSize): void {
    const shadow = this.#shadow;
    const height = bottom - top + 1;
    if (top < 0 || bottom >= shadow.rows || Math.abs(lines) >= height) {
      // No rows are left to move: the pixels stay, and the cells are compared.
      shadow.doubt(top, bottom);
      return;
    }
    shadow.scroll(top, bottom, lines);
    this.#scrolls.push({ top, bottom, lines });
    const distance = lines * cell.height;
    this.#graphics.moveVertically(
      {
        x: origin.x,
        y: origin.y + top * cell.height + Math.max(0, distance),
        width: shadow.columns * cell.width,
        height: height * cell.height - Math.abs(distance),
      },
      -distance,
    );
  }

  /** Forgets all rows that were moved together with one of these, because a loss in these may have moved with them. */
  expose(first: number, last: number): void {
    const shadow = this.#shadow;
    for (const { top, bottom } of this.#scrolls) {
      if (first > bottom || last < top) continue;
      for (let row = top; row <= bottom; row += 1) shadow.expose(row, 0, shadow.columns);
    }
  }
}
