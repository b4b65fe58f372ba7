import type { XConnection } from '../x11/x-connection.ts';

/** Glyphs of the server's cursor font; the glyph after each is its mask. X11/cursorfont.h */
const GLYPHS = { inactive: 116, forward: 114, backward: 106, jumping: 112 } as const;

const FONT = 'cursor';

const BLACK = { R: 0, G: 0, B: 0 };
const WHITE = { R: 0xffff, G: 0xffff, B: 0xffff };

/**
 * The pointer's function on the scrollbar: inactive, or a held button scrolls forward, scrolls back, or moves the
 * thumb.
 */
export type PointerUse = keyof typeof GLYPHS;

/** The widget's pointer shapes over the scrollbar. If the server lacks its cursor font, the pointer stays unchanged. */
export class ScrollbarCursors {
  readonly #connection: XConnection;
  readonly #window: number;
  readonly #made = new Map<PointerUse, number>();
  #use: PointerUse = 'inactive';
  #isLoaded = false;

  constructor(connection: XConnection, window: number) {
    this.#connection = connection;
    this.#window = window;
  }

  /** Creates the cursors, once. */
  load(): void {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    const { client } = this.#connection;
    const font = client.AllocID();
    client.OpenFont(font, FONT, (error) => {
      if (error !== null || !this.#connection.isOpen) return;
      for (const [use, glyph] of Object.entries(GLYPHS) as [PointerUse, number][]) {
        const cursor = client.AllocID();
        client.CreateGlyphCursor(cursor, font, font, glyph, glyph + 1, BLACK, WHITE);
        this.#made.set(use, cursor);
      }
      client.CloseFont(font);
      this.show(this.#use);
    });
  }

  show(use: PointerUse): void {
    this.#use = use;
    const cursor = this.#made.get(use);
    if (cursor === undefined) return;
    this.#connection.client.ChangeWindowAttributes(this.#window, { cursor });
    this.#connection.flush();
  }
}
