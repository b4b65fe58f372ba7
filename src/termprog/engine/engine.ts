import type { CellLine, Extra } from './cell.ts';
import type { Cursor } from './cursor.ts';
import type { Damage } from './damage.ts';
import type { ModeName } from './modes.ts';
import type { ModifiedKeys } from './modified-keys.ts';
import type { ShellMark } from './shell-mark.ts';

/** The terminal's state machine behind an interface, so that another implementation can take its place. */

/** Modes by name: what the application set, and what menus and actions may set. */
export interface ModeStates {
  get(name: ModeName): boolean;
  /** Has the same effect as the control function that sets or resets the mode, without the parser. */
  set(name: ModeName, isOn: boolean): void;
  /** Tells of every change of the named modes, whoever makes it, until the function that is returned is called. */
  watch(names: readonly ModeName[], changed: () => void): () => void;
}

/** Read access to the screen. Rows count from the first of the live screen; negative ones are history. */
export interface ScreenView {
  readonly columns: number;
  readonly rows: number;
  /** Lines above the live screen; 0 on the alternate screen. */
  readonly historyLines: number;
  readonly cursor: Cursor;
  /** Live: valid until the engine changes. Undefined outside of history and screen. */
  line(row: number): CellLine | undefined;
  /** The present row of a line; undefined when the line has left the history. */
  rowOf(lineId: number): number | undefined;
  /** Text of the cell whose content word says CLUSTER. */
  clusterText(number: number): string;
  /** Underline colour and link of a cell's extra word. */
  extra(number: number): Extra;
}

/** Bytes in, screen and replies out. */
export interface Engine extends ScreenView {
  readonly modes: ModeStates;
  /** How the application wants keys to be told: flags of the kitty keyboard protocol. */
  readonly keyboardFlags: number;
  /** How keys tell of the modifiers they are pressed with. */
  readonly modifiedKeys: Readonly<ModifiedKeys>;
  /** What the shell marked, oldest first; lines of marks may have left the history. */
  readonly shellMarks: readonly ShellMark[];
  /** The address of the directory that the shell last reported. */
  readonly directory: string | undefined;
  /** Parses output of the child at once; a character or sequence may be split over calls. */
  write(bytes: Uint8Array): void;
  /** Parses a part of the output from `start` up to `end` that takes well under a millisecond; gives where it ends. */
  writePart(bytes: Uint8Array, start: number, end: number): number;
  /**
   * @param isEdited a program, not the kernel, edits the line at the cursor, and draws it again by itself; false
   *   without it
   * @param isPromptLeft the program that has marked the prompt is not the one that edits: it may have ended at its prompt
   */
  resize(columns: number, rows: number, isEdited?: boolean, isPromptLeft?: boolean): void;
  softReset(): void;
  fullReset(): void;
  /** What changed since the last call. */
  takeDamage(): Damage;
}
