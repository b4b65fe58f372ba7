import type { Client } from 'x11';
import type { PictureFormats } from '../x11/render-formats.ts';
import { BLANK } from './glyph-items.ts';
import { type NumberedGlyph, type RenderRequests, wordsOf } from './render-requests.ts';
import { ReusedIds } from './reused-ids.ts';

/** What one request carries at most: 64 KiB. */
const REQUEST_WORDS = 16_384;

/** A glyph that is larger is not drawn; it is one of about 340 pixels in both directions. */
const GLYPH_MAX_WORDS = 30_000;

/** What the server keeps at most before all is sent anew: 16 MiB, and so many glyphs. */
const KEPT_MAX_WORDS = 4_194_304;
const KEPT_MAX_GLYPHS = 16_384;

/** A set of glyphs: coverage of a pixel, or of each of its colours. */
interface GlyphSet {
  id: number;
  waiting: NumberedGlyph[];
  waitingWords: number;
}

const NO_PIXELS = { width: 0, height: 0, left: 0, top: 0, pixels: new Uint8Array(0) } as const;

/** Glyphs that the server draws: sent once, in few requests. */
export class ServerGlyphs {
  /** Pixels that a blank advances, in sets that are made from now on. */
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

  /** Whether there are so many that it is time to begin anew. */
  get isFull(): boolean {
    return this.#words > KEPT_MAX_WORDS || this.#count > KEPT_MAX_GLYPHS;
  }

  setOf(kind: 'alpha' | 'subpixel'): number {
    return this.#setOf(kind).id;
  }

  /** The format in which coverage of glyphs of a set is added up. */
  maskFormatOf(glyphSet: number): number {
    return glyphSet === this.#sets.subpixel?.id ? this.#formats.color : this.#formats.alpha;
  }

  /** Sends a glyph before the next text is drawn. False: it is too large. */
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

  /** Frees all of them. */
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
