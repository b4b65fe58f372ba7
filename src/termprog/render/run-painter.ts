import {
  BACKGROUND,
  BOLD,
  CLUSTER,
  CODE_MASK,
  CONTINUATION,
  EXTRA,
  type Extra,
  FOREGROUND,
  WIDE,
  WORDS_PER_CELL,
} from '../engine/cell.ts';
import type { Slot } from './drawers/drawer.ts';
import { type ClusterSource, type GlyphRouter, type RoutedCluster, variantOf } from './glyph-router.ts';
import type { Graphics } from './graphics.ts';
import type { CellSize, Point, Rectangle } from './rectangle.ts';
import type { Run } from './run.ts';
import { type LineMetrics, paintTextLines } from './text-lines.ts';
import type { TextStyle } from './text-style.ts';

const BLANK = 0x20;

/** This many blank cells are drawn as a filled rectangle instead of text. */
const FILLED_BLANKS = 8;

/** Resolves the numbers in cells. */
export interface CellSource extends ClusterSource {
  extra(number: number): Extra;
}

/** The grid's position, and the parts that draw it. */
export interface RunPainterParts {
  graphics: Graphics;
  router: GlyphRouter;
  style: TextStyle;
  cell: CellSize;
  lines: LineMetrics;
  /** Position of the first cell in the window. */
  origin: Readonly<Point>;
  columns: number;
  /** Whether only bold text leaves its cells, because it is drawn twice for lack of a bold font. */
  onlyBoldOverhangs: boolean;
}

/** Splits cells into runs, each of which is drawn at once, and draws them. */
export class RunPainter {
  readonly #parts: RunPainterParts;
  readonly #run: Run;
  #words: Uint32Array = new Uint32Array(0);
  #source: CellSource | undefined;
  /** End of the blanks that are part of a run. */
  #knownBlankEnd = 0;
  /** Limit of `foundGlyphs` after which no more glyphs are searched. */
  #foundMax = Number.POSITIVE_INFINITY;

  constructor(parts: RunPainterParts) {
    this.#parts = parts;
    this.#run = {
      style: parts.style,
      x: 0,
      y: 0,
      width: 0,
      height: parts.cell.height,
      characters: { codes: new Uint32Array(parts.columns), count: 0, isTwoByte: false, advance: 0 },
      marks: [],
      hasMarks: false,
    };
  }

  /** Sets the cells that the next calls draw. */
  setRow(row: number, words: Uint32Array, source: CellSource): void {
    const { cell, origin } = this.#parts;
    this.#words = words;
    this.#source = source;
    this.#run.y = origin.y + row * cell.height;
  }

  /**
   * Paints cells of the row.
   * @param foundMax painting ends when this many glyphs were searched since the start of the program
   * @returns the column where it ended
   */
  paint(start: number, end: number, foundMax = Number.POSITIVE_INFINITY): number {
    this.#foundMax = foundMax;
    let column = start;
    while (column < end && !this.#isSpent()) {
      this.#takeStyle(column);
      const blankEnd = this.#blankEnd(column, end);
      const isFilled = blankEnd - column >= FILLED_BLANKS && !this.#slotAt(column).overhangs;
      column = isFilled ? this.#fill(column, blankEnd) : this.#paintRun(column, end);
    }
    return column;
  }

  /** Returns the style of the character at a column; valid until the next call of the painter. */
  styleAt(column: number): TextStyle {
    this.#takeStyle(column);
    return this.#parts.style;
  }

  /** Draws the character at a column in other colours. */
  paintCell(column: number, colors: (style: TextStyle) => { foreground: number; background: number }): void {
    const { style } = this.#parts;
    this.#takeStyle(column);
    const { foreground, background } = colors(style);
    style.override(foreground, background);
    this.#paintRun(column, column + this.cellsAt(column));
    style.forget();
  }

  /** Returns the pixels of some cells of the row. */
  areaOf(start: number, end: number): Rectangle {
    this.#place(start, end);
    const { x, y, width, height } = this.#run;
    return { x, y, width, height };
  }

  /** Returns the number of cells of the character at a column. */
  cellsAt(column: number): number {
    return (this.#contentAt(column) & WIDE) === 0 ? 1 : 2;
  }

  /** Returns the column where the character of a cell begins. */
  firstCellOf(column: number): number {
    const isSecond = column > 0 && this.cellsAt(column - 1) === 2;
    return isSecond ? column - 1 : column;
  }

  /** Whether ink of some cell of the row may lie in a neighbouring cell; also true when the search limit is reached. */
  rowOverhangs(foundMax: number): boolean {
    const { columns, onlyBoldOverhangs } = this.#parts;
    this.#foundMax = foundMax;
    for (let column = 0; column < columns; column += 1) {
      // Most cells of a large window are blank.
      if (isBlank(this.#words[column * WORDS_PER_CELL] ?? 0)) continue;
      if (this.#isSpent()) return true;
      if (onlyBoldOverhangs && !this.#isBoldAt(column)) continue;
      if (this.#overhangsAt(column)) return true;
    }
    return false;
  }

  #isSpent(): boolean {
    return this.#parts.graphics.foundGlyphs >= this.#foundMax;
  }

  #overhangsAt(column: number): boolean {
    const content = this.#contentAt(column);
    const cells = (content & WIDE) === 0 ? 1 : 2;
    const isCluster = (content & CLUSTER) !== 0;
    const cluster = isCluster ? this.#clusterAt(column, content, cells) : undefined;
    const slot = cluster?.slot ?? this.#slotAt(column);
    if (!slot.overhangs) return false;
    const { drawer } = slot;
    return drawer.overhangs?.(cluster?.codePoint ?? content & CODE_MASK, cluster?.marks, slot) ?? true;
  }

  /** Returns the content word; for half of a wide character, that of a blank. */
  #contentAt(column: number): number {
    const content = this.#words[column * WORDS_PER_CELL] ?? 0;
    if ((content & WIDE) === 0) return content;
    const isWhole =
      column + 1 < this.#parts.columns && ((this.#words[(column + 1) * WORDS_PER_CELL] ?? 0) & CONTINUATION) !== 0;
    return isWhole ? content : 0;
  }

  #isBoldAt(column: number): boolean {
    return ((this.#words[column * WORDS_PER_CELL + FOREGROUND] ?? 0) & BOLD) !== 0;
  }

  #variantAt(column: number): number {
    return variantOf(this.#words[column * WORDS_PER_CELL + FOREGROUND] ?? 0);
  }

  #slotAt(column: number): Slot {
    const content = this.#contentAt(column);
    const cells = (content & WIDE) === 0 ? 1 : 2;
    if ((content & CLUSTER) !== 0) return this.#clusterAt(column, content, cells).slot;
    return this.#parts.router.slotOf(content & CODE_MASK, this.#variantAt(column), cells);
  }

  #clusterAt(column: number, content: number, cells: number): RoutedCluster {
    const source = this.#source as CellSource;
    return this.#parts.router.clusterOf(content, this.#variantAt(column), cells, source);
  }

  #takeStyle(column: number): void {
    const words = this.#words;
    const at = column * WORDS_PER_CELL;
    const extra = words[at + EXTRA] ?? 0;
    const underlineColor = extra === 0 ? 0 : (this.#source?.extra(extra).underlineColor ?? 0);
    this.#parts.style.take(words[at + FOREGROUND] ?? 0, words[at + BACKGROUND] ?? 0, underlineColor);
  }

  #hasStyleOf(column: number, other: number): boolean {
    const words = this.#words;
    const a = column * WORDS_PER_CELL;
    const b = other * WORDS_PER_CELL;
    return words[a + 1] === words[b + 1] && words[a + 2] === words[b + 2] && words[a + 3] === words[b + 3];
  }

  /** Returns the end of the blanks of one style that begin at a column; the column itself if it is not blank. */
  #blankEnd(start: number, end: number): number {
    const words = this.#words;
    const first = start * WORDS_PER_CELL;
    const foreground = words[first + FOREGROUND];
    const background = words[first + BACKGROUND];
    const extra = words[first + EXTRA];
    let column = start;
    for (let at = first; column < end; column += 1, at += WORDS_PER_CELL) {
      const content = (words[at] ?? 0) & (CODE_MASK | CLUSTER | WIDE);
      if (content > BLANK && !isBlank(this.#contentAt(column))) break;
      if (words[at + FOREGROUND] !== foreground || words[at + BACKGROUND] !== background || words[at + EXTRA] !== extra)
        break;
    }
    return column;
  }

  #fill(start: number, end: number): number {
    const { graphics, style } = this.#parts;
    this.#place(start, end);
    const { x, y, width, height } = this.#run;
    graphics.fillPaper(style.background, x, y, width, height);
    if (style.hasLines) this.#paintLines();
    return end;
  }

  /** Draws a run from a column; returns where it ended. */
  #paintRun(start: number, end: number): number {
    const run = this.#run;
    const { characters } = run;
    const slot = this.#slotAt(start);
    run.hasMarks = false;
    characters.count = 0;
    characters.isTwoByte = false;
    characters.advance = slot.cells * this.#parts.cell.width;
    this.#knownBlankEnd = 0;
    let column = start;
    do {
      this.#append(column, this.#contentAt(column), slot.cells);
      column += slot.cells;
      if (slot.cells === 1) column = this.#appendPlain(column, end, slot);
    } while (column < end && !this.#isSpent() && this.#joins(column, end, slot, start));
    this.#place(start, column);
    slot.drawer.draw(run, slot);
    if (this.#parts.style.hasLines) this.#paintLines();
    return column;
  }

  /** Whether a cell belongs to the run that began at `start`. */
  #joins(column: number, end: number, slot: Slot, start: number): boolean {
    if (!this.#hasStyleOf(column, start)) return false;
    if (slot.endsAtErased && this.#isErased(column) !== this.#isErased(column - 1)) return false;
    if (!isBlank(this.#contentAt(column))) return this.#slotAt(column) === slot;
    if (!slot.takesBlanks) return false;
    if (slot.overhangs || column < this.#knownBlankEnd) return true;
    this.#knownBlankEnd = this.#blankEnd(column, end);
    return this.#knownBlankEnd - column < FILLED_BLANKS;
  }

  #isErased(column: number): boolean {
    const content = this.#words[column * WORDS_PER_CELL] ?? 0;
    return (content & (CODE_MASK | CLUSTER | CONTINUATION)) === 0;
  }

  /** Appends the common case: single characters in the style and slot of the previous cell. Returns where they end. */
  #appendPlain(start: number, end: number, slot: Slot): number {
    const words = this.#words;
    const { router } = this.#parts;
    const { characters, marks } = this.#run;
    const before = (start - 1) * WORDS_PER_CELL;
    const foreground = words[before + FOREGROUND] ?? 0;
    const background = words[before + BACKGROUND];
    const extra = words[before + EXTRA];
    const variant = variantOf(foreground);
    const least = this.#takesAnyBlank(start, slot) ? BLANK : BLANK + 1;
    let column = start;
    for (let at = before + WORDS_PER_CELL; column < end; column += 1, at += WORDS_PER_CELL) {
      const code = (words[at] ?? 0) & (CODE_MASK | CLUSTER | WIDE);
      if (code < least || code > CODE_MASK) break;
      if (words[at + 1] !== foreground || words[at + 2] !== background || words[at + 3] !== extra) break;
      if (code !== BLANK && router.slotOf(code, variant, 1) !== slot) break;
      if (code > 0xff) characters.isTwoByte = true;
      characters.codes[characters.count] = code;
      marks[characters.count] = undefined;
      characters.count += 1;
    }
    return column;
  }

  /** Whether every written blank joins the run; otherwise `#joins` decides for each. */
  #takesAnyBlank(column: number, slot: Slot): boolean {
    return slot.takesBlanks && slot.overhangs && !this.#isErased(column - 1);
  }

  #append(column: number, content: number, cells: number): void {
    const run = this.#run;
    const { characters } = run;
    let code = content & CODE_MASK;
    let marks: readonly number[] | undefined;
    if ((content & CLUSTER) !== 0) {
      const cluster = this.#clusterAt(column, content, cells);
      code = cluster.codePoint;
      marks = cluster.marks;
      if (marks.length > 0) run.hasMarks = true;
    }
    if (code > 0xff) characters.isTwoByte = true;
    characters.codes[characters.count] = code <= BLANK ? BLANK : code;
    run.marks[characters.count] = marks;
    characters.count += 1;
  }

  #place(start: number, end: number): void {
    const { cell, origin } = this.#parts;
    this.#run.x = origin.x + start * cell.width;
    this.#run.width = (end - start) * cell.width;
  }

  #paintLines(): void {
    const { graphics, origin, lines } = this.#parts;
    const { x, y, width, style } = this.#run;
    // Lines of the text's own colour may be drawn before it; others lie over it.
    if (style.lineColor !== style.foreground) graphics.drawWaitingText();
    paintTextLines(graphics, style, lines, { x, y, width, left: origin.x });
  }
}

function isBlank(content: number): boolean {
  return (content & (CLUSTER | WIDE)) === 0 && (content & CODE_MASK) <= BLANK;
}
