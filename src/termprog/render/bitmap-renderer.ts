import { ATTRIBUTE, CLUSTER, type CursorShape, createRow, type Row } from '../engine/engine.ts';
import type { CoreFont } from '../fonts/core-font.ts';
import type { FontSet } from '../fonts/font-set.ts';
import type { CellStyle, StyleResolver } from './cell-style.ts';
import { cursorRectangles } from './cursor-form.ts';
import type { Graphics } from './graphics.ts';
import { ProceduralGlyphs } from './procedural.ts';
import type { CellSize, Rectangle } from './rectangle.ts';
import { ShadowGrid, type Span } from './shadow-grid.ts';

/** Where the cursor is shown, and how. */
export interface ShownCursor {
  column: number;
  row: number;
  shape: CursorShape;
  /** Filled, as with the focus; else its outline. */
  isSolid: boolean;
}

/** What is painted at once. */
export interface Frame {
  /** Rows that may have changed, both included; undefined for none. */
  damage: { first: number; last: number } | undefined;
  /** Copies row `row` of the view. */
  readRow(row: number, target: Row): void;
  cursor: ShownCursor | undefined;
}

/** What draws a cell: a font, or rectangles of its own. */
type Source = { font: CoreFont; isOverstruck: boolean } | { rectangles: readonly Rectangle[] };

const BLANK = ' ';

/** Draws cells with the X server's bitmap fonts. */
export class BitmapRenderer {
  readonly cell: CellSize;
  readonly #fonts: FontSet;
  readonly #graphics: Graphics;
  readonly #styles: StyleResolver;
  readonly #cursorPixel: number;
  readonly #border: number;
  readonly #procedural: ProceduralGlyphs;
  readonly #shadow = new ShadowGrid();
  #row = createRow(0);
  #cursor: ShownCursor | undefined;
  #rows = 0;

  constructor(options: {
    fonts: FontSet;
    graphics: Graphics;
    styles: StyleResolver;
    cursorPixel: number;
    internalBorder: number;
  }) {
    this.#fonts = options.fonts;
    this.#graphics = options.graphics;
    this.#styles = options.styles;
    this.#cursorPixel = options.cursorPixel;
    this.#border = options.internalBorder;
    const { cellWidth, ascent, descent } = options.fonts.normal;
    this.cell = { width: cellWidth, height: ascent + descent };
    this.#procedural = new ProceduralGlyphs(this.cell);
  }

  resize(columns: number, rows: number): void {
    this.#shadow.resize(columns, rows);
    this.#row = createRow(columns);
    this.#rows = rows;
    this.#cursor = undefined;
  }

  /** Part of the window lost its picture; pixels. */
  forget({ x, y, width, height }: Rectangle): void {
    const column = (left: number): number => Math.floor((left - this.#border) / this.cell.width);
    const last = Math.floor((y + height - 1 - this.#border) / this.cell.height);
    for (let row = Math.max(0, Math.floor((y - this.#border) / this.cell.height)); row <= last; row += 1) {
      this.#shadow.forget(row, Math.max(0, column(x)), column(x + width - 1) + 1);
    }
  }

  paint({ damage, readRow, cursor }: Frame): void {
    const shown = this.#cursor;
    if (shown !== undefined) this.#shadow.forget(shown.row, shown.column, shown.column + 2);
    const first = damage?.first ?? 0;
    const last = Math.min(damage?.last ?? -1, this.#rows - 1);
    for (let row = first; row <= last; row += 1) this.#paintRow(row, readRow);
    if (shown !== undefined && (shown.row < first || shown.row > last)) this.#paintRow(shown.row, readRow);
    this.#cursor = cursor;
    if (cursor !== undefined) this.#paintCursor(cursor, readRow);
  }

  #paintRow(row: number, readRow: Frame['readRow']): void {
    readRow(row, this.#row);
    for (const span of this.#shadow.update(row, this.#row)) this.#paintSpan(row, span);
  }

  /** Splits a span into runs that one request can draw. */
  #paintSpan(row: number, { start, end }: Span): void {
    const { codes, foregrounds, backgrounds, attributes } = this.#row;
    const looks = (column: number): number => (attributes[column] ?? 0) & ~(ATTRIBUTE.wide | ATTRIBUTE.continuation);
    for (let from = start; from < end; ) {
      const style = this.#styles.resolve(foregrounds[from] ?? 0, backgrounds[from] ?? 0, looks(from));
      const source = this.#sourceOf(codes[from] ?? 0, from, style.isBold);
      let to = from + this.#cellsAt(from);
      const isSplit = (column: number): boolean =>
        foregrounds[column] !== foregrounds[from] ||
        backgrounds[column] !== backgrounds[from] ||
        looks(column) !== looks(from) ||
        this.#cellsAt(column) !== 1;
      if ('font' in source && this.#cellsAt(from) === 1 && codes[from] !== CLUSTER) {
        while (to < end && !isSplit(to) && this.#drawsAlike(to, style.isBold, source.font)) to += 1;
      }
      this.#paintRun(row, { start: from, end: to }, style, source);
      from = to;
    }
  }

  #cellsAt(column: number): number {
    return ((this.#row.attributes[column] ?? 0) & ATTRIBUTE.wide) === 0 ? 1 : 2;
  }

  #drawsAlike(column: number, isBold: boolean, font: CoreFont): boolean {
    const code = this.#row.codes[column] ?? 0;
    if (code === CLUSTER) return false;
    const source = this.#sourceOf(code, column, isBold);
    return 'font' in source && source.font === font;
  }

  /** Procedural shapes first, then the fonts, and a box for what none has. */
  #sourceOf(code: number, column: number, isBold: boolean): Source {
    const codePoint = code === CLUSTER ? (this.#clusterAt(column).codePointAt(0) ?? 0) : code;
    const { normal, bold } = this.#fonts;
    if (codePoint <= 0x20) return { font: isBold && bold !== undefined ? bold : normal, isOverstruck: false };
    const rectangles = this.#procedural.glyph(codePoint);
    if (rectangles !== undefined) return { rectangles };
    const cells = this.#cellsAt(column);
    return this.#fontFor(codePoint, cells, isBold) ?? { rectangles: this.#procedural.missing(cells) };
  }

  /** The font, its Unicode form, or the wide one; undefined when none has the character. */
  #fontFor(codePoint: number, cells: number, isBold: boolean): Source | undefined {
    const { normal, bold, normalUnicode, boldUnicode, wide } = this.#fonts;
    const main = isBold && bold !== undefined ? bold : normal;
    const candidates: readonly { font: CoreFont | undefined; isOverstruck: boolean }[] =
      cells === 2
        ? [{ font: wide, isOverstruck: isBold }]
        : [
            { font: main, isOverstruck: isBold && bold === undefined },
            { font: isBold ? boldUnicode : undefined, isOverstruck: false },
            { font: normalUnicode, isOverstruck: isBold },
          ];
    for (const { font, isOverstruck } of candidates) {
      if (font?.has(codePoint)) return { font, isOverstruck };
    }
    return undefined;
  }

  #paintRun(row: number, { start, end }: Span, style: CellStyle, source: Source): void {
    const { x, y } = this.#originOf(start, row);
    const width = (end - start) * this.cell.width;
    if ('font' in source) {
      const baseline = y + source.font.ascent;
      const text = this.#textOf(start, end);
      this.#graphics.imageText(source.font, style, x, baseline, text);
      if (source.isOverstruck) this.#graphics.overlayText(source.font, style.foreground, x + 1, baseline, text);
      if (this.#row.codes[start] === CLUSTER) this.#paintMarks(start, style, x, baseline);
    } else {
      this.#graphics.fill(style.background, [{ x, y, width, height: this.cell.height }]);
      this.#graphics.fill(style.foreground, source.rectangles, { x, y });
    }
    this.#paintLines(style, { x, y, width, height: this.cell.height });
  }

  #paintLines(style: CellStyle, { x, y, width }: Rectangle): void {
    const { ascent, descent } = this.#fonts.normal;
    const line = (offset: number): Rectangle => ({ x, y: y + offset, width, height: 1 });
    const lines: Rectangle[] = [];
    if (style.isUnderlined) lines.push(line(descent > 1 ? ascent + 1 : ascent));
    if (style.isStruckThrough) lines.push(line(Math.floor((2 * ascent) / 3)));
    if (style.isOverlined) lines.push(line(0));
    this.#graphics.fill(style.foreground, lines);
  }

  /** The characters that join the first one of a cluster, where a font has them. */
  #paintMarks(column: number, style: CellStyle, x: number, baseline: number): void {
    const [, ...marks] = this.#clusterAt(column);
    const font = this.#fonts.normalUnicode;
    for (const mark of marks) {
      if (font?.has(mark.codePointAt(0) ?? 0)) this.#graphics.overlayText(font, style.foreground, x, baseline, mark);
    }
  }

  /** As few characters as say the same: fonts draw é better than an accent over an e. */
  #clusterAt(column: number): string {
    return (this.#row.clusters.get(column) ?? '').normalize('NFC');
  }

  #textOf(start: number, end: number): string {
    let text = '';
    for (let column = start; column < end; column += this.#cellsAt(column)) {
      const code = this.#row.codes[column] ?? 0;
      if (code === CLUSTER) text += String.fromCodePoint(this.#clusterAt(column).codePointAt(0) ?? 0x20);
      else text += code <= 0x20 ? BLANK : String.fromCodePoint(code);
    }
    return text;
  }

  #paintCursor(cursor: ShownCursor, readRow: Frame['readRow']): void {
    readRow(cursor.row, this.#row);
    const isSecondHalf = ((this.#row.attributes[cursor.column] ?? 0) & ATTRIBUTE.continuation) !== 0;
    const column = isSecondHalf && cursor.column > 0 ? cursor.column - 1 : cursor.column;
    const cells = this.#cellsAt(column);
    const { x, y } = this.#originOf(column, cursor.row);
    const size = { width: this.cell.width * cells, height: this.cell.height };
    if (cursor.shape === 'block' && cursor.isSolid) this.#paintSolidBlock(cursor.row, column, cells);
    else this.#graphics.fill(this.#cursorPixel, cursorRectangles(cursor, size), { x, y });
  }

  /** The character in the colour of its background, on the cursor's colour. */
  #paintSolidBlock(row: number, column: number, cells: number): void {
    const { codes, foregrounds, backgrounds, attributes } = this.#row;
    const style = this.#styles.resolve(foregrounds[column] ?? 0, backgrounds[column] ?? 0, attributes[column] ?? 0);
    const isHidden = this.#cursorPixel === style.background;
    const background = isHidden ? style.foreground : this.#cursorPixel;
    const source = this.#sourceOf(codes[column] ?? 0, column, style.isBold);
    const reversed = { ...style, foreground: style.background, background };
    this.#paintRun(row, { start: column, end: column + cells }, reversed, source);
  }

  #originOf(column: number, row: number): { x: number; y: number } {
    return { x: this.#border + column * this.cell.width, y: this.#border + row * this.cell.height };
  }
}
