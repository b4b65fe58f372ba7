import type { ActionEvent } from './action-event.ts';

/** The mouse's way to the application. */
export interface MousePort {
  /**
   * Reports a press, a release or a motion to the application, if it asked for that, resources allow it, and Shift was not
   * held when the button went down. True when the event is the application's: the local action does nothing then.
   * However many actions offer an event, it is reported once.
   */
  offer(event: ActionEvent): boolean;
  /** The same, for who does nothing else. */
  report(event: ActionEvent): void;
}
