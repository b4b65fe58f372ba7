import type { CursorShape } from '../engine/cursor.ts';
import { cursorRectangles } from './cursor-form.ts';
import type { Graphics } from './graphics.ts';
import type { Palette } from './palette.ts';
import type { RunPainter } from './run-painter.ts';
import type { ShadowGrid } from './shadow-grid.ts';
import type { TextStyle } from './text-style.ts';

/** The cursor's place and look. */
export interface ShownCursor {
  column: number;
  row: number;
  shape: CursorShape;
  /** Filled, as with the focus; otherwise its outline. */
  isSolid: boolean;
}

/** Draws the cursor over its cells, and remembers which cells to repaint when it moves. */
export class CursorPainter {
  readonly #graphics: Graphics;
  readonly #palette: Palette;
  readonly #shadow: ShadowGrid;
  #shown: ShownCursor | undefined;
  /** Columns that it covers: two on a wide character. */
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

  /** Marks the cursor's row as doubtful, because its pixels may be lost. */
  doubt(): void {
    if (this.#shown !== undefined) this.#shadow.doubt(this.#shown.row, this.#shown.row);
  }

  /** Marks its cells for repainting; scrolls may have moved them. */
  erase(): void {
    if (this.#shown !== undefined) this.#shadow.forget(this.#shown.row, this.#start, this.#end);
    this.#shown = undefined;
  }

  /** @param runs is set to the cursor's row */
  paint(cursor: ShownCursor | undefined, runs: RunPainter): void {
    this.#shown = cursor;
    if (cursor === undefined) return;
    const { shape, isSolid } = cursor;
    const column = runs.firstCellOf(cursor.column);
    this.#start = column;
    this.#end = column + runs.cellsAt(column);
    if (shape === 'block' && isSolid) {
      runs.paintCell(column, (style) => {
        const background = this.#pixelOver(style, style.foreground);
        return { foreground: style.isHidden ? background : style.opaqueBackground, background };
      });
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
   * The cursor's colour over a cell. If it would be invisible, that of the cell's text, or one of the default colours.
   * @param textPixel colour of a cursor that has the colour of text
   */
  #pixelOver({ foreground, opaqueBackground, isHidden }: TextStyle, textPixel: number): number {
    const palette = this.#palette;
    const plain = palette.pixel(palette.foreground);
    const text = isHidden ? plain : foreground;
    const own = isHidden ? plain : textPixel;
    const cursor = palette.cursor === undefined ? own : palette.pixel(palette.cursor);
    const seen = [cursor, text, plain].find((pixel) => pixel !== opaqueBackground);
    return seen ?? palette.pixel(palette.background);
  }
}
