import type { ActionEvent } from './action-event.ts';

/** The keyboard's way to the application. */
export interface KeyPort {
  /** Sends what the key of the event means in the keyboard's modes; nothing for other events. */
  sendKey(event: ActionEvent): void;
  /**
   * Sends as many cursor keys as lines are scrolled, up for a positive number, where that takes the place of scrolling:
   * on the alternate screen in mode 1007. True where it does.
   */
  scrollByKeys(lines: number): boolean;
}
