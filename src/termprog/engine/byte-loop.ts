import { bytesOf, characterAt } from './byte-characters.ts';
import type { ControlFunction } from './control-function.ts';
import type { ControlParser } from './control-parser.ts';
import { CutOutput } from './cut-output.ts';
import { FastPath, OutputProgress } from './fast-path.ts';
import { Parameters, PlainParameters } from './parameters.ts';
import { CHARACTER_WORK, FIRST_FINAL, LAST_FINAL, PlainFunctions, SEQUENCE_WORK } from './plain-functions.ts';
import type { Printer } from './printer.ts';
import { setRendition } from './renditions.ts';
import type { Screen } from './screen.ts';
import type { TerminalState } from './terminal-state.ts';

const LINE_FEED = 0x0a;
const ESCAPE = 0x1b;
/** Codes below it are the control characters of C0. */
const FIRST_PRINTABLE = 0x20;
const DEL = 0x7f;
const LEFT_BRACKET = 0x5b;
const QUESTION_MARK = 0x3f;
const GRAPHIC_RENDITION = 0x6d;

/** Bytes that the parser gets at once; fewer while each line feed among them may copy most of the screen. */
const CHUNK_BYTES = 256;
const COSTLY_CHUNK_BYTES = 16;

/** Characters that are printed at once; fewer where each may move a row, or each few scroll between near margins. */
const TEXT_MAX = 256;
const COSTLY_TEXT_MAX = 16;

/** The most bytes that follow the first one of a character. */
const CONTINUATIONS_MAX = 3;

/** The byte that begins C1 characters in UTF-8; each of these may be a function. */
const C1_LEAD = 0xc2;

/** Work of a byte where every second one may end a function. */
const C1_WORK = 8;

/**
 * Runs output from its bytes: text, control characters, and whole control sequences that consist only of an optional
 * `?`, numbers and semicolons; the parser runs everything else. Most output takes the fast path. What it leaves goes to
 * `Printer` and the files of `functions/`, by which the parser runs output, too; tests compare both ways.
 */
export class ByteLoop {
  readonly #parser: ControlParser;
  readonly #state: TerminalState;
  readonly #screen: Screen;
  readonly #printer: Printer;
  readonly #parameters = new PlainParameters();
  readonly #functions: PlainFunctions;
  readonly #progress = new OutputProgress();
  readonly #fastPath: FastPath;
  readonly #text = new Uint32Array(TEXT_MAX);
  readonly #cut = new CutOutput();

  constructor(parser: ControlParser, functions: readonly ControlFunction[], state: TerminalState) {
    this.#parser = parser;
    this.#state = state;
    this.#screen = state.screen;
    this.#printer = state.printer;
    this.#functions = new PlainFunctions(functions, state, new Parameters(this.#parameters));
    this.#fastPath = new FastPath(this.#progress, state.screen, state.printer, this.#parameters);
  }

  /**
   * Runs bytes from `start` on; returns where it stopped.
   * @param work it stops after this much work, in bytes of text
   */
  run(bytes: Uint8Array, start: number, end: number, work: number): number {
    const parser = this.#parser;
    this.#progress.workLeft = work;
    // What the user did is no work of this output.
    this.#screen.takeWork();
    let at = this.#cut.length === 0 ? start : this.#runCut(bytes, start, end);
    while (at < end && this.#progress.workLeft > 0) {
      if (!parser.isPartial) {
        at = this.#runPlain(bytes, at, end);
        if (at === end || this.#progress.workLeft <= 0) break;
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
    parser.precedingCharacter = this.#progress.preceding;
    parser.parse(bytes, start, at);
    this.#progress.preceding = parser.precedingCharacter;
    this.#progress.workLeft -= (at - start) * (hasC1Lead ? C1_WORK : 1) + SEQUENCE_WORK + screen.takeWork();
    return at;
  }

  /** Runs output as long as it is plain; returns where that ends, which may be `start`. */
  #runPlain(bytes: Uint8Array, start: number, end: number): number {
    const screen = this.#screen;
    const progress = this.#progress;
    let at = start;
    progress.at = start;
    try {
      for (;;) {
        at = this.#fastPath.run(bytes, at, end);
        if (at >= end || progress.workLeft <= 0) break;
        const code = bytes[at] as number;
        let after = at + 1;
        if (code === ESCAPE) after = this.#runSequence(bytes, at, end);
        else if (code >= FIRST_PRINTABLE) after = this.#runText(bytes, at, end);
        else this.#runCharacter(code);
        if (after === at) break;
        progress.workLeft -= after - at + screen.takeWork();
        at = after;
      }
    } catch (error) {
      this.#state.host.failed('output', error);
    }
    return Math.max(at, progress.at);
  }

  #runCharacter(code: number): void {
    if (code === LINE_FEED && !this.#screen.isLinefeedNewLine) this.#screen.index();
    else this.#functions.runCharacter(code);
    this.#progress.preceding = 0;
    this.#progress.workLeft -= CHARACTER_WORK;
  }

  /** Prints some text that is not for the fast path; returns where it ends, which is `start` before other bytes. */
  #runText(bytes: Uint8Array, start: number, end: number): number {
    const text = this.#text;
    const progress = this.#progress;
    const { margins, hasSideMargins, isInsert } = this.#screen;
    const inMargins = hasSideMargins ? Math.max(COSTLY_TEXT_MAX, margins.right - margins.left) : TEXT_MAX;
    const most = isInsert ? COSTLY_TEXT_MAX : Math.min(TEXT_MAX, inMargins);
    let count = 0;
    let at = start;
    while (at < end && count < most) {
      const byte = bytes[at] as number;
      const code = byte < DEL ? byte : characterAt(bytes, at, end);
      if (code < FIRST_PRINTABLE) break;
      text[count] = code;
      count += 1;
      at += bytesOf(code);
    }
    if (count > 0) progress.preceding = this.#printer.print(text, 0, count, progress.preceding !== 0);
    return at;
  }

  /**
   * Runs a sequence; returns `start` for one that is not plain, is cut off, or has more or longer numbers than are read
   * here.
   */
  #runSequence(bytes: Uint8Array, start: number, end: number): number {
    if (start + 2 >= end || bytes[start + 1] !== LEFT_BRACKET) return start;
    const isPrivate = bytes[start + 2] === QUESTION_MARK;
    const parameters = this.#parameters;
    const behind = parameters.read(bytes, start + (isPrivate ? 3 : 2), end);
    const final = behind < end ? (bytes[behind] as number) : 0;
    if (final < FIRST_FINAL || final > LAST_FINAL) return start;
    const progress = this.#progress;
    this.#state.precedingCharacter = progress.preceding;
    progress.preceding = 0;
    const isRendition = final === GRAPHIC_RENDITION && !isPrivate;
    if (!isRendition || !setRendition(this.#screen.pen, parameters.params, parameters.length)) {
      progress.workLeft -= this.#functions.runSequence(final, isPrivate);
    }
    return behind + 1;
  }
}
