import type { ActionEvent } from './action-event.ts';

/** Links on the screen. */
export interface LinkPort {
  /** Arms the link under a button press: the release at the same place opens it. Only an armed link is opened. */
  arm(event: ActionEvent): void;
}
