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

/** Sends mouse events to the application. */
export interface MousePort {
  /**
   * Reports a press, a release or a motion to the application, if it requested that, resources permit it, and Shift was
   * not held when the button went down. Returns true when the event belongs to the application: the local action then
   * has no effect. If several actions offer an event, it is reported once.
   */
  offer(event: ActionEvent): boolean;
  /** Reports an event like `offer`, for callers without a local action. */
  report(event: ActionEvent): void;
}
