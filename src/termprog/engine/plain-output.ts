import type { ControlFunction } from './control-function.ts';
import { guard } from './guarded-function.ts';
import { OMITTED, Parameters, type RawParameters } from './parameters.ts';
import type { TerminalState } from './terminal-state.ts';

/** Writes text. `isContinued` when nothing came between these characters and those before. */
export interface TextPrinter {
  /** Gives the last character, which REP repeats. */
  print(data: Uint32Array, start: number, end: number, isContinued: boolean): number;
  /** Writes the printable ASCII at `start`, if it can; gives where that ends. */
  printBytes(bytes: Uint8Array, start: number, end: number, isContinued: boolean): number;
}

/** What the parser tells of itself, and is told. */
interface ParserState {
  /** The last character, where nothing came behind it; else 0. */
  precedingJoinState: number;
}

/** Below it are the control characters of C0. */
const FIRST_PRINTABLE = 0x20;
const ESCAPE = 0x1b;
const LEFT_BRACKET = 0x5b;
const QUESTION_MARK = 0x3f;
const SEMICOLON = 0x3b;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
const FIRST_FINAL = 0x40;
const LAST_FINAL = 0x7e;

/** Of a number that is read here: as many as `PARAMETER_MAX` has, and few enough for quick arithmetic. */
const DIGITS_MAX = 5;

/** Parameters that the parser keeps of one sequence. */
const PARAMETERS_MAX = 32;

/**
 * Work that functions ask for beside their bytes, in bytes of text: few bytes may ask for much, such as to fill the
 * screen hundreds of times. Those of `LIGHT_FINALS` change the cursor or the pen, and K a part of one line.
 */
const CHARACTER_WORK = 3;
const LINE_WORK = 16;
export const SEQUENCE_WORK = 48;
const LIGHT_FINALS: ReadonlySet<string> = new Set('ABCDEFGHade`fm');

/** Functions by a number; undefined where there is none. */
function emptyTable(length: number): ((() => void) | undefined)[] {
  return new Array<(() => void) | undefined>(length).fill(undefined);
}

class PlainParameters implements RawParameters {
  readonly params = new Int32Array(PARAMETERS_MAX);
  length = 1;

  hasSubParams(): boolean {
    return false;
  }

  getSubParams(): null {
    return null;
  }
}

/**
 * Runs output that is plain, from its bytes: printable ASCII, control characters, and whole control sequences of
 * nothing but an optional `?`, numbers and semicolons. Only between sequences, where each of these has one meaning.
 */
export class PlainOutput {
  readonly #parser: ParserState;
  readonly #state: TerminalState;
  readonly #printer: TextPrinter;
  readonly #characters = emptyTable(FIRST_PRINTABLE);
  /** By final character, without a marker and behind `?`. */
  readonly #sequences = emptyTable(LAST_FINAL - FIRST_FINAL + 1);
  readonly #privateSequences = emptyTable(LAST_FINAL - FIRST_FINAL + 1);
  /** By final character, of sequences without a marker. */
  readonly #work = Uint8Array.from({ length: LAST_FINAL - FIRST_FINAL + 1 }, (_, index) => workOf(index + FIRST_FINAL));
  #workLeft = 0;
  readonly #parameters = new PlainParameters();

  constructor(
    parser: ParserState,
    functions: readonly ControlFunction[],
    { state, printer }: { state: TerminalState; printer: TextPrinter },
  ) {
    this.#parser = parser;
    this.#state = state;
    this.#printer = printer;
    for (const definition of functions) this.#register(definition, new Parameters(this.#parameters));
  }

  /** What was left of the work at the end of the last call; not more than 0 when that ended it. */
  get workLeft(): number {
    return this.#workLeft;
  }

  /**
   * Runs what is plain from `start` on; gives where that ends, which may be `start`.
   * @param work after so much, in bytes of text, it ends
   */
  take(bytes: Uint8Array, start: number, work: number): number {
    this.#workLeft = work;
    let at = start;
    for (let end = start; at < bytes.length && this.#workLeft > 0; at = end) {
      const code = bytes[at] as number;
      if (code >= FIRST_PRINTABLE) end = this.#takeText(bytes, at, Math.min(bytes.length, at + this.#workLeft));
      else if (code === ESCAPE) end = this.#takeSequence(bytes, at);
      else {
        this.#characters[code]?.();
        this.#parser.precedingJoinState = 0;
        this.#workLeft -= CHARACTER_WORK;
        end = at + 1;
      }
      if (end === at) break;
      this.#workLeft -= end - at;
    }
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

  /** Sequences with another marker or intermediate characters are not plain. */
  #registerSequence(sequence: string, run: () => void): void {
    const isPrivate = sequence.startsWith('?');
    const final = isPrivate ? sequence.slice(1) : sequence;
    const table = isPrivate ? this.#privateSequences : this.#sequences;
    if (final.length === 1) table[final.charCodeAt(0) - FIRST_FINAL] = run;
  }

  #takeText(bytes: Uint8Array, start: number, end: number): number {
    const parser = this.#parser;
    try {
      const after = this.#printer.printBytes(bytes, start, end, parser.precedingJoinState !== 0);
      if (after > start) parser.precedingJoinState = bytes[after - 1] as number;
      return after;
    } catch (error) {
      this.#state.host.failed('text', error);
      return start;
    }
  }

  /** Gives `start` for a sequence that is not plain, is cut, or has more or longer numbers than are read here. */
  #takeSequence(bytes: Uint8Array, start: number): number {
    if (bytes[start + 1] !== LEFT_BRACKET) return start;
    const isPrivate = bytes[start + 2] === QUESTION_MARK;
    const at = this.#readNumbers(bytes, start + (isPrivate ? 3 : 2));
    const final = at < bytes.length ? (bytes[at] as number) : 0;
    if (final < FIRST_FINAL || final > LAST_FINAL) return start;
    this.#state.precedingCharacter = this.#parser.precedingJoinState;
    (isPrivate ? this.#privateSequences : this.#sequences)[final - FIRST_FINAL]?.();
    this.#parser.precedingJoinState = 0;
    this.#workLeft -= isPrivate ? SEQUENCE_WORK : (this.#work[final - FIRST_FINAL] ?? SEQUENCE_WORK);
    return at + 1;
  }

  /** Reads numbers and semicolons from `start` on; gives where they end, or the end of all when they are too many. */
  #readNumbers(bytes: Uint8Array, start: number): number {
    const parameters = this.#parameters;
    const { params } = parameters;
    let count = 0;
    let value = 0;
    let numberStart = start;
    for (let at = start; at < bytes.length; at += 1) {
      const code = bytes[at] as number;
      if (code >= DIGIT_ZERO && code <= DIGIT_NINE) {
        value = value * 10 + code - DIGIT_ZERO;
        continue;
      }
      const digits = at - numberStart;
      if (digits > DIGITS_MAX || count === PARAMETERS_MAX) break;
      params[count] = digits === 0 ? OMITTED : value;
      count += 1;
      parameters.length = count;
      if (code !== SEMICOLON) return at;
      value = 0;
      numberStart = at + 1;
    }
    return bytes.length;
  }
}

function workOf(final: number): number {
  const letter = String.fromCharCode(final);
  if (LIGHT_FINALS.has(letter)) return 0;
  return letter === 'K' ? LINE_WORK : SEQUENCE_WORK;
}
