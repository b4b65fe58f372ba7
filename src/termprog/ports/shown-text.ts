import type { ActionEvent } from './action-event.ts';

/** The visible part of history and screen. */
export interface ViewPort {
  /** Rows of the screen. */
  readonly rows: number;
  readonly columns: number;
  /** Scrolls to older lines, or newer ones if negative; it stops at either end. */
  scrollBy(lines: number): void;
}

/** Selecting text with the pointer, publishing it, and pasting. */
export interface SelectionPort {
  /** Whether a selection is being made: its button is held, and events belong to it until it ends. */
  readonly isSelecting: boolean;
  /**
   * Begins a selection at the pointer; several clicks select words, then lines. While Meta is held it selects a block,
   * too.
   */
  start(event: ActionEvent, isBlock: boolean): void;
  /** Moves the nearer end of the selection to the pointer, and continues from there. */
  startExtend(event: ActionEvent): void;
  /** Moves the end that follows the pointer, while a selection is being made. */
  extend(event: ActionEvent): void;
  /**
   * Ends a selection and publishes its text; for a key event, publishes the selected text.
   * @param names of selections and cut buffers
   */
  end(event: ActionEvent, names: readonly string[]): void;
  /** Pastes the first text among the named selections and cut buffers. */
  insert(names: readonly string[]): void;
}

/** The search in screen and history. */
export interface SearchPort {
  /** Opens the search bar, which takes all keys; has no effect when it is open. */
  open(): void;
}

/** Links on the screen. */
export interface LinkPort {
  /** Arms the link under a button press: the release at the same place opens it. Only an armed link is opened. */
  arm(event: ActionEvent): void;
}

/** Moves between the prompts that the shell has marked. */
export interface PromptPort {
  /** Shows the count-th prompt above the view, or the farthest one; rings the bell if there is none. */
  showPrevious(count: number): void;
  /** Shows the count-th prompt below the first row of the view, in the same way. */
  showNext(count: number): void;
}

/** The output of the shell's commands. */
export interface CommandOutputPort {
  /** Pipes the output of the last completed command to the user's own command, if both exist. */
  pipe(): void;
}
