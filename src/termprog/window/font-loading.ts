import type { Diagnostics } from '../diagnostics.ts';
import type { OpenedFont } from '../fonts/core-font.ts';
import { type FontSet, firstFontSet, openBoldFont, openWiderFonts } from '../fonts/font-set.ts';
import type { XConnection } from '../x11/connection.ts';

export interface FontLoadingParts {
  connection: XConnection;
  first: OpenedFont;
  settings: { bold: string | undefined };
  diagnostics: Diagnostics;
  /** More fonts are open. */
  onOpened(fonts: FontSet): void;
}

/**
 * Opens a slot's fonts when they are needed: the first before the first frame, its bold form after it, and those with
 * the characters of other scripts, whose descriptions are long, when such a character is drawn.
 */
export class FontLoading {
  readonly #parts: FontLoadingParts;
  readonly #boldWanted = Promise.withResolvers<void>();
  readonly #bold: Promise<OpenedFont | undefined>;
  #fonts: FontSet;
  #isWiderWanted = false;

  constructor(parts: FontLoadingParts) {
    this.#parts = parts;
    this.#fonts = firstFontSet(parts.first);
    const { connection, first, settings, diagnostics } = parts;
    this.#bold = this.#boldWanted.promise.then(() =>
      this.#try(async () => {
        const bold = await openBoldFont(connection, first, settings, diagnostics);
        this.#take({ bold });
        return bold;
      }),
    );
  }

  /** What is open now. */
  get fonts(): FontSet {
    return this.#fonts;
  }

  wantBold(): void {
    this.#boldWanted.resolve();
  }

  /** A character was drawn as a box, because the open fonts lack it. */
  wantWider(): void {
    if (this.#isWiderWanted) return;
    this.#isWiderWanted = true;
    const { connection, first: normal } = this.#parts;
    void this.#bold.then((bold) =>
      this.#try(async () => this.#take(await openWiderFonts(connection, { normal, bold }))),
    );
  }

  #take(opened: Partial<FontSet>): void {
    this.#fonts = { ...this.#fonts, ...opened };
    this.#parts.onOpened(this.#fonts);
  }

  async #try<T>(open: () => Promise<T>): Promise<T | undefined> {
    const { connection, diagnostics } = this.#parts;
    try {
      return await open();
    } catch (error) {
      // Without a connection everything ends; that is reported elsewhere.
      if (connection.isOpen) diagnostics.warning(`no further fonts could be opened: ${String(error)}`);
      return undefined;
    }
  }
}
