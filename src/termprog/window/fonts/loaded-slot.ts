import type { OutlineSlotFonts, SlotFonts } from '../../fonts/slot-fonts.ts';

/** The fonts of a slot, from their opening to their closing. */
export interface LoadedSlot {
  /** The fonts that are open now. */
  readonly fonts: SlotFonts;
  /** Registers the callback that gets all open fonts whenever more are open, until the slot is closed. */
  listen(onMore: (fonts: SlotFonts) => void): void;
  /** Permits the fonts that the first frame did without; call it when that frame is on its way. */
  wantBold(): void;
  /** A character was drawn as a box because the open fonts lack it. */
  wantWider(): void;
  /** Closes all fonts, and those that arrive later. */
  close(): void;
}

/** Wraps outline fonts, whose faces load further glyphs themselves. */
export function loadedOutline(fonts: OutlineSlotFonts): LoadedSlot {
  return { fonts, listen: () => {}, wantBold: () => {}, wantWider: () => {}, close: () => fonts.close() };
}
