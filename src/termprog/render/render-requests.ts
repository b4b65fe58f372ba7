import type { GlyphImage } from '../fonts/outline/face.ts';
import { numberBytesOf, packedWordsOf, packItems } from './glyph-items.ts';
import type { Rectangle } from './rectangle.ts';
import type { RequestBuffer } from './request-buffer.ts';

/** Minor codes; RENDER 0.11. */
const CREATE_PICTURE = 4;
const SET_CLIP_RECTANGLES = 6;
const FREE_PICTURE = 7;
const COMPOSITE = 8;
const CREATE_GLYPH_SET = 17;
const FREE_GLYPH_SET = 19;
const ADD_GLYPHS = 20;
/** Minor codes by the bytes of a glyph's number. */
const COMPOSITE_GLYPHS = { 1: 23, 2: 24, 4: 25 } as const;
const CREATE_SOLID_FILL = 33;

/** Operator that blends a source over the target. */
const OVER = 3;

/** Words of a glyph in addition to its pixels: its number, and three for its sizes. */
const GLYPH_WORDS = 4;
const COMPOSITE_GLYPHS_WORDS = 7;

/** A glyph's picture with the number that draws it. */
export interface NumberedGlyph {
  /** Number of the glyph in its set. */
  id: number;
  /** Pixels to the next glyph. */
  advance: number;
  image: Pick<GlyphImage, 'format' | 'width' | 'height' | 'left' | 'top' | 'pixels'>;
}

/** Words that one glyph adds to a request. */
export function wordsOf({ image }: NumberedGlyph): number {
  return GLYPH_WORDS + (rowBytes(image) * image.height) / 4;
}

/** Packs requests of the RENDER extension. */
export class RenderRequests {
  readonly #requests: RequestBuffer;
  readonly #majorOpcode: number;

  constructor(requests: RequestBuffer, majorOpcode: number) {
    this.#requests = requests;
    this.#majorOpcode = majorOpcode;
  }

  createPicture(id: number, drawable: number, format: number): void {
    const at = this.#start(CREATE_PICTURE, 5);
    this.#requests.words.set([id, drawable, format, 0], at + 1);
  }

  /**
   * Creates a source of one colour.
   * @param color as 0xrrggbb
   */
  createSolidFill(id: number, color: number): void {
    const at = this.#start(CREATE_SOLID_FILL, 4);
    const wide = (level: number): number => (level & 0xff) * 0x101;
    const { words } = this.#requests;
    words[at + 1] = id;
    words[at + 2] = wide(color >> 16) | (wide(color >> 8) << 16);
    words[at + 3] = wide(color) | (0xffff << 16);
  }

  freePicture(id: number): void {
    const at = this.#start(FREE_PICTURE, 2);
    this.#requests.words[at + 1] = id;
  }

  setClip(picture: number, { x, y, width, height }: Rectangle): void {
    const at = this.#start(SET_CLIP_RECTANGLES, 5);
    this.#requests.words.set([picture, 0, pair(x, y), pair(width, height)], at + 1);
  }

  /** Blends a part of a picture over another. */
  composite(source: number, target: number, from: { x: number; y: number }, to: Rectangle): void {
    const at = this.#start(COMPOSITE, 9);
    const { words } = this.#requests;
    words[at + 1] = OVER;
    words[at + 2] = source;
    words[at + 3] = 0;
    words[at + 4] = target;
    words[at + 5] = pair(from.x, from.y);
    words[at + 6] = 0;
    words[at + 7] = pair(to.x, to.y);
    words[at + 8] = pair(to.width, to.height);
  }

  createGlyphSet(id: number, format: number): void {
    const at = this.#start(CREATE_GLYPH_SET, 3);
    this.#requests.words[at + 1] = id;
    this.#requests.words[at + 2] = format;
  }

  freeGlyphSet(id: number): void {
    const at = this.#start(FREE_GLYPH_SET, 2);
    this.#requests.words[at + 1] = id;
  }

  /** Adds glyphs in one request: together they must fit in it. */
  addGlyphs(glyphSet: number, glyphs: readonly NumberedGlyph[]): void {
    const size = 3 + glyphs.reduce((sum, glyph) => sum + wordsOf(glyph), 0);
    const at = this.#start(ADD_GLYPHS, size);
    const { words, bytes } = this.#requests;
    words[at + 1] = glyphSet;
    words[at + 2] = glyphs.length;
    let sizes = at + 3 + glyphs.length;
    let pixels = (sizes + 3 * glyphs.length) * 4;
    for (const [index, { id, advance, image }] of glyphs.entries()) {
      words[at + 3 + index] = id;
      words[sizes++] = pair(image.width, image.height);
      words[sizes++] = pair(-image.left, image.top);
      words[sizes++] = pair(advance, 0);
      pixels = copyRows(bytes, pixels, image);
    }
  }

  /**
   * Draws glyphs of one set in one colour.
   * @param maskFormat if undefined, glyphs are blended one after the other; otherwise their coverage is added up first
   * @param items counts, offsets and numbers of glyphs, a word each
   */
  compositeGlyphs(
    drawn: { source: number; target: number; glyphSet: number; maskFormat: number | undefined },
    items: Uint32Array,
    length: number,
  ): void {
    const numberBytes = numberBytesOf(items, length);
    const packedWords = packedWordsOf(items, length, numberBytes);
    const at = this.#start(COMPOSITE_GLYPHS[numberBytes], COMPOSITE_GLYPHS_WORDS + packedWords);
    const { words } = this.#requests;
    words[at + 1] = OVER;
    words[at + 2] = drawn.source;
    words[at + 3] = drawn.target;
    words[at + 4] = drawn.maskFormat ?? 0;
    words[at + 5] = drawn.glyphSet;
    words[at + 6] = 0;
    packItems(words, at + COMPOSITE_GLYPHS_WORDS, { items, length, numberBytes });
  }

  #start(minorOpcode: number, length: number): number {
    const at = this.#requests.reserve(length);
    this.#requests.words[at] = this.#majorOpcode | (minorOpcode << 8) | (length << 16);
    return at;
  }
}

/** Bytes of a row as the server expects it: a multiple of four. */
function rowBytes({ format, width }: NumberedGlyph['image']): number {
  return format === 'alpha' ? (width + 3) & ~3 : 4 * width;
}

function copyRows(bytes: Uint8Array, start: number, image: NumberedGlyph['image']): number {
  const { format, width, height, pixels } = image;
  const padded = rowBytes(image);
  const plain = format === 'alpha' ? width : padded;
  let to = start;
  for (let row = 0; row < height; row += 1, to += padded) {
    bytes.set(pixels.subarray(row * plain, (row + 1) * plain), to);
    bytes.fill(0, to + plain, to + padded);
  }
  return to;
}

/** Packs two 16-bit fields, such as coordinates and sizes, into a word. */
function pair(first: number, second: number): number {
  return (first & 0xffff) | (second << 16);
}
