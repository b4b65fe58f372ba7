import type { ActionEvent } from './action-event.ts';

/** Selecting text with the pointer, publishing it, and pasting. */
export interface SelectionPort {
  /** A selection is being made: the button that began it is held. Its events belong to it until it ends. */
  readonly isSelecting: boolean;
  /** Begins a selection at the pointer; several clicks select words, then lines. A block also while Meta is held. */
  start(event: ActionEvent, isBlock: boolean): void;
  /** Moves the nearer end of the selection to the pointer, and goes on from there. */
  startExtend(event: ActionEvent): void;
  /** Moves the end that follows the pointer, while a selection is being made. */
  extend(event: ActionEvent): void;
  /**
   * Ends a selection and publishes its text; for the event of a key, publishes the text that is selected.
   * @param names of selections and cut buffers
   */
  end(event: ActionEvent, names: readonly string[]): void;
  /** Pastes the first text that the named selections and cut buffers yield. */
  insert(names: readonly string[]): void;
}
