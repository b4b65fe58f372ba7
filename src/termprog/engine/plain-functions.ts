import type { ControlFunction } from './control-function.ts';
import { guard } from './guarded-function.ts';
import type { Parameters } from './parameters.ts';
import type { TerminalState } from './terminal-state.ts';

/** Codes below it are the control characters of C0. */
const FIRST_PRINTABLE = 0x20;

/** The characters that end a control sequence. */
export const FIRST_FINAL = 0x40;
export const LAST_FINAL = 0x7e;

/**
 * Work that functions cause besides reading their bytes, measured in bytes of text: a few bytes may cause much, such as
 * to fill the screen hundreds of times. The functions in `LIGHT_FINALS` change the cursor or the pen, and K erases a
 * part of one line.
 */
export const CHARACTER_WORK = 3;
export const SEQUENCE_WORK = 48;
const LINE_WORK = 16;
const LIGHT_FINALS: ReadonlySet<string> = new Set('ABCDEFGHade`fm');

/** Returns a table of functions by number, with every entry undefined. */
function emptyTable(length: number): ((() => void) | undefined)[] {
  return new Array<(() => void) | undefined>(length).fill(undefined);
}

/** The functions of C0 characters and of sequences that consist only of an optional `?`, numbers and semicolons. */
export class PlainFunctions {
  readonly #characters = emptyTable(FIRST_PRINTABLE);
  /** By final character, without a marker and after `?`. */
  readonly #sequences = emptyTable(LAST_FINAL - FIRST_FINAL + 1);
  readonly #privateSequences = emptyTable(LAST_FINAL - FIRST_FINAL + 1);
  /** By final character, for sequences without a marker. */
  readonly #work = Uint8Array.from({ length: LAST_FINAL - FIRST_FINAL + 1 }, (_, index) => workOf(index + FIRST_FINAL));

  /** @param parameters read the numbers of the sequence that runs */
  constructor(functions: readonly ControlFunction[], state: TerminalState, parameters: Parameters) {
    for (const definition of functions) this.#register(definition, state, parameters);
  }

  runCharacter(code: number): void {
    this.#characters[code]?.();
  }

  /** Runs a sequence by its final character; returns the work that it causes besides reading its bytes. */
  runSequence(final: number, isPrivate: boolean): number {
    const index = final - FIRST_FINAL;
    if (isPrivate) {
      this.#privateSequences[index]?.();
      return SEQUENCE_WORK;
    }
    this.#sequences[index]?.();
    return this.#work[index] as number;
  }

  #register(definition: ControlFunction, state: TerminalState, parameters: Parameters): void {
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
}

function workOf(final: number): number {
  const letter = String.fromCharCode(final);
  if (LIGHT_FINALS.has(letter)) return 0;
  return letter === 'K' ? LINE_WORK : SEQUENCE_WORK;
}
