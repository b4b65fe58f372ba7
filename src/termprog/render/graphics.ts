import type { CoreFont } from '../fonts/core-font.ts';
import type { XConnection } from '../x11/connection.ts';
import type { Rectangle } from './rectangle.ts';

/** Most characters one text request takes; the protocol's length is a byte, and 255 means a font change in PolyText. */
const TEXT_MAX_CHARACTERS = 254;

/** Drawing requests on one window by one graphics context, whose values are changed only where they differ. */
export class Graphics {
  readonly #connection: XConnection;
  readonly #window: number;
  readonly #gc: number;
  #foreground = -1;
  #background = -1;
  #font = -1;

  constructor(connection: XConnection, window: number) {
    this.#connection = connection;
    this.#window = window;
    this.#gc = connection.client.AllocID();
    connection.client.CreateGC(this.#gc, window, { graphicsExposures: 0 });
  }

  /** Fills rectangles placed relative to a point. */
  fill(pixel: number, rectangles: readonly Rectangle[], at: { x: number; y: number } = { x: 0, y: 0 }): void {
    if (rectangles.length === 0) return;
    this.#setForeground(pixel);
    const coordinates = rectangles.flatMap(({ x, y, width, height }) => [x + at.x, y + at.y, width, height]);
    this.#connection.client.PolyFillRectangle(this.#window, this.#gc, coordinates);
  }

  /** Text with its background; `y` is the baseline. */
  imageText(
    font: CoreFont,
    colors: { foreground: number; background: number },
    x: number,
    y: number,
    text: string,
  ): void {
    this.#setForeground(colors.foreground);
    if (colors.background !== this.#background) {
      this.#background = colors.background;
      this.#connection.client.ChangeGC(this.#gc, { background: colors.background });
    }
    this.#setFont(font);
    const { client } = this.#connection;
    for (let at = 0; at < text.length; at += TEXT_MAX_CHARACTERS) {
      const part = text.slice(at, at + TEXT_MAX_CHARACTERS);
      const left = x + at * font.cellWidth;
      if (isLatin1(part)) client.ImageText8(this.#window, this.#gc, left, y, part);
      else client.ImageText16(this.#window, this.#gc, left, y, part);
    }
  }

  /** Text over what is there. */
  overlayText(font: CoreFont, foreground: number, x: number, y: number, text: string): void {
    this.#setForeground(foreground);
    this.#setFont(font);
    const { client } = this.#connection;
    for (let at = 0; at < text.length; at += TEXT_MAX_CHARACTERS) {
      const part = text.slice(at, at + TEXT_MAX_CHARACTERS);
      client.PolyText16(this.#window, this.#gc, x + at * font.cellWidth, y, [part]);
    }
  }

  #setForeground(pixel: number): void {
    if (pixel === this.#foreground) return;
    this.#foreground = pixel;
    this.#connection.client.ChangeGC(this.#gc, { foreground: pixel });
  }

  #setFont({ id }: CoreFont): void {
    if (id === this.#font) return;
    this.#font = id;
    this.#connection.client.ChangeGC(this.#gc, { font: id });
  }
}

function isLatin1(text: string): boolean {
  return !/[\u0100-\uffff]/.test(text);
}
