import { BLANK, ITEM_WORDS } from './glyph-items.ts';
import type { Rectangle } from './rectangle.ts';
import type { RenderRequests } from './render-requests.ts';
import type { SolidSources } from './solid-sources.ts';

/** Most glyphs of one item of a request; its length is a byte, and 255 has another meaning. */
const ITEM_MAX_GLYPHS = 254;

/** A request with more words is sent at once; a row of text is far smaller. */
const REQUEST_WORDS = 8_192;

/** Most colours that are gathered before a flush. */
const BUCKETS_MAX = 256;

/** Most blanks between glyphs that take fewer bytes than a new item after them. */
const BLANKS_MAX = 4;

/**
 * Most words of emptied buckets that are kept for the next frames: a frame in a thousand colours would otherwise leave
 * as many behind.
 */
const SPARE_WORDS_MAX = 65_536;

/** Glyphs of one set, side by side. */
export interface GlyphRow {
  glyphSet: number;
  /** Pixel value of the text. */
  color: number;
  /** Origin of the first glyph. */
  x: number;
  baseline: number;
  /** Numbers of the glyphs, or `BLANK`. */
  ids: Uint32Array;
  count: number;
  /** Pixels from one glyph to the next. */
  advance: number;
}

/** The items of a request that is not sent yet, and the server's pen position after them. */
class Bucket {
  color = 0;
  glyphSet = 0;
  items = new Uint32Array(64);
  length = 0;
  #penX = 0;
  #penY = 0;

  /** Empties the bucket for another colour. */
  begin(color: number, glyphSet: number): void {
    this.color = color;
    this.glyphSet = glyphSet;
    this.length = 0;
    this.#penX = 0;
    this.#penY = 0;
  }

  /** @param blanksMax most blanks within an item */
  add({ x, baseline, ids, count, advance }: GlyphRow, blanksMax: number): void {
    this.#reserve(count * (ITEM_WORDS + 1));
    for (let from = 0; from < count; ) {
      if (ids[from] === BLANK) {
        from += 1;
        continue;
      }
      const end = itemEnd(ids, from, Math.min(count, from + ITEM_MAX_GLYPHS), blanksMax);
      this.#addItem(x + from * advance, baseline, ids, from, end);
      this.#penX = x + end * advance;
      this.#penY = baseline;
      from = end;
    }
  }

  #addItem(x: number, y: number, ids: Uint32Array, from: number, end: number): void {
    const { items } = this;
    let at = this.length;
    items[at++] = end - from;
    items[at++] = ((x - this.#penX) & 0xffff) | ((y - this.#penY) << 16);
    for (let index = from; index < end; index += 1) items[at++] = ids[index] ?? 0;
    this.length = at;
  }

  #reserve(words: number): void {
    const needed = this.length + words;
    if (needed <= this.items.length) return;
    const items = new Uint32Array(Math.max(needed, 2 * this.items.length));
    items.set(this.items);
    this.items = items;
  }
}

/** Returns the end of an item that begins at `from`; no item ends with a blank. */
function itemEnd(ids: Uint32Array, from: number, most: number, blanksMax: number): number {
  let end = from + 1;
  for (let at = end; at < most && at - end <= blanksMax; at += 1) if (ids[at] !== BLANK) end = at + 1;
  return end;
}

/** The target of text. */
export interface TextSurface {
  /** Pictures of the window: `picture` without a clip, `clipped` with a changing one. */
  picture: number;
  clipped: number;
  /** Pixels that the blank of its glyph sets advances. */
  readonly blankAdvance: number;
  /** Called before each drawing. */
  prepare(): void;
  /** Format in which coverage of neighbours is added up. */
  maskFormatOf(glyphSet: number): number;
}

/**
 * Gathers text by colour and draws it over the backgrounds of a frame: a page of text in few colours takes few
 * requests. Only glyphs inside their cells wait, so that their order does not matter.
 */
export class TextLayer {
  readonly #requests: RenderRequests;
  readonly #sources: SolidSources;
  readonly #target: TextSurface;
  readonly #buckets = new Map<number, Bucket[]>();
  #count = 0;
  #words = 0;
  readonly #single = new Bucket();
  readonly #spare: Bucket[] = [];
  #spareWords = 0;

  constructor(requests: RenderRequests, sources: SolidSources, target: TextSurface) {
    this.#requests = requests;
    this.#sources = sources;
    this.#target = target;
  }

  /** Words of the waiting text. */
  get waitingWords(): number {
    return this.#words;
  }

  /** Adds text whose ink stays inside its cells. */
  add(row: GlyphRow): void {
    const bucket = this.#bucketOf(row.color, row.glyphSet);
    const before = bucket.length;
    bucket.add(row, this.#blanksMaxOf(row));
    this.#words += bucket.length - before;
    if (bucket.length >= REQUEST_WORDS) this.flush();
  }

  /**
   * Draws text whose ink may lie in neighbouring cells, at once. Overlapping coverage is added up.
   * @param clip limits the ink
   */
  drawJoined(row: GlyphRow, clip: Rectangle | undefined): void {
    const { picture, clipped } = this.#target;
    this.#target.prepare();
    if (clip !== undefined) this.#requests.setClip(clipped, clip);
    const bucket = this.#single;
    const { glyphSet, color } = row;
    bucket.begin(color, glyphSet);
    bucket.add(row, this.#blanksMaxOf(row));
    if (bucket.length === 0) return;
    this.#requests.compositeGlyphs(
      {
        source: this.#sources.of(color),
        target: clip === undefined ? picture : clipped,
        glyphSet,
        maskFormat: this.#target.maskFormatOf(glyphSet),
      },
      bucket.items,
      bucket.length,
    );
  }

  /** Draws the waiting text. */
  flush(): void {
    if (this.#count === 0) return;
    this.#target.prepare();
    const { picture: target } = this.#target;
    for (const buckets of this.#buckets.values()) {
      for (const { color, glyphSet, items, length } of buckets) {
        if (length === 0) continue;
        const source = this.#sources.of(color);
        this.#requests.compositeGlyphs({ source, target, glyphSet, maskFormat: undefined }, items, length);
      }
    }
    this.drop();
  }

  /** Discards the waiting text. */
  drop(): void {
    for (const buckets of this.#buckets.values()) for (const bucket of buckets) this.#keep(bucket);
    this.#buckets.clear();
    this.#count = 0;
    this.#words = 0;
  }

  #bucketOf(color: number, glyphSet: number): Bucket {
    const known = this.#buckets.get(color);
    const found = known?.find((bucket) => bucket.glyphSet === glyphSet);
    if (found !== undefined) return found;
    if (this.#count >= BUCKETS_MAX) {
      this.flush();
      return this.#bucketOf(color, glyphSet);
    }
    this.#count += 1;
    const bucket = this.#takeSpare();
    bucket.begin(color, glyphSet);
    if (known === undefined) this.#buckets.set(color, [bucket]);
    else known.push(bucket);
    return bucket;
  }

  /** Wide glyphs advance twice as far as a blank, so that no blank may replace them. */
  #blanksMaxOf({ advance }: GlyphRow): number {
    return advance === this.#target.blankAdvance ? BLANKS_MAX : 0;
  }

  #takeSpare(): Bucket {
    const bucket = this.#spare.pop();
    if (bucket === undefined) return new Bucket();
    this.#spareWords -= bucket.items.length;
    return bucket;
  }

  #keep(bucket: Bucket): void {
    const words = this.#spareWords + bucket.items.length;
    if (words > SPARE_WORDS_MAX) return;
    this.#spareWords = words;
    this.#spare.push(bucket);
  }
}
