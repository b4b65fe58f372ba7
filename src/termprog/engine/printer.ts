import { CLUSTER, CODE_MASK, CONTINUATION, WIDE, WORDS_PER_CELL } from './cell.ts';
import { shiftCells } from './editing.ts';
import type { InternTable } from './intern-table.ts';
import { CLUSTER_MAX_CODE_POINTS } from './limits.ts';
import type { Line } from './line.ts';
import type { Pen } from './pen.ts';
import type { Screen } from './screen.ts';

/** Code points below this take one cell and join nothing. */
const FIRST_UNUSUAL = 0x300;

/** Above every code point. */
const UNICODE_END = 0x11_0000;

/** The code points of a cell that has more than one. */
export interface Cluster {
  text: string;
  codePoints: number;
}

/** Where clusters are kept. */
export interface ClusterStore {
  readonly clusters: InternTable<Cluster>;
  /** Forgets clusters that no cell has any more. */
  sweep(): void;
}

/** Cells a code point takes; 0 for one that joins the character before it. */
export type WidthOf = (codePoint: number) => number;

/** Writes characters at the cursor. */
export class Printer {
  readonly #screen: Screen;
  readonly #store: ClusterStore;
  readonly #widthOf: WidthOf;
  /** The character that a code means in the present character set. */
  readonly #single = new Uint32Array(1);
  /** The character that REP repeats. */
  #last = 0;

  constructor(screen: Screen, store: ClusterStore, widthOf: WidthOf) {
    this.#screen = screen;
    this.#store = store;
    this.#widthOf = widthOf;
  }

  /** Writes `data` from `start` up to `end`; none of it is a control character. Gives the last character written. */
  print(data: Uint32Array, start: number, end: number): number {
    this.#last = 0;
    for (let at = start; at < end; ) at = this.#printSome(data, at, end);
    return this.#last;
  }

  /** Writes the characters of one kind that fit the line; returns where to continue. */
  #printSome(data: Uint32Array, start: number, end: number): number {
    const code = data[start] as number;
    const charset = this.#screen.charsets.current;
    if (charset !== undefined) {
      this.#single[0] = charset.get(code) ?? code;
      this.#printKind(this.#single, 0, 1);
      this.#last = code;
      return start + 1;
    }
    const after = code < FIRST_UNUSUAL ? this.#printRun(data, start, end) : this.#printKind(data, start, end);
    this.#last = data[after - 1] as number;
    return after;
  }

  /** The same for a character that may join the one before it, or take two cells. */
  #printKind(data: Uint32Array, start: number, end: number): number {
    const code = data[start] as number;
    const width = code < FIRST_UNUSUAL ? 1 : this.#widthOf(code);
    if (width === 2) return this.#printWideRun(data, start, end);
    if (width === 1) return this.#printRun(data, start, start + 1, UNICODE_END);
    this.#join(code);
    return start + 1;
  }

  /** Writes characters below `limit`, one cell each, as far as they fit the line; returns where to continue. */
  #printRun(data: Uint32Array, start: number, end: number, limit = FIRST_UNUSUAL): number {
    const screen = this.#screen;
    const { pen, damage } = screen;
    if (screen.isWrapPending) this.#wrap();
    const right = this.#lastColumn();
    const { row, column } = screen;
    const room = right - column + 1;
    const mayEnd = end - start > room ? start + room : end;
    const line = screen.grid.row(row);
    if (screen.isInsert) shiftCells(screen, row, { from: column, by: countRun(data, start, mayEnd, limit) });
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

  /** Whether the pen writes content words only, because all other words of the line are 0 and stay so. */
  #isPlain(line: Line, { foreground, background, extra, protection }: Pen): boolean {
    if (extra !== 0) line.hasNumbers = true;
    if ((foreground | background | extra) !== 0) line.isPlain = false;
    return line.isPlain && protection === 0;
  }

  /** Writes characters of two cells each, as far as they fit the line; returns where to continue. */
  #printWideRun(data: Uint32Array, start: number, end: number): number {
    const screen = this.#screen;
    if (screen.isWrapPending) this.#wrap();
    if (screen.column === this.#lastColumn() && screen.column > this.#firstColumn()) {
      // A wide character does not fit the last cell.
      if (!screen.isAutoWrap) return start + 1;
      this.#eraseLast(screen.column);
      this.#wrap();
    }
    const right = this.#lastColumn();
    // On a screen of one column it takes only that cell.
    if (screen.column === right) return this.#printRun(data, start, start + 1, UNICODE_END);
    const { row, column, pen } = screen;
    const room = Math.floor((right - column + 1) / 2);
    let after = start + 1;
    while (after < end && after - start < room && this.#widthOf(data[after] as number) === 2) after += 1;
    const next = column + 2 * (after - start);
    if (screen.isInsert) shiftCells(screen, row, { from: column, by: next - column });
    const line = screen.grid.row(row);
    this.#cutWideAt(line, column);
    this.#cutWideAt(line, next);
    this.#isPlain(line, pen);
    const { foreground, background, extra, protection } = pen;
    const { words } = line;
    for (let at = start, to = column * WORDS_PER_CELL; at < after; at += 1, to += 2 * WORDS_PER_CELL) {
      words[to] = (data[at] as number) | protection | WIDE;
      words[to + WORDS_PER_CELL] = CONTINUATION | protection;
      for (let word = to; word <= to + WORDS_PER_CELL; word += WORDS_PER_CELL) {
        words[word + 1] = foreground;
        words[word + 2] = background;
        words[word + 3] = extra;
      }
    }
    screen.damage.mark(row);
    this.#advance(line, next, right);
    return after;
  }

  /** Adds a code point to the character before the cursor; it is lost when there is none, or when the cell is full. */
  #join(code: number): void {
    const screen = this.#screen;
    const { words } = screen.line;
    let column = screen.isWrapPending ? screen.column : screen.column - 1;
    if (column > 0 && ((words[column * WORDS_PER_CELL] ?? 0) & CONTINUATION) !== 0) column -= 1;
    const at = column * WORDS_PER_CELL;
    const content = words[at] ?? 0;
    if (column < 0 || (content & CODE_MASK) === 0) return;
    const { clusters } = this.#store;
    const number = content & CODE_MASK;
    const before =
      (content & CLUSTER) === 0 ? { text: String.fromCodePoint(number), codePoints: 1 } : clusters.get(number);
    if (before === undefined || before.codePoints >= CLUSTER_MAX_CODE_POINTS) return;
    const joined = { text: before.text + String.fromCodePoint(code), codePoints: before.codePoints + 1 };
    if (clusters.isDue) this.#store.sweep();
    const cluster = clusters.numberOf(joined);
    if (cluster === 0) return;
    words[at] = (content & ~(CODE_MASK | CLUSTER)) | CLUSTER | cluster;
    screen.line.hasNumbers = true;
    screen.damage.mark(screen.row);
  }

  /** Moves to the next line; if lines do not wrap, the last cell is overwritten instead. */
  #wrap(): void {
    const screen = this.#screen;
    screen.isWrapPending = false;
    if (!screen.isAutoWrap) return;
    screen.line.isWrapped = !screen.hasSideMargins;
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

  /** The last column that text goes to before it wraps. */
  #lastColumn(): number {
    const { margins, column, columns } = this.#screen;
    return column <= margins.right ? margins.right : columns - 1;
  }

  #firstColumn(): number {
    const { margins, column } = this.#screen;
    return column >= margins.left ? margins.left : 0;
  }

  #eraseLast(column: number): void {
    const screen = this.#screen;
    const { line } = screen;
    line.splitWide(column);
    line.erase(column, column + 1, screen.pen.background);
    screen.damage.mark(screen.row);
  }

  #cutWideAt(line: Line, column: number): void {
    if (((line.words[column * WORDS_PER_CELL] ?? 0) & CONTINUATION) !== 0) line.splitWide(column);
  }
}

/** How many characters from `start` on are below `limit`. */
function countRun(data: Uint32Array, start: number, end: number, limit: number): number {
  let at = start;
  while (at < end && (data[at] as number) < limit) at += 1;
  return at - start;
}

interface Destination {
  words: Uint32Array;
  column: number;
  /** The run ends before the first character that is not below it. */
  limit: number;
}

/** Copies characters into cells that have no style; gives where it ended. */
function copyPlain(data: Uint32Array, start: number, end: number, { words, column, limit }: Destination): number {
  let at = start;
  for (let to = column * WORDS_PER_CELL; at < end; at += 1, to += WORDS_PER_CELL) {
    const code = data[at] as number;
    if (code >= limit) break;
    words[to] = code;
  }
  return at;
}

function copyStyled(
  data: Uint32Array,
  start: number,
  end: number,
  { words, column, limit, pen }: Destination & { pen: Pen },
): number {
  const { foreground, background, extra, protection } = pen;
  let at = start;
  for (let to = column * WORDS_PER_CELL; at < end; at += 1, to += WORDS_PER_CELL) {
    const code = data[at] as number;
    if (code >= limit) break;
    words[to] = code | protection;
    words[to + 1] = foreground;
    words[to + 2] = background;
    words[to + 3] = extra;
  }
  return at;
}
