import type { ActionEvent } from './action-event.ts';

/** The keyboard's way to the application. */
export interface KeyPort {
  /** Sends what the key of the event means in the keyboard's modes; nothing for other events. */
  sendKey(event: ActionEvent): void;
}
