import type { CellLine, Extra } from './cell.ts';
import type { Cursor } from './cursor.ts';
import type { Damage } from './damage.ts';
import type { ModeName } from './modes.ts';
import type { ModifiedKeys } from './modified-keys.ts';
import type { ShellMark } from './shell-mark.ts';

/** The interface to the terminal's state machine, so that another implementation can replace it. */

/** Modes by name: what the application set, and what menus and actions may set. */
export interface ModeStates {
  get(name: ModeName): boolean;
  /** Has the same effect as the control function that sets or resets the mode, without the parser. */
  set(name: ModeName, isOn: boolean): void;
  /**
   * Calls `changed` after every change of the named modes, also by menus and actions, until the returned function is
   * called.
   */
  watch(names: readonly ModeName[], changed: () => void): () => void;
}

/** Read access to the screen. Rows count from the first of the live screen; negative ones are history. */
export interface ScreenView {
  readonly columns: number;
  readonly rows: number;
  /** Lines above the live screen; 0 on the alternate screen. */
  readonly historyLines: number;
  readonly cursor: Cursor;
  /** Returns a line, which is valid until the engine changes; undefined outside of history and screen. */
  line(row: number): CellLine | undefined;
  /** Returns the present row of a line; undefined if the line has left the history. */
  rowOf(lineId: number): number | undefined;
  /** Returns the text of a cell whose content word has CLUSTER set. */
  clusterText(number: number): string;
  /** Returns the underline colour and link of a cell's extra word. */
  extra(number: number): Extra;
}

/** Takes bytes and produces the screen and replies. */
export interface Engine extends ScreenView {
  readonly modes: ModeStates;
  /** How the application wants keys to be reported: flags of the kitty keyboard protocol. */
  readonly keyboardFlags: number;
  /** How keys report the modifiers they are pressed with. */
  readonly modifiedKeys: Readonly<ModifiedKeys>;
  /** The marks of the shell, oldest first; their lines may have left the history. */
  readonly shellMarks: readonly ShellMark[];
  /** The address of the directory that the shell last reported. */
  readonly directory: string | undefined;
  /** Parses output of the child at once; a character or sequence may be split between calls. */
  write(bytes: Uint8Array): void;
  /**
   * Parses a part of the output from `start` up to `end` that takes well under a millisecond; returns where it ends.
   */
  writePart(bytes: Uint8Array, start: number, end: number): number;
  /**
   * @param isEdited whether a program, not the kernel, edits the line at the cursor and redraws it without help; false
   * by default
   * @param isPromptLeft whether the program that marked the prompt is not the one that edits: it may have ended at its
   * prompt
   */
  resize(columns: number, rows: number, isEdited?: boolean, isPromptLeft?: boolean): void;
  softReset(): void;
  fullReset(): void;
  /** Returns the changes since the last call. */
  takeDamage(): Damage;
}
