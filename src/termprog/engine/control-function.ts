import type { Parameters } from './parameters.ts';
import type { TerminalState } from './terminal-state.ts';

/**
 * One control function: what an application sends, and what it does. Each has its own file in `functions/`
 * and a line in `functions/index.ts`.
 */
export type ControlFunction =
  | ControlCharacter
  | EscapeSequence
  | ControlSequence
  | OperatingSystemCommand
  | DeviceControlString;

interface Named {
  /** The mnemonic of its standard, and what it is called. */
  name: string;
  /** The conformance level from which on terminals have it; DECSCL sets the level. Without it, every level has it. */
  level?: number;
  /** What is understood of its first parameter, or of its text, where that is not everything. */
  choices?: readonly string[];
}

/** Control characters of C0; ECMA-48 5.2. */
export interface ControlCharacter extends Named {
  kind: 'character';
  codes: readonly number[];
  run(state: TerminalState): void;
}

/**
 * ESC, intermediate characters, and a final one; `sequences` is what stands behind ESC. One of the characters from @ to _
 * alone has a form of one character too, in C1; ECMA-48 5.3.
 */
export interface EscapeSequence extends Named {
  kind: 'escape';
  sequences: readonly string[];
  run(state: TerminalState): void;
}

/** CSI: the private marker, if any, the intermediate characters and the final one, as in `?$p`. */
export interface ControlSequence extends Named {
  kind: 'csi';
  sequences: readonly string[];
  run(state: TerminalState, parameters: Parameters): void;
}

/** OSC: one of `numbers` stands before the first semicolon, `text` behind it. */
export interface OperatingSystemCommand extends Named {
  kind: 'osc';
  numbers: readonly number[];
  /** Longer texts are dropped whole. Without it the general bound applies. */
  maxCharacters?: number | ((state: TerminalState) => number);
  /** Longer texts are cut here instead. */
  keptCharacters?: number;
  /** The command was longer than its bound, and dropped. */
  drop?(state: TerminalState): void;
  /** @param terminator what ended the command, BEL or ST, with which its answers end, too */
  run(state: TerminalState, text: string, number: number, terminator: string): void;
}

/** DCS: `sequence` is one, written as for CSI; `text` is what stands behind the final character. */
export interface DeviceControlString extends Named {
  kind: 'dcs';
  sequence: string;
  run(state: TerminalState, text: string, parameters: Parameters): void;
}
