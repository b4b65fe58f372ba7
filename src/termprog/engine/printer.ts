import { CONTINUATION, WIDE, WORDS_PER_CELL } from './cell.ts';
import {
  type ClusterStore,
  codePointsAt,
  columnBefore,
  joinCell,
  liftCell,
  narrowCell,
  placeCell,
  widenCell,
} from './cluster-cells.ts';
import { copyPlain, copyPlainWide, copyStyled, copyStyledWide, countRun } from './copy-run.ts';
import { shiftCells } from './editing.ts';
import type { Line } from './line.ts';
import type { Pen } from './pen.ts';
import type { Screen } from './screen.ts';
import { CLUSTER_CLASS, classOf, type PropertiesOf, VARIATION_BASE, WIDTH_MASK } from './width/character-properties.ts';
import { continuesCluster } from './width/cluster-breaks.ts';

/** Code points below this take one cell and join no other. */
export const FIRST_UNUSUAL = 0x300;

/** A bound above every code point. */
const UNICODE_END = 0x11_0000;

/** These code points choose how the character before them is shown: as text in one cell, as an emoji in two. */
const TEXT_SELECTOR = 0xfe0e;
const EMOJI_SELECTOR = 0xfe0f;

/** Writes characters at the cursor. */
export class Printer {
  readonly #screen: Screen;
  readonly #store: ClusterStore;
  readonly #propertiesOf: PropertiesOf;
  /** The character that a code means in the present character set. */
  readonly #single = new Uint32Array(1);
  #last = 0;
  #repeatable = 0;
  /** Whether the cell before the cursor was written by the last character, without anything in between. */
  #isContinued = false;
  /**
   * Whether the last character may join the next one. It is a field, because it is read before each stretch of text.
   */
  joinsNext = false;

  constructor(screen: Screen, store: ClusterStore, propertiesOf: PropertiesOf) {
    this.#screen = screen;
    this.#store = store;
    this.#propertiesOf = propertiesOf;
  }

  /**
   * The last character that is not a mark on another one, among those written without interruption; 0 if there is none.
   */
  get repeatable(): number {
    return this.#repeatable;
  }

  /**
   * Writes `data` from `start` up to `end`, which contains no control character. Returns the last character written.
   * @param isContinued whether these characters directly follow those written before
   */
  print(data: Uint32Array, start: number, end: number, isContinued = false): number {
    this.#last = 0;
    if (!isContinued) this.#repeatable = 0;
    this.#isContinued = isContinued;
    this.joinsNext &&= isContinued;
    for (let at = start; at < end; ) {
      at = this.#printSome(data, at, end);
      this.#isContinued = true;
    }
    return this.#last;
  }

  /**
   * Returns the cells of a character beyond `FIRST_UNUSUAL` that joins no other, unless `joinsNext` says so; 0 for any
   * that may.
   */
  simpleCells(code: number): number {
    const properties = this.#propertiesOf(code);
    return this.#screen.isClustering && !isAlone(properties) ? 0 : properties & WIDTH_MASK;
  }

  /** Records that other code has written text, whose last character joins no other. */
  noteSimple(last: number): void {
    this.joinsNext = false;
    this.#last = last;
    this.#repeatable = last;
  }

  /** Writes the characters of one kind that fit the line; returns where to continue. */
  #printSome(data: Uint32Array, start: number, end: number): number {
    const code = data[start] as number;
    const charset = this.#screen.charsets.current;
    if (charset !== undefined) {
      this.#single[0] = charset.get(code) ?? code;
      this.#printKind(this.#single, 0, 1);
      this.#note(code);
      return start + 1;
    }
    const isUsual = code < FIRST_UNUSUAL && !this.joinsNext;
    const after = isUsual ? this.#printRun(data, start, end) : this.#printKind(data, start, end);
    this.#note(data[after - 1] as number);
    return after;
  }

  #note(last: number): void {
    this.#last = last;
    if (last < FIRST_UNUSUAL || (this.#propertiesOf(last) & WIDTH_MASK) !== 0) this.#repeatable = last;
  }

  /** Writes a character that may join the one before it, or take two cells; returns where to continue. */
  #printKind(data: Uint32Array, start: number, end: number): number {
    const code = data[start] as number;
    const properties = this.#propertiesOf(code);
    if (this.#screen.isClustering) {
      const isJoined = this.#isContinued && this.#joinCluster(code, properties);
      const found = classOf(properties);
      this.joinsNext = found === CLUSTER_CLASS.prepend || found === CLUSTER_CLASS.zeroWidthJoiner;
      if (isJoined) return start + 1;
    }
    const width = properties & WIDTH_MASK;
    if (width === 2) return this.#printWideRun(data, start, end);
    if (width === 1) return this.#printRun(data, start, start + 1, UNICODE_END);
    const column = columnBefore(this.#screen);
    // A character that has no cell and cannot join one is lost.
    if (column !== undefined) this.#joinCell(column, code);
    return start + 1;
  }

  /** Adds a character to the cluster before the cursor, if it belongs there. */
  #joinCluster(code: number, properties: number): boolean {
    const screen = this.#screen;
    // Most characters always begin a cluster.
    if (classOf(properties) === CLUSTER_CLASS.other && !this.joinsNext) return false;
    const column = columnBefore(screen);
    if (column === undefined) return false;
    const cluster = codePointsAt(screen, column, this.#store);
    if (!continuesCluster(cluster, code, this.#propertiesOf)) return false;
    if (this.#joinCell(column, code)) {
      const isWide = ((screen.line.words[column * WORDS_PER_CELL] ?? 0) & WIDE) !== 0;
      const becomesWide = this.#isWideWith(cluster, isWide, code, properties);
      if (becomesWide && !isWide) this.#widen(column);
      else if (!becomesWide && isWide) this.#narrow(column);
    }
    return true;
  }

  #joinCell(column: number, code: number): boolean {
    return joinCell(this.#screen, { column, code, isContinued: this.#isContinued }, this.#store);
  }

  /** Returns whether a cluster takes two cells once a character has joined it. */
  #isWideWith(cluster: readonly number[], isWide: boolean, code: number, properties: number): boolean {
    const hasPresentations = (this.#propertiesOf(cluster.at(-1) ?? 0) & VARIATION_BASE) !== 0;
    if (code === EMOJI_SELECTOR) return isWide || hasPresentations;
    if (code === TEXT_SELECTOR) return isWide && !(cluster.length === 1 && hasPresentations);
    return isWide || (properties & WIDTH_MASK) === 2 || classOf(properties) === CLUSTER_CLASS.regionalIndicator;
  }

  /** Gives the character before the cursor a second cell, in the next line if this one has no cell left. */
  #widen(before: number): void {
    const screen = this.#screen;
    let column = before;
    if (column === this.#screen.lastColumn) {
      if (!screen.isAutoWrap || column === this.#firstColumn()) return;
      const cell = liftCell(screen, column);
      this.wrap();
      placeCell(screen, cell);
      column = screen.column;
    }
    widenCell(screen, column);
    this.#advance(screen.line, column + 2, this.#screen.lastColumn);
  }

  #narrow(column: number): void {
    narrowCell(this.#screen, column);
    this.#screen.column = column + 1;
    this.#screen.isWrapPending = false;
  }

  /** Writes characters below `limit`, one cell each, as far as they fit the line; returns where to continue. */
  #printRun(data: Uint32Array, start: number, end: number, limit = FIRST_UNUSUAL): number {
    const screen = this.#screen;
    const { pen, damage } = screen;
    if (screen.isWrapPending) this.wrap();
    const right = this.#screen.lastColumn;
    const { row, column } = screen;
    const room = this.#cellsOfKind(right);
    const mayEnd = end - start > room ? start + room : end;
    const line = screen.grid.row(row);
    if (screen.isInsert && screen.isBetweenSideMargins)
      shiftCells(screen, row, { from: column, by: countRun(data, start, mayEnd, limit) });
    const { words } = line;
    this.#cutWideAt(line, column);
    const at = this.#isPlain(line, pen)
      ? copyPlain(data, start, mayEnd, { words, column, limit })
      : copyStyled(data, start, mayEnd, { words, column, limit, pen });
    const next = column + at - start;
    this.#cutWideAt(line, next);
    damage.mark(row);
    this.#advance(line, next, right);
    return at;
  }

  /** Returns whether the pen writes content words only, because all other words of the line are 0 and stay so. */
  #isPlain(line: Line, { foreground, background, extra, protection }: Pen): boolean {
    if (extra !== 0) line.hasNumbers = true;
    if ((foreground | background | extra) !== 0) line.isPlain = false;
    return line.isPlain && protection === 0;
  }

  /** Writes characters of two cells each, as far as they fit the line; returns where to continue. */
  #printWideRun(data: Uint32Array, start: number, end: number): number {
    const screen = this.#screen;
    if (screen.isWrapPending) this.wrap();
    if (screen.column === this.#screen.lastColumn && screen.column > this.#firstColumn()) {
      // A wide character does not fit the last cell.
      if (!screen.isAutoWrap) return start + 1;
      this.#eraseLast(screen.column);
      this.wrap();
    }
    const right = this.#screen.lastColumn;
    // On a screen of one column it takes only that cell.
    if (screen.column === right) return this.#printRun(data, start, start + 1, UNICODE_END);
    const { row, column, pen } = screen;
    const { left } = screen.margins;
    const fits = Math.floor((right - column + 1) / 2);
    // The last of the characters that begin to the left of the margin may reach over it.
    const room = screen.isInsert && column < left ? Math.min(fits, Math.ceil((left - column) / 2)) : fits;
    let after = start + 1;
    while (after < end && after - start < room && this.#isWideAlone(data[after] as number)) after += 1;
    const next = column + 2 * (after - start);
    if (screen.isInsert && screen.isBetweenSideMargins) shiftCells(screen, row, { from: column, by: next - column });
    const line = screen.grid.row(row);
    this.#cutWideAt(line, column);
    this.#cutWideAt(line, next);
    const { words } = line;
    if (this.#isPlain(line, pen)) copyPlainWide(data, start, after, { words, column });
    else copyStyledWide(data, start, after, { words, column, pen });
    screen.damage.mark(row);
    this.#advance(line, next, right);
    return after;
  }

  /** Returns whether a character after a wide one also begins a cluster that takes two cells. */
  #isWideAlone(code: number): boolean {
    const properties = this.#propertiesOf(code);
    if ((properties & WIDTH_MASK) !== 2) return false;
    return !this.#screen.isClustering || isAlone(properties);
  }

  /** Moves to the next line; if lines do not wrap, the last cell is overwritten instead. */
  wrap(): void {
    const screen = this.#screen;
    screen.isWrapPending = false;
    if (!screen.isAutoWrap) return;
    screen.line.isWrapped = !screen.hasSideMargins;
    screen.line.wrapCells = 0;
    screen.index();
    screen.column = this.#firstColumn();
  }

  #advance(line: Line, next: number, right: number): void {
    const screen = this.#screen;
    if (next <= right) screen.column = next;
    else {
      screen.column = right;
      screen.isWrapPending = true;
      line.isWrapped = false;
    }
  }

  /**
   * Returns how many cells from the cursor on are treated alike: insert mode shifts cells between the side margins, but
   * not those to the left of them.
   */
  #cellsOfKind(right: number): number {
    const { isInsert, column, margins } = this.#screen;
    return isInsert && column < margins.left ? margins.left - column : right - column + 1;
  }

  #firstColumn(): number {
    const { margins, column } = this.#screen;
    return column >= margins.left ? margins.left : 0;
  }

  #eraseLast(column: number): void {
    const screen = this.#screen;
    const { line } = screen;
    line.splitWide(column);
    line.splitWide(column + 1);
    line.erase(column, column + 1, screen.pen.background);
    screen.damage.mark(screen.row);
  }

  #cutWideAt(line: Line, column: number): void {
    if (((line.words[column * WORDS_PER_CELL] ?? 0) & CONTINUATION) !== 0) line.splitWide(column);
  }
}

/** Returns whether a character begins a cluster, unless the one before it is of a kind that joins all. */
function isAlone(properties: number): boolean {
  const found = classOf(properties);
  return found === CLUSTER_CLASS.other || found === CLUSTER_CLASS.pictographic;
}
