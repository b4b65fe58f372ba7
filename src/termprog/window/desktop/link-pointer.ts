import type { XConnection } from '../../x11/x-connection.ts';

/** Glyph of the hand in the server's cursor font; the following glyph is its mask. X11/cursorfont.h */
const HAND = 60;
const FONT = 'cursor';

const BLACK = { R: 0, G: 0, B: 0 };
const WHITE = { R: 0xffff, G: 0xffff, B: 0xffff };

/** The window inherits its parent's cursor; X11 protocol, CreateWindow. */
const NO_CURSOR = 0;

/** Changes the pointer to a hand over links. If the server lacks its cursor font, the pointer stays unchanged. */
export class LinkPointer {
  readonly #connection: XConnection;
  readonly #window: number;
  #hand: number | undefined;
  #isLoaded = false;
  #isHand = false;

  constructor(connection: XConnection, window: number) {
    this.#connection = connection;
    this.#window = window;
  }

  show(isHand: boolean): void {
    if (isHand === this.#isHand) return;
    this.#isHand = isHand;
    if (isHand) this.#load();
    this.#apply();
  }

  #apply(): void {
    const { client, isOpen } = this.#connection;
    if (this.#hand === undefined || !isOpen) return;
    client.ChangeWindowAttributes(this.#window, { cursor: this.#isHand ? this.#hand : NO_CURSOR });
  }

  #load(): void {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    const { client } = this.#connection;
    const font = client.AllocID();
    client.OpenFont(font, FONT, (error) => {
      if (error !== null || !this.#connection.isOpen) return;
      this.#hand = client.AllocID();
      client.CreateGlyphCursor(this.#hand, font, font, HAND, HAND + 1, BLACK, WHITE);
      client.CloseFont(font);
      this.#apply();
      this.#connection.flush();
    });
  }
}
