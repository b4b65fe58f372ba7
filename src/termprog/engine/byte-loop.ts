import { bytesOf, characterAt } from './byte-characters.ts';
import { CODE_MASK, CONTINUATION, WIDE, WORDS_PER_CELL } from './cell.ts';
import type { ControlFunction } from './control-function.ts';
import type { ControlParser } from './control-parser.ts';
import { CutOutput } from './cut-output.ts';
import { guard } from './guarded-function.ts';
import { OMITTED, PARAMETERS_MAX, Parameters, PlainParameters } from './parameters.ts';
import { FIRST_UNUSUAL, type Printer } from './printer.ts';
import { setRendition } from './renditions.ts';
import type { Screen } from './screen.ts';
import type { TerminalState } from './terminal-state.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const ESCAPE = 0x1b;
/** Codes below it are the control characters of C0. */
const FIRST_PRINTABLE = 0x20;
const DEL = 0x7f;
const LEFT_BRACKET = 0x5b;
const QUESTION_MARK = 0x3f;
const SEMICOLON = 0x3b;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
const FIRST_FINAL = 0x40;
const LAST_FINAL = 0x7e;
const CURSOR_POSITION = 0x48;
const GRAPHIC_RENDITION = 0x6d;

/**
 * The longest number that is read here: it has as many digits as `PARAMETER_MAX`, and few enough for quick arithmetic.
 */
const DIGITS_MAX = 5;

/** Bytes that the parser gets at once; fewer while each line feed among them may copy most of the screen. */
const CHUNK_BYTES = 256;
const COSTLY_CHUNK_BYTES = 16;

/** The most bytes that follow the first one of a character. */
const CONTINUATIONS_MAX = 3;

/**
 * Work that functions cause besides reading their bytes, measured in bytes of text: a few bytes may cause much, such as
 * to fill the screen hundreds of times. The functions in `LIGHT_FINALS` change the cursor or the pen, and K erases a
 * part of one line.
 */
const CHARACTER_WORK = 3;
const LINE_WORK = 16;
const SEQUENCE_WORK = 48;
const LIGHT_FINALS: ReadonlySet<string> = new Set('ABCDEFGHade`fm');

/** The byte that begins C1 characters in UTF-8; each of these may be a function. */
const C1_LEAD = 0xc2;

/** Work of a byte where every second one may end a function. */
const C1_WORK = 8;

/** Returns a table of functions by number, with every entry undefined. */
function emptyTable(length: number): ((() => void) | undefined)[] {
  return new Array<(() => void) | undefined>(length).fill(undefined);
}

/**
 * Runs output from its bytes: text, control characters, and whole control sequences that consist only of an optional
 * `?`, numbers and semicolons; the parser runs everything else. Most output goes through three functions here, because
 * V8 compiles a few large functions much earlier than many small ones. They do the same as `Printer` and the files of
 * `functions/`, by which the parser runs output; tests compare the two.
 */
export class ByteLoop {
  readonly #parser: ControlParser;
  readonly #state: TerminalState;
  readonly #screen: Screen;
  readonly #printer: Printer;
  readonly #characters = emptyTable(FIRST_PRINTABLE);
  /** By final character, without a marker and after `?`. */
  readonly #sequences = emptyTable(LAST_FINAL - FIRST_FINAL + 1);
  readonly #privateSequences = emptyTable(LAST_FINAL - FIRST_FINAL + 1);
  /** By final character, for sequences without a marker. */
  readonly #work = Uint8Array.from({ length: LAST_FINAL - FIRST_FINAL + 1 }, (_, index) => workOf(index + FIRST_FINAL));
  readonly #parameters = new PlainParameters();
  readonly #single = new Uint32Array(1);
  readonly #cut = new CutOutput();
  /** The last character before the current place if it directly precedes that; else 0. */
  #preceding = 0;
  #workLeft = 0;

  constructor(parser: ControlParser, functions: readonly ControlFunction[], state: TerminalState) {
    this.#parser = parser;
    this.#state = state;
    this.#screen = state.screen;
    this.#printer = state.printer;
    for (const definition of functions) this.#register(definition, new Parameters(this.#parameters));
  }

  /**
   * Runs bytes from `start` on; returns where it stopped.
   * @param work it stops after this much work, in bytes of text
   */
  run(bytes: Uint8Array, start: number, end: number, work: number): number {
    const parser = this.#parser;
    this.#workLeft = work;
    let at = this.#cut.length === 0 ? start : this.#runCut(bytes, start, end);
    while (at < end && this.#workLeft > 0) {
      if (!parser.isPartial) {
        at = this.#runPlain(bytes, at, end);
        if (at === end || this.#workLeft <= 0) break;
        if (this.#cut.hold(bytes, at, end)) return end;
      }
      at = this.#parse(bytes, at, end);
    }
    return at;
  }

  /** Runs what was cut off in the output before, once its end is there; returns where the rest begins. */
  #runCut(bytes: Uint8Array, start: number, end: number): number {
    const cut = this.#cut;
    const at = cut.complete(bytes, start, end);
    if (cut.isPartial) return at;
    const { length } = cut;
    cut.length = 0;
    for (let ran = this.#runPlain(cut.bytes, 0, length); ran < length; ) ran = this.#parse(cut.bytes, ran, length);
    return at;
  }

  /** Parses a part that is not plain, up to the next ESC: the output may be plain again from there. */
  #parse(bytes: Uint8Array, start: number, end: number): number {
    const parser = this.#parser;
    const screen = this.#screen;
    const chunk = screen.hasSideMargins ? COSTLY_CHUNK_BYTES : CHUNK_BYTES;
    const most = Math.min(end, start + (parser.isInCharacter ? CONTINUATIONS_MAX : chunk));
    let hasC1Lead = bytes[start] === C1_LEAD;
    let at = start + 1;
    for (; at < most && bytes[at] !== ESCAPE; at += 1) hasC1Lead ||= bytes[at] === C1_LEAD;
    parser.precedingCharacter = this.#preceding;
    parser.parse(bytes, start, at);
    this.#preceding = parser.precedingCharacter;
    this.#workLeft -= (at - start) * (hasC1Lead ? C1_WORK : 1) + SEQUENCE_WORK + screen.work;
    screen.work = 0;
    return at;
  }

  #register(definition: ControlFunction, parameters: Parameters): void {
    const state = this.#state;
    if (definition.kind === 'character') {
      const run = guard(state, definition, () => definition.run(state));
      for (const code of definition.codes) if (code < FIRST_PRINTABLE) this.#characters[code] = run;
    } else if (definition.kind === 'csi') {
      const run = guard(state, definition, () => definition.run(state, parameters));
      for (const sequence of definition.sequences) this.#registerSequence(sequence, run);
    }
  }

  /** Enters a sequence if it is plain: others have another marker or intermediate characters. */
  #registerSequence(sequence: string, run: () => void): void {
    const isPrivate = sequence.startsWith('?');
    const final = isPrivate ? sequence.slice(1) : sequence;
    const table = isPrivate ? this.#privateSequences : this.#sequences;
    if (final.length === 1) table[final.charCodeAt(0) - FIRST_FINAL] = run;
  }

  /** Runs output as long as it is plain; returns where that ends, which may be `start`. */
  #runPlain(bytes: Uint8Array, start: number, end: number): number {
    const screen = this.#screen;
    let at = start;
    try {
      while (at < end && this.#workLeft > 0) {
        const code = bytes[at] as number;
        let after = at + 1;
        if (code === ESCAPE) after = this.#runSequence(bytes, at, end);
        else if (code >= FIRST_PRINTABLE) after = this.#runText(bytes, at, end);
        else this.#runCharacter(code);
        if (after === at) break;
        this.#workLeft -= after - at + screen.work;
        screen.work = 0;
        at = after;
      }
    } catch (error) {
      this.#state.host.failed('output', error);
    }
    return at;
  }

  #runCharacter(code: number): void {
    const screen = this.#screen;
    if (code === CARRIAGE_RETURN) screen.carriageReturn();
    else if (code === LINE_FEED) {
      screen.index();
      if (screen.isLinefeedNewLine) screen.carriageReturn();
    } else this.#characters[code]?.();
    this.#preceding = 0;
    this.#workLeft -= CHARACTER_WORK;
  }

  /** Writes text, up to bytes that are not text or that the parser must read. */
  #runText(bytes: Uint8Array, start: number, end: number): number {
    const printer = this.#printer;
    const screen = this.#screen;
    const { charsets, isInsert } = screen;
    if (charsets.current !== undefined || isInsert) return start;
    const most = Math.min(end, start + this.#workLeft);
    let at = start;
    // Text that wraps between side margins scrolls there.
    while (at + screen.work < most) {
      const byte = bytes[at] as number;
      const code = byte < DEL ? byte : characterAt(bytes, at, end);
      if (code < FIRST_PRINTABLE) break;
      const isJoined = printer.joinsNext && this.#preceding !== 0;
      if (!isJoined && (code < FIRST_UNUSUAL || this.#fits(code))) at = this.#fillRow(bytes, at, most, end);
      else {
        this.#single[0] = code;
        this.#preceding = printer.print(this.#single, 0, 1, this.#preceding !== 0);
        at += bytesOf(code);
      }
    }
    return at;
  }

  /** Returns whether a character joins no other and has room in the cursor's row. */
  #fits(code: number): boolean {
    const cells = this.#printer.simpleCells(code);
    const screen = this.#screen;
    return cells === 1 || (cells === 2 && !screen.isWrapPending && screen.column < screen.lastColumn);
  }

  /** Writes text as far as it fits the cursor's row; at least one character does. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one function, which V8 compiles early (decision 400)
  #fillRow(bytes: Uint8Array, start: number, most: number, end: number): number {
    const screen = this.#screen;
    const printer = this.#printer;
    if (screen.isWrapPending) printer.wrap();
    const { row, column, pen } = screen;
    const { foreground, background, extra, protection } = pen;
    const line = screen.grid.row(row);
    const { words } = line;
    const isStyled = (foreground | background | extra) !== 0;
    if (isStyled) {
      line.isPlain = false;
      if (extra !== 0) line.hasNumbers = true;
    }
    const writesAll = !line.isPlain;
    const right = screen.lastColumn;
    const stop = (right + 1) * WORDS_PER_CELL;
    let to = column * WORDS_PER_CELL;
    if (((words[to] as number) & CONTINUATION) !== 0) line.splitWide(column);
    let at = start;
    while (at < most && to < stop) {
      let code = bytes[at] as number;
      if (code < DEL) {
        // This loop runs by far the most often for all output.
        for (; code >= FIRST_PRINTABLE && code < DEL; code = bytes[at] as number) {
          words[to] = code | protection;
          if (writesAll) {
            words[to + 1] = foreground;
            words[to + 2] = background;
            words[to + 3] = extra;
          }
          to += WORDS_PER_CELL;
          at += 1;
          if (at >= most || to >= stop) break;
        }
        if (code < FIRST_PRINTABLE) break;
        continue;
      }
      code = characterAt(bytes, at, end);
      const cells = code < FIRST_UNUSUAL ? 1 : printer.simpleCells(code);
      if (code < 0 || cells === 0 || to + cells * WORDS_PER_CELL > stop) break;
      words[to] = code | protection;
      words[to + 1] = foreground;
      words[to + 2] = background;
      words[to + 3] = extra;
      to += WORDS_PER_CELL;
      if (cells === 2) {
        words[to - WORDS_PER_CELL] = code | protection | WIDE;
        words[to] = CONTINUATION | protection;
        words[to + 1] = foreground;
        words[to + 2] = background;
        words[to + 3] = extra;
        to += WORDS_PER_CELL;
      }
      at += bytesOf(code);
    }
    const next = to / WORDS_PER_CELL;
    if (((words[to] ?? 0) & CONTINUATION) !== 0) line.splitWide(next);
    screen.damage.mark(row);
    if (next <= right) screen.column = next;
    else {
      screen.column = right;
      screen.isWrapPending = true;
      line.isWrapped = false;
    }
    const before = words[to - WORDS_PER_CELL] as number;
    this.#preceding = ((before & CONTINUATION) === 0 ? before : (words[to - 2 * WORDS_PER_CELL] as number)) & CODE_MASK;
    printer.noteSimple(this.#preceding);
    return at;
  }

  /**
   * Runs a sequence; returns `start` for one that is not plain, is cut off, or has more or longer numbers than are read
   * here.
   */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one function, which V8 compiles early (decision 400)
  #runSequence(bytes: Uint8Array, start: number, end: number): number {
    if (start + 2 >= end || bytes[start + 1] !== LEFT_BRACKET) return start;
    const isPrivate = bytes[start + 2] === QUESTION_MARK;
    const { params } = this.#parameters;
    let count = 0;
    let value = 0;
    let digits = 0;
    for (let at = start + (isPrivate ? 3 : 2); at < end; at += 1) {
      const code = bytes[at] as number;
      if (code >= DIGIT_ZERO && code <= DIGIT_NINE) {
        value = value * 10 + code - DIGIT_ZERO;
        digits += 1;
        continue;
      }
      if (digits > DIGITS_MAX || count === PARAMETERS_MAX) return start;
      params[count] = digits === 0 ? OMITTED : value;
      count += 1;
      if (code === SEMICOLON) {
        value = 0;
        digits = 0;
        continue;
      }
      if (code < FIRST_FINAL || code > LAST_FINAL) return start;
      this.#parameters.length = count;
      this.#state.precedingCharacter = this.#preceding;
      this.#preceding = 0;
      if (isPrivate) {
        this.#privateSequences[code - FIRST_FINAL]?.();
        this.#workLeft -= SEQUENCE_WORK;
      } else if (code === CURSOR_POSITION) this.#moveTo(count);
      else if (code !== GRAPHIC_RENDITION || !setRendition(this.#screen.pen, params, count)) {
        this.#sequences[code - FIRST_FINAL]?.();
        this.#workLeft -= this.#work[code - FIRST_FINAL] as number;
      }
      return at + 1;
    }
    return start;
  }

  /** Moves the cursor; in origin mode it counts from the margins, as the control function does. */
  #moveTo(count: number): void {
    const { params } = this.#parameters;
    const row = params[0] as number;
    const column = count > 1 ? (params[1] as number) : 1;
    const screen = this.#screen;
    if (screen.isOrigin) screen.moveToAddress(Math.max(1, column) - 1, Math.max(1, row) - 1);
    else {
      const { columns, rows } = screen.grid;
      screen.row = row > 1 ? Math.min(row, rows) - 1 : 0;
      screen.column = column > 1 ? Math.min(column, columns) - 1 : 0;
      screen.isWrapPending = false;
    }
  }
}

function workOf(final: number): number {
  const letter = String.fromCharCode(final);
  if (LIGHT_FINALS.has(letter)) return 0;
  return letter === 'K' ? LINE_WORK : SEQUENCE_WORK;
}
