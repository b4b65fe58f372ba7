import type { ActionEvent } from './action-event.ts';

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
