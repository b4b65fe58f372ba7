import type { Parameters } from './parameters.ts';
import type { TerminalState } from './terminal-state.ts';

/**
 * One control function: the characters that an application sends, and the effect. The files of `functions/` have
 * families of them, as arrays; a long function has its own file. `functions/index.ts` has a line for each file.
 */
export type ControlFunction =
  | ControlCharacter
  | EscapeSequence
  | ControlSequence
  | OperatingSystemCommand
  | DeviceControlString;

interface Named {
  /** The mnemonic of its standard, and its name. */
  name: string;
  /**
   * The lowest conformance level at which terminals have it; DECSCL sets the level. Without this, every level has it.
   */
  level?: number;
  /** The values of its first parameter, or of its text, that are understood, if those are not all. */
  choices?: readonly string[];
}

/** Control characters of C0; ECMA-48 5.2. */
export interface ControlCharacter extends Named {
  kind: 'character';
  codes: readonly number[];
  run(state: TerminalState): void;
}

/**
 * ESC, intermediate characters, and a final one; `sequences` are the characters after ESC. A single character from @ to
 * _ after ESC can also be sent as one character of C1; ECMA-48 5.3.
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

/** OSC: one of `numbers` stands before the first semicolon, `text` after it. */
export interface OperatingSystemCommand extends Named {
  kind: 'osc';
  numbers: readonly number[];
  /** Longer texts are dropped as a whole. Without this the general bound applies. */
  maxCharacters?: number | ((state: TerminalState) => number);
  /** Longer texts are cut here instead. */
  keptCharacters?: number;
  /** Is called when the command was longer than its bound and was dropped. */
  drop?(state: TerminalState): void;
  /** @param terminator what ended the command, BEL or ST; answers end in the same way */
  run(state: TerminalState, text: string, number: number, terminator: string): void;
}

/** DCS: `sequence` is one, written as for CSI; `text` is what follows the final character. */
export interface DeviceControlString extends Named {
  kind: 'dcs';
  sequence: string;
  run(state: TerminalState, text: string, parameters: Parameters): void;
}
