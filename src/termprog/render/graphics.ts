import type { CoreFont } from '../fonts/core-font.ts';
import type { RenderExtension } from '../x11/render-extension.ts';
import type { WindowVisual } from '../x11/window-visual.ts';
import type { XConnection } from '../x11/x-connection.ts';
import { GraphicsContext } from './graphics-context.ts';
import { OutlineText } from './outline-text.ts';
import type { Rectangle } from './rectangle.ts';
import { RequestBuffer } from './request-buffer.ts';

/** Request codes; X11 protocol, appendix B. */
const CREATE_PIXMAP = 53;
const FREE_PIXMAP = 54;
const SET_CLIP_RECTANGLES = 59;
const COPY_AREA = 62;
const POLY_FILL_RECTANGLE = 70;
/** The codes after these are for characters of two bytes. */
const POLY_TEXT_8 = 74;
const IMAGE_TEXT_8 = 76;

/** Most characters of one text request; the protocol's length is a byte, and 255 means a font change in PolyText. */
const TEXT_MAX_CHARACTERS = 254;

const NO_REQUEST = -1;

/** Pixel values. */
export interface Colors {
  foreground: number;
  background: number;
}

/** Characters of a text request, all of one width. */
export interface Characters {
  codes: Uint32Array;
  count: number;
  /** Whether a code is above 0xff. */
  isTwoByte: boolean;
  /** Pixels from one character to the next. */
  advance: number;
}

/**
 * Packs drawing requests for one window and keeps them until they are sent. It owns one graphics context each for text
 * and lines, backgrounds, stipples, and clipped text, so that switching between them needs no request.
 */
export class Graphics {
  readonly #connection: XConnection;
  readonly #window: number;
  readonly #requests: RequestBuffer;
  readonly #ink: GraphicsContext;
  readonly #paper: GraphicsContext;
  readonly #stippled: GraphicsContext;
  readonly #clipped: GraphicsContext;
  /** Draws on pixmaps of depth 1; created with the first of them. */
  #mask: GraphicsContext | undefined;
  #isClipping = false;
  #outlineText: OutlineText | undefined;
  /** The last request if it fills rectangles: more may be added to it. */
  #fill = { at: NO_REQUEST, end: NO_REQUEST, context: NO_REQUEST, batch: NO_REQUEST };

  constructor(connection: XConnection, window: number) {
    this.#connection = connection;
    this.#window = window;
    const requests = new RequestBuffer(connection);
    this.#requests = requests;
    const create = (): GraphicsContext => new GraphicsContext(requests, connection.client.AllocID(), window);
    this.#ink = create();
    this.#paper = create();
    this.#stippled = create();
    this.#clipped = create();
  }

  /** Text of outline fonts; undefined until `enableOutlineText`. */
  get outlineText(): OutlineText | undefined {
    return this.#outlineText;
  }

  /** Prepares to draw text of outline fonts in cells of this width. */
  enableOutlineText(render: RenderExtension, visual: WindowVisual, cellWidth: number): void {
    this.#outlineText ??= new OutlineText(this.#connection, this.#requests, { window: this.#window, visual, render });
    this.#outlineText.setCellWidth(cellWidth);
  }

  /** Bytes packed so far, sent or not. */
  get packedBytes(): number {
    return 4 * this.#requests.packedWords + (this.#outlineText?.waitingBytes ?? 0);
  }

  /** Searches for glyphs in outline faces so far; slow ones count as several. */
  get foundGlyphs(): number {
    return this.#outlineText?.foundGlyphs ?? 0;
  }

  /** Passes the packed requests to the connection; the caller flushes. */
  send(): void {
    this.drawWaitingText();
    this.#requests.send();
    this.#fill.at = NO_REQUEST;
  }

  /** Draws the waiting text, so that later drawing lies over it. */
  drawWaitingText(): void {
    this.#outlineText?.flush();
  }

  /** Recreates all server state, because the server may have refused a request. */
  forgetState(): void {
    for (const context of [this.#ink, this.#paper, this.#stippled, this.#clipped]) context.renew();
    // Its pixmap may be gone; the next stipple creates another context.
    this.#mask?.free();
    this.#mask = undefined;
    this.#outlineText?.forget();
    this.#isClipping = false;
    this.#fill.at = NO_REQUEST;
  }

  /** Fills a rectangle with background. */
  fillPaper(pixel: number, x: number, y: number, width: number, height: number): void {
    this.#paper.setForeground(pixel);
    this.#fillRectangle(this.#window, this.#paper, x, y, width, height);
  }

  /** Fills a rectangle of a glyph, a line or a cursor. */
  fillInk(pixel: number, x: number, y: number, width: number, height: number): void {
    this.#ink.setForeground(pixel);
    this.#fillRectangle(this.#window, this.#ink, x, y, width, height);
  }

  /** Fills a rectangle with a pixmap from `createStipple` as tiles. */
  fillStippled(colors: Colors, stipple: number, x: number, y: number, width: number, height: number): void {
    this.#stippled.setStipple(colors.foreground, colors.background, stipple);
    this.#fillRectangle(this.#window, this.#stippled, x, y, width, height);
  }

  /** Sets the origin of all stipples' tiles. */
  setStippleOrigin(x: number, y: number): void {
    this.#stippled.setStippleOrigin(x, y);
  }

  /** Clips ink of text to the rectangle until `endClipping`. */
  startClipping({ x, y, width, height }: Rectangle): void {
    this.#isClipping = true;
    const { words } = this.#requests;
    const at = this.#requests.reserve(5);
    words[at] = SET_CLIP_RECTANGLES | (5 << 16);
    words[at + 1] = this.#clipped.id;
    words[at + 2] = 0;
    words[at + 3] = pair(x, y);
    words[at + 4] = pair(width, height);
  }

  endClipping(): void {
    this.#isClipping = false;
  }

  /** Draws text with its background; `y` is the baseline. */
  imageText(font: CoreFont, colors: Colors, x: number, y: number, characters: Characters): void {
    this.#drawText(font, colors, x, y, characters, false);
  }

  /** Draws text over the present content. */
  overlayText(font: CoreFont, colors: Colors, x: number, y: number, characters: Characters): void {
    this.#drawText(font, colors, x, y, characters, true);
  }

  /**
   * Moves pixels down when `distance` is positive; the server reports areas that it could not copy by GraphicsExpose.
   */
  moveVertically({ x, y, width, height }: Rectangle, distance: number): void {
    const { words } = this.#requests;
    const at = this.#requests.reserve(7);
    words[at] = COPY_AREA | (7 << 16);
    words[at + 1] = this.#window;
    words[at + 2] = this.#window;
    words[at + 3] = this.#ink.id;
    words[at + 4] = pair(x, y);
    words[at + 5] = pair(x, y + distance);
    words[at + 6] = pair(width, height);
  }

  /** Creates a pixmap of depth 1 in which the rectangles are set. */
  createStipple(width: number, height: number, rectangles: readonly Rectangle[]): number {
    const id = this.#connection.client.AllocID();
    const { words } = this.#requests;
    const at = this.#requests.reserve(4);
    words[at] = CREATE_PIXMAP | (1 << 8) | (4 << 16);
    words[at + 1] = id;
    words[at + 2] = this.#window;
    words[at + 3] = pair(width, height);
    this.#mask ??= new GraphicsContext(this.#requests, this.#connection.client.AllocID(), id);
    this.#mask.setForeground(0);
    this.#fillRectangle(id, this.#mask, 0, 0, width, height);
    this.#mask.setForeground(1);
    for (const { x, y, width: across, height: down } of rectangles) {
      this.#fillRectangle(id, this.#mask, x, y, across, down);
    }
    // The next pixmap's rectangles use the same context but another drawable.
    this.#fill.at = NO_REQUEST;
    return id;
  }

  freeStipple(id: number): void {
    const at = this.#requests.reserve(2);
    this.#requests.words[at] = FREE_PIXMAP | (2 << 16);
    this.#requests.words[at + 1] = id;
  }

  #fillRectangle(
    drawable: number,
    context: GraphicsContext,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void {
    const requests = this.#requests;
    const { words } = requests;
    const fill = this.#fill;
    let at = requests.end;
    const isLast = fill.at !== NO_REQUEST && fill.batch === requests.batch && fill.end === at;
    if (isLast && fill.context === context.id && requests.extend(2)) {
      words[fill.at] = (words[fill.at] ?? 0) + (2 << 16);
    } else {
      const start = requests.reserve(5);
      words[start] = POLY_FILL_RECTANGLE | (5 << 16);
      words[start + 1] = drawable;
      words[start + 2] = context.id;
      fill.at = start;
      fill.context = context.id;
      fill.batch = requests.batch;
      at = start + 3;
    }
    words[at] = pair(x, y);
    words[at + 1] = pair(width, height);
    fill.end = at + 2;
  }

  #drawText(font: CoreFont, colors: Colors, x: number, y: number, characters: Characters, isOverlay: boolean): void {
    const context = this.#isClipping ? this.#clipped : this.#ink;
    context.setText(colors.foreground, colors.background, font.id);
    const { count, advance, isTwoByte } = characters;
    for (let from = 0; from < count; from += TEXT_MAX_CHARACTERS) {
      const part = Math.min(TEXT_MAX_CHARACTERS, count - from);
      // An overlay's text is an item of its request, with two bytes for its length and its offset.
      const textBytes = (isTwoByte ? 2 * part : part) + (isOverlay ? 2 : 0);
      const length = 4 + ((textBytes + 3) >> 2);
      const at = this.#requests.reserve(length);
      const { words, bytes } = this.#requests;
      // The padding of an overlay must not look like another item.
      words[at + length - 1] = 0;
      words[at] = (isOverlay ? POLY_TEXT_8 : IMAGE_TEXT_8 | (part << 8)) + (isTwoByte ? 1 : 0) + (length << 16);
      words[at + 1] = this.#window;
      words[at + 2] = context.id;
      words[at + 3] = pair(x + from * advance, y);
      const byte = (at + 4) * 4;
      if (isOverlay) {
        bytes[byte] = part;
        bytes[byte + 1] = 0;
      }
      writeCharacters(bytes, isOverlay ? byte + 2 : byte, characters, from, part);
    }
  }
}

function writeCharacters(bytes: Uint8Array, start: number, characters: Characters, from: number, count: number): void {
  const { codes, isTwoByte } = characters;
  let at = start;
  for (let index = from; index < from + count; index += 1) {
    const code = codes[index] ?? 0;
    if (isTwoByte) bytes[at++] = code >> 8;
    bytes[at++] = code;
  }
}

/** Packs two 16-bit fields, such as coordinates and sizes, into a word. */
function pair(first: number, second: number): number {
  return (first & 0xffff) | (second << 16);
}
