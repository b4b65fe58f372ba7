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
