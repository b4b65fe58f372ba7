import type { ActionEvent } from './action-event.ts';

/** The popup menus. */
export interface MenuPort {
  /** Shows a menu at the place of the event; rings the bell when no menu has that name. */
  popup(name: string, event: ActionEvent): void;
}
