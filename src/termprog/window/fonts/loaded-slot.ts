import type { OutlineSlotFonts, SlotFonts } from '../../fonts/slot-fonts.ts';

/** The fonts of a slot, from when they are opened to when they are closed. */
export interface LoadedSlot {
  /** What is open now. */
  readonly fonts: SlotFonts;
  /** Tells of all that is open whenever more is; until it is closed. */
  listen(onMore: (fonts: SlotFonts) => void): void;
  /** The first frame is on its way: fonts that it did without may be opened. */
  wantBold(): void;
  /** A character was drawn as a box, because the open fonts lack it. */
  wantWider(): void;
  /** Closes all of them, and those that arrive later. */
  close(): void;
}

/** Faces load what they lack themselves. */
export function loadedOutline(fonts: OutlineSlotFonts): LoadedSlot {
  return { fonts, listen: () => {}, wantBold: () => {}, wantWider: () => {}, close: () => fonts.close() };
}
