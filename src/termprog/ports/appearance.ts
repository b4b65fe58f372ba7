import type { ActionEvent } from './action-event.ts';

/** The entry of the VT Fonts menu in use, and its renderer. */
export interface FontPort {
  /** Number of the entry: 0 is Default. */
  readonly slot: number;
  /** Whether outline fonts draw. */
  readonly isOutline: boolean;
  /** Switches to an entry; rings the bell when it has no font. */
  select(slot: number): void;
  /** Switches to the next larger entry; rings the bell at the end. */
  larger(): void;
  /** Switches to the next smaller entry; rings the bell at the end. */
  smaller(): void;
  /** Switches to the outline or the bitmap fonts of the entry; rings the bell when they are unavailable. */
  setOutline(isOutline: boolean): void;
}

/** The recorded decisions about fonts. */
export interface FontRoutingPort {
  /** Writes the decisions to the standard error stream, or that they were not collected. */
  report(): void;
}

/** The encoding of titles. */
export interface TitlePort {
  /** Whether the locale's encoding is UTF-8. */
  readonly isUtf8Locale: boolean;
  /** Whether the properties that are UTF-8 by definition are written in addition to the older ones. */
  readonly writesUtf8: boolean;
  setWritesUtf8(isWritten: boolean): void;
}

/** The popup menus. */
export interface MenuPort {
  /** Shows a menu at the place of the event; rings the bell when no menu has that name. */
  popup(name: string, event: ActionEvent): void;
}

export interface BellPort {
  /** Rings, unless the bell has just rung. */
  ring(): void;
}
