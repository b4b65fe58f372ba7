import type { ActionEvent } from './action-event.ts';

/** Sends keys to the application. */
export interface KeyPort {
  /** Sends the key of the event in the encoding of the keyboard's modes; ignores other events. */
  sendKey(event: ActionEvent): void;
  /**
   * Sends one cursor key per scrolled line, up for a positive number, if that replaces scrolling: on the alternate
   * screen in mode 1007. Returns whether it does.
   */
  scrollByKeys(lines: number): boolean;
}
