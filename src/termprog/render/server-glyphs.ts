import type { Client } from 'x11';
import type { PictureFormats } from '../x11/render-formats.ts';
import { BLANK } from './glyph-items.ts';
import { type NumberedGlyph, type RenderRequests, wordsOf } from './render-requests.ts';
import { ReusedIds } from './reused-ids.ts';

/** Most words of one request: 64 KiB. */
const REQUEST_WORDS = 16_384;

/** A larger glyph is not drawn; this one has about 340 pixels in both directions. */
const GLYPH_MAX_WORDS = 30_000;

/** Most words (16 MiB) and glyphs in the server; above this, all are sent again. */
const KEPT_MAX_WORDS = 4_194_304;
const KEPT_MAX_GLYPHS = 16_384;

/** A set of glyphs: coverage of each pixel, or of each of its colours. */
interface GlyphSet {
  id: number;
  waiting: NumberedGlyph[];
  waitingWords: number;
}

const NO_PIXELS = { width: 0, height: 0, left: 0, top: 0, pixels: new Uint8Array(0) } as const;

/** Glyphs in the server. Each is sent once, many per request. */
export class ServerGlyphs {
  /** Pixels that a blank advances, in sets that are created from now on. */
  blankAdvance = 0;
  readonly #ids: ReusedIds;
  readonly #requests: RenderRequests;
  readonly #formats: PictureFormats;
  readonly #sets: { alpha?: GlyphSet; subpixel?: GlyphSet } = {};
  #words = 0;
  #count = 0;

  constructor(client: Client, requests: RenderRequests, formats: PictureFormats) {
    this.#ids = new ReusedIds(client);
    this.#requests = requests;
    this.#formats = formats;
  }

  /** Whether there are so many glyphs that all should be freed and sent again. */
  get isFull(): boolean {
    return this.#words > KEPT_MAX_WORDS || this.#count > KEPT_MAX_GLYPHS;
  }

  setOf(kind: 'alpha' | 'subpixel'): number {
    return this.#setOf(kind).id;
  }

  /** Returns the format in which coverage of a set's glyphs is added up. */
  maskFormatOf(glyphSet: number): number {
    return glyphSet === this.#sets.subpixel?.id ? this.#formats.color : this.#formats.alpha;
  }

  /** Queues a glyph, which is sent before the next text is drawn. Returns false if it is too large. */
  add(kind: 'alpha' | 'subpixel', glyph: NumberedGlyph): boolean {
    const words = wordsOf(glyph);
    if (words > GLYPH_MAX_WORDS) return false;
    const set = this.#setOf(kind);
    if (set.waitingWords + words > REQUEST_WORDS) this.#send(set);
    set.waiting.push(glyph);
    set.waitingWords += words;
    this.#words += words;
    this.#count += 1;
    return true;
  }

  flush(): void {
    const { alpha, subpixel } = this.#sets;
    if (alpha !== undefined) this.#send(alpha);
    if (subpixel !== undefined) this.#send(subpixel);
  }

  /** Frees all glyphs. */
  clear(): void {
    for (const kind of ['alpha', 'subpixel'] as const) {
      const set = this.#sets[kind];
      if (set !== undefined) {
        this.#requests.freeGlyphSet(set.id);
        this.#ids.giveBack(set.id);
      }
      delete this.#sets[kind];
    }
    this.#words = 0;
    this.#count = 0;
  }

  #send(set: GlyphSet): void {
    if (set.waiting.length === 0) return;
    this.#requests.addGlyphs(set.id, set.waiting);
    set.waiting = [];
    set.waitingWords = 0;
  }

  #setOf(kind: 'alpha' | 'subpixel'): GlyphSet {
    const known = this.#sets[kind];
    if (known !== undefined) return known;
    const blank = { id: BLANK, advance: this.blankAdvance, image: { ...NO_PIXELS, format: kind } };
    const set = { id: this.#ids.take(), waiting: [blank], waitingWords: wordsOf(blank) };
    this.#sets[kind] = set;
    this.#requests.createGlyphSet(set.id, kind === 'alpha' ? this.#formats.alpha : this.#formats.color);
    return set;
  }
}
