import xterm from '@xterm/headless';
import type { ControlFunction } from './control-function.ts';
import { guard } from './guarded-function.ts';
import { OMITTED, Parameters, type RawParameters } from './parameters.ts';
import { type CommandParser, createDcsParser, createOscParser, type DeviceStringParser } from './string-functions.ts';
import type { TerminalState } from './terminal-state.ts';

/**
 * The parser of @xterm/headless, of exactly the version that package.json pins, below its public interface. Only this
 * file uses it: the public interface parses later, and does not let us replace the code that collects control strings.
 */
interface Parser {
  /** The last character; the code that prints sets it, and everything except characters resets it to 0. */
  precedingJoinState: number;
  /** `GROUND`, or the kind of sequence that is half parsed. */
  readonly currentState: number;
  /** Filled anew for each sequence. */
  readonly _params: RawParameters & { addParam(value: number): void };
  _oscParser: CommandParser;
  _dcsParser: DeviceStringParser;
  parse(data: Uint32Array, length: number): void;
  setPrintHandler(print: (data: Uint32Array, start: number, end: number) => void): void;
  setExecuteHandler(character: string, run: () => boolean): void;
  registerCsiHandler(id: FunctionId, run: () => boolean): unknown;
  registerEscHandler(id: FunctionId, run: () => boolean): unknown;
}

/** The parser's state between sequences, where characters are text. */
const GROUND = 0;

/** A sequence's characters by their kinds; a kind without characters is empty. */
interface FunctionId {
  prefix: string;
  intermediates: string;
  final: string;
}

interface Internals {
  _core: {
    _inputHandler: { _parser: { constructor: new () => Parser } };
  };
}

/** Writes text. `isContinued` says that these characters directly follow those before. */
export interface TextPrinter {
  /** Returns the last character, which REP repeats. */
  print(data: Uint32Array, start: number, end: number, isContinued: boolean): number;
}

/** Bytes that are decoded and parsed at once. */
const CHUNK_BYTES = 256;

/** The class of the parser. It is found only once, because building a terminal of that library takes milliseconds. */
const loadParser = ((): (() => new () => Parser) => {
  let found: (new () => Parser) | undefined;
  return () => {
    found ??= findParser();
    return found;
  };
})();

function findParser(): new () => Parser {
  const options = { cols: 1, rows: 1, scrollback: 0, allowProposedApi: true };
  return (new xterm.Terminal(options) as unknown as Internals)._core._inputHandler._parser.constructor;
}

/**
 * Decodes and parses bytes, and runs control functions on the state. It can run any output; most output does not go
 * through it.
 */
export class ControlParser {
  readonly #parser: Parser;
  readonly #oscParser: CommandParser;
  readonly #decoder = new Utf8Decoder();
  readonly #codePoints = new Uint32Array(CHUNK_BYTES + 1);

  constructor(functions: readonly ControlFunction[], state: TerminalState, printer: TextPrinter) {
    const HeadlessParser = loadParser();
    const parser = new HeadlessParser();
    parser.setPrintHandler((data, start, end) => {
      try {
        parser.precedingJoinState = printer.print(data, start, end, parser.precedingJoinState !== 0);
      } catch (error) {
        state.host.failed('text', error);
      }
    });
    markOmitted(parser);
    for (const definition of functions) register(parser, definition, state);
    this.#parser = parser;
    this.#oscParser = createOscParser(functions, state);
    parser._oscParser = this.#oscParser;
    parser._dcsParser = createDcsParser(functions, state);
  }

  /** Whether a character has begun, and its next byte is awaited. */
  get isInCharacter(): boolean {
    return this.#decoder.isInCharacter;
  }

  /** Whether a character, sequence or string has begun, and the rest is awaited. */
  get isPartial(): boolean {
    return this.#parser.currentState !== GROUND || this.#decoder.isInCharacter;
  }

  /** The last character if it directly precedes the current place; else 0. */
  get precedingCharacter(): number {
    return this.#parser.precedingJoinState;
  }

  set precedingCharacter(character: number) {
    this.#parser.precedingJoinState = character;
  }

  /** Parses bytes; a character or sequence may be split between calls. */
  parse(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; at += CHUNK_BYTES) {
      const length = this.#decoder.decode(bytes, at, Math.min(end, at + CHUNK_BYTES), this.#codePoints);
      this.#oscParser.startChunk(this.#codePoints, length);
      this.#parser.parse(this.#codePoints, length);
    }
  }
}

/** Makes the parser distinguish a parameter that is left out from a 0, since some functions do. */
function markOmitted({ _params: parameters }: Parser): void {
  const add = parameters.addParam.bind(parameters);
  parameters.addParam = () => add(OMITTED);
}

function register(parser: Parser, definition: ControlFunction, state: TerminalState): void {
  if (definition.kind === 'character' || definition.kind === 'escape') {
    const run = guard(state, definition, () => definition.run(state));
    const codes = definition.kind === 'character' ? definition.codes : definition.sequences.flatMap(singleCharacter);
    for (const code of codes) parser.setExecuteHandler(String.fromCharCode(code), run);
    if (definition.kind === 'escape') {
      for (const sequence of definition.sequences) parser.registerEscHandler(identify(sequence), run);
    }
  } else if (definition.kind === 'csi') {
    const parameters = new Parameters(parser._params);
    for (const sequence of definition.sequences) {
      const run = guard(state, definition, () => {
        state.precedingCharacter = parser.precedingJoinState;
        definition.run(state, parameters);
      });
      parser.registerCsiHandler(identify(sequence), run);
    }
  }
}

/** Returns the C1 character that means the same as ESC and this one. */
function singleCharacter(sequence: string): number[] {
  return /^[@-_]$/.test(sequence) ? [sequence.charCodeAt(0) + 0x40] : [];
}

/** Returns a sequence such as `?$p` in the form that the parser takes. */
function identify(sequence: string): FunctionId {
  if (!/^[<=>?]?[ -/]*[0-~]$/.test(sequence)) throw new Error(`"${sequence}" is not a control sequence`);
  const last = sequence.length - 1;
  const [first = ''] = sequence;
  const prefix = last > 0 && first >= '<' && first <= '?' ? first : '';
  return { prefix, intermediates: sequence.slice(prefix.length, last), final: sequence.slice(last) };
}

const REPLACEMENT = 0xfffd;

/**
 * Decodes UTF-8 that comes in pieces into code points. Each maximal part of an invalid sequence becomes one U+FFFD, as
 * in browsers; all bytes are kept, even a byte order mark.
 * @see WHATWG Encoding §8.1.1
 */
export class Utf8Decoder {
  /** Bits of the character so far, and how many more bytes it needs. */
  #codePoint = 0;
  #needed = 0;
  /** The range of the next continuation byte: it is narrower after E0, ED, F0 and F4. */
  #lower = 0x80;
  #upper = 0xbf;
  /** Whether the last byte ended a sequence without being part of it. */
  #isSeenAgain = false;

  /** Whether a character has begun, and its next byte is awaited. */
  get isInCharacter(): boolean {
    return this.#needed > 0;
  }

  /**
   * @param target has room for one code point more than there are bytes
   * @returns how many code points were written
   */
  decode(bytes: Uint8Array, start: number, end: number, target: Uint32Array): number {
    let written = 0;
    for (let at = start; at < end; ) {
      if (this.#needed === 0) {
        const ascii = copyAscii(bytes, at, end, target, written);
        at += ascii;
        written += ascii;
        if (at === end) break;
        const whole = threeBytes(bytes, at, end);
        if (whole >= 0) {
          target[written] = whole;
          written += 1;
          at += 3;
          continue;
        }
      }
      const codePoint = this.#step(bytes[at] as number);
      if (codePoint >= 0) {
        target[written] = codePoint;
        written += 1;
      }
      if (!this.#isSeenAgain) at += 1;
    }
    return written;
  }

  /** Takes one byte of a longer character; returns the code point if this byte completes it, else -1. */
  #step(byte: number): number {
    this.#isSeenAgain = false;
    if (this.#needed === 0) return this.#begin(byte) ? -1 : REPLACEMENT;
    if (byte < this.#lower || byte > this.#upper) {
      // The byte may begin a character.
      this.#isSeenAgain = true;
      this.#needed = 0;
      return REPLACEMENT;
    }
    this.#lower = 0x80;
    this.#upper = 0xbf;
    this.#codePoint = (this.#codePoint << 6) | (byte & 0x3f);
    this.#needed -= 1;
    return this.#needed === 0 ? this.#codePoint : -1;
  }

  /** Takes the first byte of a longer character; returns false for a byte that can't begin one. */
  #begin(byte: number): boolean {
    this.#lower = 0x80;
    this.#upper = 0xbf;
    if (byte >= 0xc2 && byte <= 0xdf) {
      this.#needed = 1;
      this.#codePoint = byte & 0x1f;
      return true;
    }
    if (byte >= 0xe0 && byte <= 0xef) {
      if (byte === 0xe0) this.#lower = 0xa0;
      if (byte === 0xed) this.#upper = 0x9f;
      this.#needed = 2;
      this.#codePoint = byte & 0xf;
      return true;
    }
    if (byte >= 0xf0 && byte <= 0xf4) {
      if (byte === 0xf0) this.#lower = 0x90;
      if (byte === 0xf4) this.#upper = 0x8f;
      this.#needed = 3;
      this.#codePoint = byte & 0x7;
      return true;
    }
    return false;
  }
}

/** Copies a run of ASCII; returns its length. */
function copyAscii(bytes: Uint8Array, start: number, end: number, target: Uint32Array, written: number): number {
  let at = start;
  let to = written;
  for (; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte >= 0x80) break;
    target[to] = byte;
    to += 1;
  }
  return at - start;
}

/** Returns a complete character of three bytes, such as most beyond Latin; -1 for any case that needs a closer look. */
function threeBytes(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at] as number;
  if (first < 0xe1 || first > 0xef || first === 0xed || at + 2 >= end) return -1;
  const second = bytes[at + 1] as number;
  const third = bytes[at + 2] as number;
  if ((second & 0xc0) !== 0x80 || (third & 0xc0) !== 0x80) return -1;
  return ((first & 0xf) << 12) | ((second & 0x3f) << 6) | (third & 0x3f);
}
