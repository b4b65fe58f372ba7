import type { Diagnostics } from '../../diagnostics.ts';
import type { OpenedFont } from '../../fonts/core-font.ts';
import {
  closeFonts,
  type FontSet,
  firstFontSet,
  openBoldFont,
  openWiderFonts,
  type StyleFonts,
} from '../../fonts/font-set.ts';
import { type BitmapSlotFonts, bitmapSlotFonts } from '../../fonts/slot-fonts.ts';
import type { XConnection } from '../../x11/x-connection.ts';
import type { LoadedSlot } from './loaded-slot.ts';

export interface FontLoadingParts {
  connection: XConnection;
  first: OpenedFont;
  settings: StyleFonts;
  diagnostics: Diagnostics;
}

/**
 * Owns a slot's bitmap fonts and opens them on demand: the normal font before the first frame, its bold form after it,
 * and the fonts for other scripts, whose descriptions are long, when such a character is drawn.
 */
export class FontLoading implements LoadedSlot {
  readonly #parts: FontLoadingParts;
  readonly #boldWanted = Promise.withResolvers<void>();
  readonly #bold: Promise<OpenedFont | undefined>;
  #fonts: BitmapSlotFonts;
  #onMore: ((fonts: BitmapSlotFonts) => void) | undefined;
  #isWiderWanted = false;
  #isClosed = false;

  constructor(parts: FontLoadingParts) {
    this.#parts = parts;
    this.#fonts = bitmapSlotFonts(firstFontSet(parts.first));
    const { connection, first, settings, diagnostics } = parts;
    this.#bold = this.#boldWanted.promise.then(() =>
      this.#try(async () => {
        const bold = await openBoldFont(connection, first, settings, diagnostics);
        this.#take({ bold });
        return bold;
      }),
    );
  }

  /** The fonts that are open now. */
  get fonts(): BitmapSlotFonts {
    return this.#fonts;
  }

  listen(onMore: (fonts: BitmapSlotFonts) => void): void {
    this.#onMore = onMore;
  }

  wantBold(): void {
    if (!this.#isClosed) this.#boldWanted.resolve();
  }

  /** A character was drawn as a box because the open fonts lack it. */
  wantWider(): void {
    if (this.#isWiderWanted || this.#isClosed) return;
    this.#isWiderWanted = true;
    const { connection, first: normal, settings, diagnostics } = this.#parts;
    void this.#bold.then((bold) =>
      this.#try(async () => {
        if (!this.#isClosed) this.#take(await openWiderFonts(connection, { normal, bold }, settings, diagnostics));
      }),
    );
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeFonts(this.#parts.connection, this.#fonts.set);
  }

  /** Adopts newly opened fonts, or closes them if the slot was closed meanwhile. */
  #take(opened: Partial<FontSet>): void {
    if (this.#isClosed) closeFonts(this.#parts.connection, opened, this.#fonts.set);
    else {
      this.#fonts = bitmapSlotFonts({ ...this.#fonts.set, ...opened });
      this.#onMore?.(this.#fonts);
    }
  }

  async #try<T>(open: () => Promise<T>): Promise<T | undefined> {
    const { connection, diagnostics } = this.#parts;
    try {
      return await open();
    } catch (error) {
      // The end of the connection is reported elsewhere.
      if (connection.isOpen) diagnostics.warning(`no further fonts could be opened: ${String(error)}`);
      return undefined;
    }
  }
}
