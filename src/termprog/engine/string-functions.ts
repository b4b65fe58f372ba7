import type { ControlFunction, DeviceControlString, OperatingSystemCommand } from './control-function.ts';
import { ControlString, type StringBounds } from './control-string.ts';
import { runGuarded } from './guarded-function.ts';
import { Parameters, type RawParameters } from './parameters.ts';
import type { TerminalState } from './terminal-state.ts';

/** The methods that the parser calls for a string. */
export interface StringParser {
  start?(): void;
  put(data: Uint32Array, start: number, end: number): void;
  end?(isComplete: boolean): void;
  reset(): void;
  dispose(): void;
}

export interface CommandParser extends StringParser {
  /** Begins to parse further code points. */
  startChunk(data: Uint32Array, length: number): void;
}

export interface DeviceStringParser extends StringParser {
  hook(identifier: number, parameters: RawParameters): void;
  unhook(isComplete: boolean): void;
}

/** Code points that end an OSC command; the parser calls the same method for all of them. */
const BEL = 0x07;
const ENDS: ReadonlySet<number> = new Set([BEL, 0x18, 0x1a, 0x1b, 0x9c]);

/** Creates the parser for `number ; text`; it collects the text only for a number that has a function. */
export function createOscParser(functions: readonly ControlFunction[], state: TerminalState): CommandParser {
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
  /** The code points that are parsed now, and how far they were read as text of a command. */
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
  /**
   * Returns whether BEL ends the command. Only characters without meaning stand between the text that was read last and
   * that end.
   */
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

/** Returns how much of a text is collected; a configured bound may change between two commands. */
function boundsOf({ keptCharacters, maxCharacters }: OperatingSystemCommand, state: TerminalState): StringBounds {
  const most = typeof maxCharacters === 'function' ? maxCharacters(state) : maxCharacters;
  return {
    ...(keptCharacters !== undefined && { keptCharacters }),
    ...(most !== undefined && { maxCharacters: most }),
  };
}

export function createDcsParser(functions: readonly ControlFunction[], state: TerminalState): DeviceStringParser {
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

/** Returns the characters of a sequence packed as the parser does it. */
function identifierOf(sequence: string): number {
  return [...sequence].reduce((packed, character) => (packed << 8) | character.charCodeAt(0), 0);
}
