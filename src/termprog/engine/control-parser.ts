import xterm from '@xterm/headless';
import type { ControlFunction, DeviceControlString, OperatingSystemCommand } from './control-function.ts';
import { ControlString, type StringBounds } from './control-string.ts';
import { guard, runGuarded } from './guarded-function.ts';
import { OMITTED, Parameters, type RawParameters } from './parameters.ts';
import { PlainOutput, type TextPrinter } from './plain-output.ts';
import type { TerminalState } from './terminal-state.ts';

/**
 * The parser of @xterm/headless, of exactly the version that package.json pins, below its public interface. This is
 * the only file that uses it: the public interface parses later, and does not let us replace the collecting of control
 * strings.
 */
interface Parser {
  /** The last character; the printing code sets it, and everything but characters resets it to 0. */
  precedingJoinState: number;
  /** `GROUND`, or the kind of sequence that is half parsed. */
  readonly currentState: number;
  /** Filled anew for each sequence. */
  readonly _params: RawParameters & { addParam(value: number): void };
  _oscParser: StringParser;
  _dcsParser: StringParser & {
    hook(identifier: number, parameters: RawParameters): void;
    unhook(isComplete: boolean): void;
  };
  parse(data: Uint32Array, length: number): void;
  setPrintHandler(print: (data: Uint32Array, start: number, end: number) => void): void;
  setExecuteHandler(character: string, run: () => boolean): void;
  registerCsiHandler(id: FunctionId, run: () => boolean): unknown;
  registerEscHandler(id: FunctionId, run: () => boolean): unknown;
}

interface StringParser {
  start?(): void;
  put(data: Uint32Array, start: number, end: number): void;
  end?(isComplete: boolean): void;
  reset(): void;
  dispose(): void;
}

/** The parser's state between sequences, where characters are text. */
const GROUND = 0;

/** Code points that end an OSC command; the parser calls the same function for all of them. */
const BEL = 0x07;
const ENDS: ReadonlySet<number> = new Set([BEL, 0x18, 0x1a, 0x1b, 0x9c]);

interface FunctionId {
  prefix?: string;
  intermediates?: string;
  final: string;
}

interface Internals {
  _core: {
    _inputHandler: { _parser: { constructor: new () => Parser } };
  };
}

export interface ControlParser {
  /** A control sequence or string is half parsed. */
  readonly isInSequence: boolean;
  /** Has the effect of `parse` for bytes between sequences, but nothing is decoded. */
  readonly plain: Pick<PlainOutput, 'take' | 'workLeft'>;
  /** Parses code points at once; a sequence may be split over calls. */
  parse(data: Uint32Array, length: number): void;
}

/** Gives the class of the parser. Building a terminal of that library takes milliseconds: once is enough. */
export const loadParser = ((): (() => new () => Parser) => {
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

/** Parses code points and runs control functions on `state`. */
export function createControlParser(
  parser: Parser,
  functions: readonly ControlFunction[],
  state: TerminalState,
  printer: TextPrinter,
): ControlParser {
  parser.setPrintHandler((data, start, end) => {
    try {
      parser.precedingJoinState = printer.print(data, start, end, parser.precedingJoinState !== 0);
    } catch (error) {
      state.host.failed('text', error);
    }
  });
  tellOmitted(parser);
  for (const definition of functions) register(parser, definition, state);
  const oscParser = createOscParser(functions, state);
  parser._oscParser = oscParser;
  parser._dcsParser = createDcsParser(functions, state);
  const plain = new PlainOutput(parser, functions, { state, printer });
  return {
    get isInSequence() {
      return parser.currentState !== GROUND;
    },
    plain,
    parse: (data, length) => {
      oscParser.startChunk(data, length);
      parser.parse(data, length);
    },
  };
}

/** The parser makes a parameter that is left out a 0; some functions tell the two apart. */
function tellOmitted({ _params: parameters }: Parser): void {
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

/** The C1 character that means the same as ESC and this one. */
function singleCharacter(sequence: string): number[] {
  return /^[@-_]$/.test(sequence) ? [sequence.charCodeAt(0) + 0x40] : [];
}

/** A sequence such as `?$p` in the form that the parser takes. */
function identify(sequence: string): FunctionId {
  const match = /^([<=>?]?)([ -/]*)([0-~])$/.exec(sequence);
  if (match === null) throw new Error(`"${sequence}" is not a control sequence`);
  const [, prefix = '', intermediates = '', final = ''] = match;
  return { ...(prefix !== '' && { prefix }), ...(intermediates !== '' && { intermediates }), final };
}

/** Reads `number ; text`; collects the text only for a number that has a function. */
function createOscParser(
  functions: readonly ControlFunction[],
  state: TerminalState,
): StringParser & { startChunk(data: Uint32Array, length: number): void } {
  const byNumber = new Map(
    functions
      .filter((definition): definition is OperatingSystemCommand => definition.kind === 'osc')
      .flatMap((definition) => definition.numbers.map((number) => [number, definition] as const)),
  );
  const text = new ControlString();
  let number: number | undefined;
  let isNumberRead = false;
  let isBad = false;
  let found: OperatingSystemCommand | undefined;
  /** What is parsed now, and how far it was read as text of a command. */
  let chunk: Uint32Array = new Uint32Array();
  let chunkLength = 0;
  let readTo = 0;
  const reset = (): void => {
    number = undefined;
    isNumberRead = false;
    isBad = false;
    found = undefined;
  };
  const endNumber = (): void => {
    isNumberRead = true;
    found = number === undefined ? undefined : byNumber.get(number);
    const definition = found;
    if (definition !== undefined) runGuarded(state, definition, () => text.start(boundsOf(definition, state)));
  };
  /** Between the text that was read last and the end of its command there are only characters without meaning. */
  const isEndedByBell = (): boolean => {
    let at = readTo;
    while (at < chunkLength && !ENDS.has(chunk[at] as number)) at += 1;
    return chunk[at] === BEL;
  };
  return {
    startChunk: (data, length) => {
      chunk = data;
      chunkLength = length;
      readTo = 0;
    },
    start: reset,
    reset,
    dispose: reset,
    put: (data, start, end) => {
      readTo = end;
      let at = start;
      while (!isNumberRead && !isBad && at < end) {
        const code = data[at] as number;
        at += 1;
        if (code === 0x3b) endNumber();
        else if (code < 0x30 || code > 0x39) isBad = true;
        else number = Math.min((number ?? 0) * 10 + code - 0x30, Number.MAX_SAFE_INTEGER / 16);
      }
      if (found !== undefined && at < end) text.put(data, at, end);
    },
    end: (isComplete) => {
      if (!isNumberRead && !isBad) endNumber();
      const definition = found;
      const given = number;
      const collected = definition === undefined ? undefined : text.take();
      reset();
      if (!isComplete || definition === undefined || given === undefined) return;
      const terminator = isEndedByBell() ? '\x07' : '\x1b\\';
      runGuarded(state, definition, () => {
        if (collected === undefined) definition.drop?.(state);
        else definition.run(state, collected, given, terminator);
      });
    },
  };
}

/** How much of a text is collected: a configured bound may change between two commands. */
function boundsOf({ keptCharacters, maxCharacters }: OperatingSystemCommand, state: TerminalState): StringBounds {
  const most = typeof maxCharacters === 'function' ? maxCharacters(state) : maxCharacters;
  return {
    ...(keptCharacters !== undefined && { keptCharacters }),
    ...(most !== undefined && { maxCharacters: most }),
  };
}

function createDcsParser(functions: readonly ControlFunction[], state: TerminalState): Parser['_dcsParser'] {
  const byIdentifier = new Map(
    functions
      .filter((definition): definition is DeviceControlString => definition.kind === 'dcs')
      .map((definition) => [identifierOf(definition.sequence), definition]),
  );
  const text = new ControlString();
  let found: DeviceControlString | undefined;
  let parameters: Parameters | undefined;
  const reset = (): void => {
    found = undefined;
  };
  return {
    reset,
    dispose: reset,
    hook: (identifier, raw) => {
      found = byIdentifier.get(identifier);
      if (found === undefined) return;
      text.start({});
      parameters = new Parameters(raw);
    },
    put: (data, start, end) => {
      if (found !== undefined) text.put(data, start, end);
    },
    unhook: (isComplete) => {
      const definition = found;
      const collected = definition === undefined ? undefined : text.take();
      reset();
      const given = parameters;
      if (isComplete && definition !== undefined && collected !== undefined && given !== undefined) {
        runGuarded(state, definition, () => definition.run(state, collected, given));
      }
    },
  };
}

/** The characters of a sequence packed as the parser does. */
function identifierOf(sequence: string): number {
  return [...sequence].reduce((packed, character) => (packed << 8) | character.charCodeAt(0), 0);
}
