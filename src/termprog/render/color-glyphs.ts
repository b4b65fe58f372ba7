import type { Client } from 'x11';
import { GraphicsContext } from './graphics-context.ts';
import type { CellSize } from './rectangle.ts';
import type { RenderRequests } from './render-requests.ts';
import type { RequestBuffer } from './request-buffer.ts';
import { ReusedIds } from './reused-ids.ts';

/** Request codes; X11 protocol, appendix B. */
const CREATE_PIXMAP = 53;
const FREE_PIXMAP = 54;
const PUT_IMAGE = 72;
const Z_PIXMAP = 2;

const DEPTH = 32;
const PIXEL_BYTES = 4;

/** Most words of one request: 64 KiB. */
const REQUEST_WORDS = 16_384;

/** Places along each side of a sheet, and its largest size. */
const SHEET_SIDE = 16;
const SHEET_MAX_BYTES = 1_048_576;
/** Servers create no wider pixmap. */
const SHEET_MAX_WIDTH = 32_767;

/** Most sheets; above this, all pictures are sent again. */
const SHEETS_MAX = 16;

/** Size of a place before the first picture. */
const NO_PLACE: CellSize = { width: 1, height: 1 };

/** A picture with its own colours, premultiplied, in the byte order blue, green, red, alpha. */
export interface ColorImage extends CellSize {
  pixels: Uint8Array;
}

/** Position of a picture in the server. */
export interface PlacedImage extends CellSize {
  picture: number;
  x: number;
  y: number;
}

interface Sheet {
  pixmap: number;
  picture: number;
  context: GraphicsContext;
  used: number;
}

/**
 * Pictures with their own colours, such as emoji. They live on sheets in the server: each is sent once, and then drawn
 * by one request.
 */
export class ColorGlyphs {
  readonly #ids: ReusedIds;
  readonly #buffer: RequestBuffer;
  readonly #requests: RenderRequests;
  readonly #format: number;
  readonly #window: number;
  #sheets: Sheet[] = [];
  #place: CellSize = NO_PLACE;

  constructor(
    client: Client,
    buffer: RequestBuffer,
    requests: RenderRequests,
    { format, window }: { format: number; window: number },
  ) {
    this.#ids = new ReusedIds(client);
    this.#buffer = buffer;
    this.#requests = requests;
    this.#format = format;
    this.#window = window;
  }

  get isFull(): boolean {
    return this.#sheets.length > SHEETS_MAX;
  }

  /**
   * Sends a picture that fits in a place. All places on new sheets have one size, which only grows until `clear`.
   * Undefined if the place is too large for a sheet.
   */
  add(image: ColorImage, place: CellSize): PlacedImage | undefined {
    if (PIXEL_BYTES * place.width * place.height > SHEET_MAX_BYTES) return undefined;
    if (place.width > this.#place.width || place.height > this.#place.height) this.#growPlaces(place);
    const last = this.#sheets.at(-1);
    const sheet = last === undefined || last.used >= this.#columns * this.#rows ? this.#addSheet() : last;
    const x = (sheet.used % this.#columns) * this.#place.width;
    const y = Math.floor(sheet.used / this.#columns) * this.#place.height;
    sheet.used += 1;
    this.#put(sheet, image, x, y);
    return { picture: sheet.picture, x, y, width: image.width, height: image.height };
  }

  clear(): void {
    for (const { picture, pixmap, context } of this.#sheets) {
      this.#requests.freePicture(picture);
      const at = this.#buffer.reserve(2);
      this.#buffer.words[at] = FREE_PIXMAP | (2 << 16);
      this.#buffer.words[at + 1] = pixmap;
      context.free();
      for (const id of [picture, pixmap, context.id]) this.#ids.giveBack(id);
    }
    this.#sheets = [];
    this.#place = NO_PLACE;
  }

  get #columns(): number {
    return Math.min(SHEET_SIDE, Math.floor(SHEET_MAX_WIDTH / this.#place.width));
  }

  get #rows(): number {
    const rowBytes = PIXEL_BYTES * this.#place.width * this.#place.height * this.#columns;
    return Math.max(1, Math.min(SHEET_SIDE, Math.floor(SHEET_MAX_BYTES / rowBytes)));
  }

  /** Enlarges the places; larger ones start on a new sheet. */
  #growPlaces({ width, height }: CellSize): void {
    this.#place = { width: Math.max(width, this.#place.width), height: Math.max(height, this.#place.height) };
    const last = this.#sheets.at(-1);
    if (last !== undefined) last.used = SHEET_SIDE * SHEET_SIDE;
  }

  #addSheet(): Sheet {
    const pixmap = this.#ids.take();
    const at = this.#buffer.reserve(4);
    const { words } = this.#buffer;
    words[at] = CREATE_PIXMAP | (DEPTH << 8) | (4 << 16);
    words[at + 1] = pixmap;
    words[at + 2] = this.#window;
    words[at + 3] = (this.#columns * this.#place.width) | ((this.#rows * this.#place.height) << 16);
    const picture = this.#ids.take();
    this.#requests.createPicture(picture, pixmap, this.#format);
    const context = new GraphicsContext(this.#buffer, this.#ids.take(), pixmap);
    const sheet = { pixmap, picture, context, used: 0 };
    this.#sheets.push(sheet);
    return sheet;
  }

  #put({ pixmap, context }: Sheet, { width, height, pixels }: ColorImage, x: number, y: number): void {
    const rowsAtOnce = Math.max(1, Math.floor((REQUEST_WORDS - 6) / width));
    for (let row = 0; row < height; row += rowsAtOnce) {
      const rows = Math.min(rowsAtOnce, height - row);
      const length = 6 + width * rows;
      const at = this.#buffer.reserve(length);
      const { words, bytes } = this.#buffer;
      words[at] = PUT_IMAGE | (Z_PIXMAP << 8) | (length << 16);
      words[at + 1] = pixmap;
      words[at + 2] = context.id;
      words[at + 3] = width | (rows << 16);
      words[at + 4] = x | ((y + row) << 16);
      words[at + 5] = DEPTH << 8;
      bytes.set(pixels.subarray(row * width * PIXEL_BYTES, (row + rows) * width * PIXEL_BYTES), (at + 6) * PIXEL_BYTES);
    }
  }
}
