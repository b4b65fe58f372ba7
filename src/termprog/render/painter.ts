import { BOLD, CLUSTER, CODE_MASK, FOREGROUND } from '../engine/cell.ts';
import type { SlotFonts } from '../fonts/slot-fonts.ts';
import type { WindowVisual } from '../x11/window-visual.ts';
import { showsEntries } from './changed-colors.ts';
import { CursorPainter, type ShownCursor } from './cursor-painter.ts';
import { overhangOf } from './drawers/server-font.ts';
import type { Frame, FrameSource } from './frame.ts';
import { GlyphRouter } from './glyph-router.ts';
import type { Graphics } from './graphics.ts';
import { paintMargin } from './margin.ts';
import { MovedRows } from './moved-rows.ts';
import { PaddedLines } from './padded-lines.ts';
import { type ColorChange, Palette, type TextColors } from './palette.ts';
import { type CellSize, COORDINATE_MAX, type Point, type Rectangle } from './rectangle.ts';
import { RunPainter } from './run-painter.ts';
import { joinScrolls } from './scrolls.ts';
import { ShadowGrid } from './shadow-grid.ts';
import { lineMetricsOf } from './text-lines.ts';
import { TextStyle } from './text-style.ts';

export type { ShownCursor };

export interface PainterOptions {
  graphics: Graphics;
  fonts: SlotFonts;
  /** Procedural glyphs take precedence over outline fonts. */
  forcesProcedural: boolean;
  /** A character is drawn as a box because the fonts lack it. */
  onMissing?: () => void;
  /** The visual of the window. */
  visual: WindowVisual;
  colors: TextColors;
  boldIsBright: boolean;
  /** Opacity of the default background, from 0 to 1. */
  opacity?: number;
  internalBorder: number;
  /** Pixels between the left edge of the window and the padding. */
  insetLeft?: number;
}

/** Once a frame has this size, it starts no further rows: more bytes would only wait in a queue, and delay keys. */
const FRAME_MAX_BYTES = 262_144;

/**
 * Searches for glyphs after which a frame ends, even within a row: keys wait meanwhile, up to a tenth of a millisecond
 * for each. A smaller limit would cause more frames, each of which waits for the server. ours: decision 105
 */
const FRAME_MAX_FOUND = 1_920;

/** ASCII is in every font; other fonts may draw characters above it differently. */
const LAST_ASCII = 0x7e;

/**
 * Paints the cells that differ from the window's content. It owns a shadow of that content, the cursor, and the routes
 * from cells to drawers.
 */
export class Painter {
  readonly #graphics: Graphics;
  readonly #palette: Palette;
  readonly #style: TextStyle;
  readonly #border: number;
  /** Position of the first cell in the window. */
  #origin: Readonly<Point>;
  readonly #onMissing: () => void;
  readonly #shadow = new ShadowGrid();
  readonly #cursor: CursorPainter;
  readonly #visual: WindowVisual;
  #fonts: SlotFonts;
  #forcesProcedural: boolean;
  #router: GlyphRouter;
  #runs: RunPainter;
  #overhang: 'none' | 'bold' | 'any';
  #cell: CellSize;
  readonly #moved: MovedRows;
  #needsBorder = false;
  /**
   * First row of the next frame: the first one that the last frame left out. Otherwise a screen that always changes
   * would not show its last rows.
   */
  #firstRow = 0;
  readonly #lines = new PaddedLines();

  constructor(options: PainterOptions) {
    const {
      graphics,
      fonts,
      onMissing,
      visual,
      colors,
      boldIsBright,
      opacity = 1,
      internalBorder,
      insetLeft = 0,
    } = options;
    this.#visual = visual;
    this.#graphics = graphics;
    this.#onMissing = () => onMissing?.();
    this.#palette = new Palette(visual, colors);
    this.#palette.setOpacity(opacity);
    this.#style = new TextStyle(this.#palette, boldIsBright);
    this.#border = internalBorder;
    this.#origin = { x: insetLeft + internalBorder, y: internalBorder };
    this.#cursor = new CursorPainter(graphics, this.#palette, this.#shadow);
    this.#moved = new MovedRows(graphics, this.#shadow);
    this.#fonts = fonts;
    this.#forcesProcedural = options.forcesProcedural;
    this.#cell = fonts.cell;
    this.#overhang = overhangOf(fonts);
    this.#router = this.#createRouter();
    this.#runs = this.#createRuns();
    graphics.setStippleOrigin(this.#origin.x, this.#origin.y);
  }

  get cell(): CellSize {
    return this.#cell;
  }

  /** Pixel value of the background, reversed or not, for the window's background attribute. */
  get backgroundPixel(): number {
    return this.#palette.paper;
  }

  /** Changes the grid. The window's content stays, by its bit gravity; new cells are unknown. */
  resize(columns: number, rows: number): void {
    const most = (from: number, pixels: number): number => Math.max(1, Math.floor((COORDINATE_MAX - from) / pixels));
    const { x, y } = this.#origin;
    this.#shadow.resize(Math.min(columns, most(x, this.#cell.width)), Math.min(rows, most(y, this.#cell.height)));
    this.#lines.resize(this.#shadow.columns);
    this.#runs = this.#createRuns();
    this.#needsBorder = true;
  }

  /** Records that the window shows only its background, in the present colour: blank cells need no painting. */
  takeBackground(): void {
    this.#shadow.clear();
    this.#needsBorder = false;
  }

  /**
   * Records that part of the window, in pixels, lost its content, as Expose or GraphicsExpose reported. The next frame
   * paints it in addition to its damage.
   */
  forget({ x, y, width, height }: Rectangle): void {
    const column = (left: number): number => Math.floor((left - this.#origin.x) / this.#cell.width);
    const first = Math.floor((y - this.#origin.y) / this.#cell.height);
    const last = Math.min(this.#shadow.rows - 1, Math.floor((y + height - 1 - this.#origin.y) / this.#cell.height));
    for (let row = Math.max(0, first); row <= last; row += 1) {
      this.#shadow.expose(row, column(x), column(x + width - 1) + 1);
    }
    this.#moved.expose(first, last);
    // The cursor may have stood over a blank cell, which counts as unchanged.
    this.#cursor.doubt();
  }

  /** Assumes that no earlier request was drawn. Call it after an error. */
  forgetEverything(): void {
    this.#graphics.forgetState();
    this.#renewRouter();
    this.#graphics.setStippleOrigin(this.#origin.x, this.#origin.y);
    this.#forgetCells();
  }

  /** Moves all cells because the scrollbar left of the padding has changed. */
  setInset(left: number): void {
    this.#origin = { x: left + this.#border, y: this.#border };
    this.forgetEverything();
  }

  /** Changes the fonts; if their cell differs, `resize` must follow. */
  setFonts(fonts: SlotFonts): void {
    const before = this.#cell;
    this.#fonts = fonts;
    this.#cell = fonts.cell;
    this.#overhang = overhangOf(fonts);
    this.#renewRouter();
    if (before.width !== this.#cell.width || before.height !== this.#cell.height) this.#forgetCells();
    this.#shadow.forgetWhere((words, at) => {
      const content = words[at] ?? 0;
      return (
        ((words[at + FOREGROUND] ?? 0) & BOLD) !== 0 || (content & CLUSTER) !== 0 || (content & CODE_MASK) > LAST_ASCII
      );
    });
  }

  /** Sets whether procedural glyphs take precedence over outline fonts; characters above ASCII are then repainted. */
  setForcesProcedural(isForced: boolean): void {
    if (isForced === this.#forcesProcedural) return;
    this.#forcesProcedural = isForced;
    this.setFonts(this.#fonts);
  }

  setColors(change: ColorChange): void {
    const { entries, boldIsBright, ...defaults } = change;
    this.#palette.change(change);
    if (boldIsBright !== undefined) this.#style.boldIsBright = boldIsBright;
    if (boldIsBright !== undefined || Object.keys(defaults).length > 0) this.#forgetCells();
    if (entries === undefined || entries.size === 0) return;
    this.#shadow.forgetWhere(showsEntries(entries));
  }

  /** @param opacity of the default background, from 0 to 1 */
  setOpacity(opacity: number): void {
    this.#palette.setOpacity(opacity);
    this.#forgetCells();
  }

  /** Shows or hides blinking text from the next frame on; its background stays. */
  showBlinkingText(isShown: boolean): void {
    if (this.#style.hidesBlinking !== isShown) return;
    this.#style.hidesBlinking = !isShown;
    this.#shadow.forgetBlinking();
  }

  /** Whether the last frame moved pixels: the server reports later which of them it could not move. */
  get hasMovedPixels(): boolean {
    return this.#moved.isAny;
  }

  /** Whether the window has blinking text. */
  get hasBlinkingText(): boolean {
    return this.#shadow.hasBlinking;
  }

  /**
   * Sets reverse video of the whole screen.
   * @param swapsEntries whether colours 0 and 7, and 8 and 15, are swapped too, as DECSCNM does in the reference
   * terminal
   */
  setReverse(isReversed: boolean, swapsEntries = false): void {
    this.#palette.reverse(isReversed, swapsEntries);
    this.#forgetCells();
  }

  /**
   * Packs the requests that make the window show the frame, and passes them on; the caller flushes.
   * @returns false when the frame is so large that some rows are left for the next, in addition to its damage
   */
  paint({ source, damage, isEverything, cursor }: Frame): boolean {
    this.#style.forget();
    this.#moved.clear();
    if (this.#router.isFull) this.#renewRouter();
    if (this.#needsBorder) this.#paintBorder();
    const rows = isEverything ? undefined : damage.rows;
    if (damage.isRenumbered) {
      this.#router.forgetClusters();
      this.#shadow.forgetNumbered();
    }
    const { scrolls } = damage;
    const isCursorKept =
      rows !== undefined && scrolls.length === 0 && rows[cursor?.row ?? 0] !== 1 && this.#cursor.isShown(cursor);
    if (!isCursorKept) this.#cursor.erase();
    for (const scroll of joinScrolls(scrolls)) this.#moved.scroll(scroll, this.#origin, this.#cell);
    const isComplete = this.#paintRows(rows, source);
    this.#graphics.drawWaitingText();
    if (!isCursorKept) this.#paintCursor(cursor, source);
    this.#graphics.send();
    return isComplete;
  }

  /** Paints marked and doubtful rows, or all rows without marks. Returns false if some are left for the next frame. */
  #paintRows(marks: Uint8Array | undefined, source: FrameSource): boolean {
    const shadow = this.#shadow;
    const { rows } = shadow;
    const bytesMax = this.#graphics.packedBytes + FRAME_MAX_BYTES;
    const foundMax = this.#graphics.foundGlyphs + FRAME_MAX_FOUND;
    const first = this.#firstRow;
    let left: number | undefined;
    for (let count = 0; count < rows; count += 1) {
      count += shadow.countSettled((first + count) % rows, rows - count, marks);
      if (count >= rows) break;
      const row = (first + count) % rows;
      const { packedBytes, foundGlyphs } = this.#graphics;
      const isTurn = packedBytes < bytesMax && foundGlyphs < foundMax;
      if (isTurn && this.#paintRow(row, source, foundMax)) continue;
      shadow.doubt(row, row);
      left ??= row;
    }
    this.#firstRow = left ?? 0;
    return left === undefined;
  }

  #paintCursor(cursor: ShownCursor | undefined, source: FrameSource): void {
    if (cursor !== undefined && cursor.row < this.#shadow.rows && cursor.column < this.#shadow.columns) {
      this.#runs.setRow(cursor.row, this.#lines.wordsOf(source.line(cursor.row)), source);
      this.#cursor.paint(cursor, this.#runs);
    } else this.#cursor.paint(undefined, this.#runs);
  }

  /** Creates the router again; the drawers' resources in the server are freed. */
  #renewRouter(): void {
    this.#router.release();
    this.#router = this.#createRouter();
    this.#runs = this.#createRuns();
  }

  #createRouter(): GlyphRouter {
    if (this.#fonts.kind === 'outline')
      this.#graphics.enableOutlineText(this.#fonts.render, this.#visual, this.#cell.width);
    const onMissing = this.#onMissing;
    return new GlyphRouter({
      graphics: this.#graphics,
      fonts: this.#fonts,
      cell: this.#cell,
      forcesProcedural: this.#forcesProcedural,
      onMissing,
    });
  }

  #createRuns(): RunPainter {
    const { ascent, descent } = this.#fonts;
    return new RunPainter({
      graphics: this.#graphics,
      router: this.#router,
      style: this.#style,
      cell: this.#cell,
      lines: lineMetricsOf({ ascent, descent, cellWidth: this.#cell.width }),
      origin: this.#origin,
      columns: this.#shadow.columns,
      onlyBoldOverhangs: this.#overhang === 'bold',
    });
  }

  #forgetCells(): void {
    this.#shadow.forgetRows(0, this.#shadow.rows - 1);
    this.#needsBorder = true;
  }

  #paintBorder(): void {
    this.#needsBorder = false;
    const { columns, rows } = this.#shadow;
    paintMargin(this.#graphics, this.backgroundPixel, { columns, rows, cell: this.#cell, origin: this.#origin });
  }

  /**
   * Paints a row. Returns false when the search limit was reached, so that the end of the row is left for the next
   * frame.
   */
  #paintRow(row: number, source: FrameSource, foundMax: number): boolean {
    const shadow = this.#shadow;
    const words = this.#lines.wordsOf(source.line(row));
    let spans = shadow.update(row, words);
    if (spans === 0) return true;
    this.#runs.setRow(row, words, source);
    if (this.#overhang !== 'none') {
      const overhangs = this.#runs.rowOverhangs(foundMax);
      if (overhangs || shadow.overhangs(row)) spans = shadow.widen(words);
      shadow.setOverhangs(row, overhangs);
    }
    // Permits at least one new glyph beyond the known ones: each frame makes progress.
    const most = Math.max(foundMax, this.#graphics.foundGlyphs + 1);
    for (let span = 0; span < spans; span += 1) {
      const end = this.#runs.paint(shadow.start(span), shadow.end(span), most);
      if (end >= shadow.end(span)) continue;
      shadow.forget(row, end, shadow.columns);
      return false;
    }
    return true;
  }
}
