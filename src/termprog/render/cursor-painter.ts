import type { CursorShape } from '../engine/cursor.ts';
import { cursorRectangles } from './cursor-form.ts';
import type { Graphics } from './graphics.ts';
import type { Palette } from './palette.ts';
import type { RunPainter } from './run-painter.ts';
import type { ShadowGrid } from './shadow-grid.ts';
import type { TextStyle } from './text-style.ts';

/** Where the cursor is shown, and how. */
export interface ShownCursor {
  column: number;
  row: number;
  shape: CursorShape;
  /** Filled, as with the focus; else its outline. */
  isSolid: boolean;
}

/** Draws the cursor over its cells, and remembers which to paint again when it goes. */
export class CursorPainter {
  readonly #graphics: Graphics;
  readonly #palette: Palette;
  readonly #shadow: ShadowGrid;
  #shown: ShownCursor | undefined;
  /** Columns it covers: two on a wide character. */
  #start = 0;
  #end = 0;

  constructor(graphics: Graphics, palette: Palette, shadow: ShadowGrid) {
    this.#graphics = graphics;
    this.#palette = palette;
    this.#shadow = shadow;
  }

  /** Whether the window shows this cursor now. */
  isShown(cursor: ShownCursor | undefined): boolean {
    const shown = this.#shown;
    if (shown === undefined || cursor === undefined) return shown === cursor;
    const isSame =
      shown.column === cursor.column &&
      shown.row === cursor.row &&
      shown.shape === cursor.shape &&
      shown.isSolid === cursor.isSolid;
    return isSame && !this.#shadow.isDoubtful(cursor.row);
  }

  /** Marks its cells to be painted again; scrolls may have moved them. */
  erase(): void {
    if (this.#shown !== undefined) this.#shadow.forget(this.#shown.row, this.#start, this.#end);
    this.#shown = undefined;
  }

  /** @param runs set to the cursor's row */
  paint(cursor: ShownCursor | undefined, runs: RunPainter): void {
    this.#shown = cursor;
    if (cursor === undefined) return;
    const { shape, isSolid } = cursor;
    const column = runs.firstCellOf(cursor.column);
    this.#start = column;
    this.#end = column + runs.cellsAt(column);
    if (shape === 'block' && isSolid) {
      runs.paintCell(column, (style) => ({
        foreground: style.opaqueBackground,
        background: this.#pixelOver(style, style.foreground),
      }));
      return;
    }
    const style = runs.styleAt(column);
    const pixel = this.#pixelOver(style, this.#palette.pixel(this.#palette.foreground));
    const { x, y, width, height } = runs.areaOf(this.#start, this.#end);
    const cellWidth = width / (this.#end - this.#start);
    for (const form of cursorRectangles(shape, { width, height }, cellWidth)) {
      this.#graphics.fillInk(pixel, x + form.x, y + form.y, form.width, form.height);
    }
  }

  /**
   * The cursor's colour over a cell: where nobody would see it, that of the cell's text, or one of the default colours.
   * @param textPixel that of a cursor that has the colour of text
   */
  #pixelOver({ foreground, opaqueBackground }: TextStyle, textPixel: number): number {
    const palette = this.#palette;
    const own = palette.cursor === undefined ? textPixel : palette.pixel(palette.cursor);
    const choices = [own, foreground, palette.pixel(palette.foreground)];
    // The text of a cell with a translucent background may have that pixel, when it is hidden.
    const isSeen = (pixel: number): boolean => pixel !== opaqueBackground && pixel !== palette.paper;
    return choices.find(isSeen) ?? palette.pixel(palette.background);
  }
}
