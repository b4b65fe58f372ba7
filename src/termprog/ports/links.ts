import type { ActionEvent } from './action-event.ts';

/** Links on the screen. */
export interface LinkPort {
  /** Of a press over a link: its release there opens it. Nothing is opened without that. */
  arm(event: ActionEvent): void;
}
