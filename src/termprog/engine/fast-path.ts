import { bytesOf, characterAt } from './byte-characters.ts';
import { CONTINUATION, WORDS_PER_CELL } from './cell.ts';
import { writeCharacter } from './copy-run.ts';
import type { PlainParameters } from './parameters.ts';
import { CHARACTER_WORK } from './plain-functions.ts';
import { FIRST_UNUSUAL, type Printer } from './printer.ts';
import { setRendition } from './renditions.ts';
import type { Screen } from './screen.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const ESCAPE = 0x1b;
/** Codes below it are the control characters of C0. */
const FIRST_PRINTABLE = 0x20;
const DEL = 0x7f;
const LEFT_BRACKET = 0x5b;
const CURSOR_POSITION = 0x48;
const GRAPHIC_RENDITION = 0x6d;

/** The number of bits by which a column is shifted to become the index of its cell's first word. */
const CELL_SHIFT = 2;

/** The state of output between two characters; the loop over the bytes shares it with its fast path. */
export class OutputProgress {
  /** The last character before the current place if it directly precedes that; else 0. */
  preceding = 0;
  /** Work until the next look at the clock, in bytes of text. */
  workLeft = 0;
  /** An index of the output: if a run ends with an error, the bytes before it have run. */
  at = 0;
}

/**
 * Runs the most frequent output: text, CR, LF, CUP, and SGR with what fits the pen's two words. In one function, because
 * V8 keeps its local variables in registers and compiles it much earlier than several smaller ones; cursor, line and
 * colours go back to the screen at its end. Any mode that changes what these mean, and anything else, such as characters
 * that join others, is left to `ByteLoop`. Tests compare it with the parser.
 */
export class FastPath {
  readonly #progress: OutputProgress;
  readonly #screen: Screen;
  readonly #printer: Printer;
  readonly #parameters: PlainParameters;

  constructor(progress: OutputProgress, screen: Screen, printer: Printer, parameters: PlainParameters) {
    this.#progress = progress;
    this.#screen = screen;
    this.#printer = printer;
    this.#parameters = parameters;
  }

  /** Runs bytes from `start` on; returns where something else comes, or the work is done. */
  run(bytes: Uint8Array, start: number, end: number): number {
    return this.#mayRun() ? this.#runLocally(bytes, start, end) : start;
  }

  /** Whether a character is written as one cell with the pen's two words, and the cursor may go to any cell. */
  #mayRun(): boolean {
    const screen = this.#screen;
    const { pen, charsets, margins, isWrapPending, isInsert, isOrigin, isLinefeedNewLine } = screen;
    const lastColumn = screen.grid.columns - 1;
    const isPlain = charsets.current === undefined && (pen.extra | pen.protection) === 0 && !isInsert;
    const isConfined = isOrigin || margins.left !== 0 || margins.right !== lastColumn;
    const joinsNext = this.#printer.joinsNext && this.#progress.preceding !== 0;
    const isAtEdge = !isWrapPending || screen.column === lastColumn;
    return isPlain && !isConfined && !isLinefeedNewLine && !joinsNext && isAtEdge;
  }

  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one function, for its local variables (decision 512)
  #runLocally(bytes: Uint8Array, start: number, end: number): number {
    const screen = this.#screen;
    const { grid, pen, damage, isAutoWrap } = screen;
    const { columns, rows } = grid;
    const stop = columns << CELL_SHIFT;
    let { row } = screen;
    let line = grid.row(row);
    let { words } = line;
    /** Index of the next cell's first word; `stop` while a wrap is pending. */
    let to = screen.isWrapPending ? stop : screen.column << CELL_SHIFT;
    let { foreground, background } = pen;
    let { preceding } = this.#progress;
    let written = 0;
    let limit = start + this.#progress.workLeft;
    let at = start;
    while (at < end && at < limit) {
      const first = bytes[at] as number;
      if (first >= FIRST_PRINTABLE) {
        let code = first < DEL ? first : characterAt(bytes, at, end);
        const cells = code < FIRST_UNUSUAL ? 1 : this.#printer.simpleCells(code);
        if (code < 0 || cells === 0) break;
        if (to >= stop && isAutoWrap) {
          line.isWrapped = true;
          line.wrapCells = 0;
          row = this.#feedLine(row, to, at);
          line = grid.row(row);
          ({ words } = line);
          to = 0;
        }
        if (to + cells * WORDS_PER_CELL > stop || ((words[to] as number) & CONTINUATION) !== 0) break;
        if ((foreground | background) !== 0) line.isPlain = false;
        const writesAll = !line.isPlain;
        if (first < DEL) {
          const last = Math.min(end, limit, at + ((stop - to) >> CELL_SHIFT));
          // This loop runs by far the most often for all output.
          do {
            words[to] = code;
            if (writesAll) {
              words[(to + 1) | 0] = foreground;
              words[(to + 2) | 0] = background;
              words[(to + 3) | 0] = 0;
            }
            written = code;
            to = (to + WORDS_PER_CELL) | 0;
            at = (at + 1) | 0;
            if (at >= last) break;
            code = bytes[at] as number;
          } while (code >= FIRST_PRINTABLE && code < DEL);
        } else {
          writeCharacter(words, to, code, cells, pen);
          written = code;
          to += cells * WORDS_PER_CELL;
          at += bytesOf(code);
        }
        preceding = written;
        damage.mark(row);
        if (to >= stop) line.isWrapped = false;
        else if (((words[to] as number) & CONTINUATION) !== 0) line.splitWide(to >> CELL_SHIFT);
      } else if (first === ESCAPE) {
        const hasBracket = at + 2 < end && bytes[at + 1] === LEFT_BRACKET;
        const behind = hasBracket ? this.#parameters.read(bytes, at + 2, end) : end;
        if (behind === end) break;
        const { params, length } = this.#parameters;
        const final = bytes[behind] as number;
        if (final === GRAPHIC_RENDITION) {
          if (!setRendition(pen, params, length)) break;
          ({ foreground, background } = pen);
        } else if (final === CURSOR_POSITION) {
          row = placeOf(params[0] as number, rows);
          to = placeOf(length > 1 ? (params[1] as number) : 1, columns) << CELL_SHIFT;
          line = grid.row(row);
          ({ words } = line);
        } else break;
        preceding = 0;
        at = behind + 1;
      } else {
        if (first === CARRIAGE_RETURN) to = 0;
        else if (first === LINE_FEED) {
          to = Math.min(to, stop - WORDS_PER_CELL);
          row = this.#feedLine(row, to, at);
          line = grid.row(row);
          ({ words } = line);
        } else break;
        preceding = 0;
        at += 1;
        limit -= CHARACTER_WORK;
      }
    }
    screen.row = row;
    // No condition here is for a rare case: V8 would compile the whole function again when it first comes.
    screen.column = Math.min(to >> CELL_SHIFT, columns - 1);
    screen.isWrapPending = to >= stop;
    this.#progress.preceding = preceding;
    this.#progress.workLeft = limit - at;
    if (written !== 0) this.#printer.noteSimple(written);
    return at;
  }

  /**
   * Moves the cursor from a row to the next one, or scrolls; returns its row. There may be no memory for a new line:
   * then the output goes on from here.
   */
  #feedLine(row: number, to: number, at: number): number {
    const screen = this.#screen;
    screen.row = row;
    screen.column = Math.min(to >> CELL_SHIFT, screen.grid.columns - 1);
    this.#progress.at = at;
    screen.index();
    return screen.row;
  }
}

/** Returns the row or column that a number of CUP means, bounded by the screen; they count from 1 there. */
function placeOf(number: number, count: number): number {
  return Math.min(Math.max(1, number), count) - 1;
}
