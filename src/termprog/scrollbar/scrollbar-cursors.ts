import type { XConnection } from '../x11/connection.ts';

/** Glyphs of the server's cursor font; the glyph after each is its mask. X11/cursorfont.h */
const GLYPHS = { inactive: 116, forward: 114, backward: 106, jumping: 112 } as const;

const FONT = 'cursor';

const BLACK = { R: 0, G: 0, B: 0 };
const WHITE = { R: 0xffff, G: 0xffff, B: 0xffff };

/** What the pointer does with the scrollbar: nothing, or a button is held that scrolls on, back, or moves the thumb. */
export type PointerUse = keyof typeof GLYPHS;

/** Shapes of the pointer over the scrollbar, as the widget has them. Without the server's font for them it keeps its own. */
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

  /** Has them made, once. */
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
