import type { Graphics } from '../graphics.ts';
import type { CellSize, Rectangle } from '../rectangle.ts';
import { rectanglesOf } from './pictures.ts';

/** A picture of more rectangles becomes a stipple: created once, then drawn in many cells by one request. */
const RECTANGLES_MAX = 8;

/** Most pixels of all stipples of one cache; above it they are freed and created again on demand. */
const STIPPLES_MAX_PIXELS = 8_388_608;
/** A larger cell gets no stipple: its pictures are coarse, and few of them fit on a screen. */
const STIPPLE_MAX_PIXELS = 262_144;

/** The picture of a character that was drawn before. */
export interface CachedPicture {
  /** Empty when there is a stipple. */
  rectangles: readonly Rectangle[];
  /** The pixmap of a stipple. */
  stipple: number | undefined;
  /** Number of the last run in which its stipple was drawn. */
  drawnIn: number;
}

export interface PictureCacheParts {
  graphics: Graphics;
  cell: CellSize;
  isBold: boolean;
}

/**
 * Cache of the pictures of one size and weight. The number of procedural characters and the pixels of their stipples
 * bound it.
 */
export class PictureCache {
  readonly #parts: PictureCacheParts;
  readonly #pictures = new Map<number, CachedPicture>();
  #stipplePixels = 0;

  constructor(parts: PictureCacheParts) {
    this.#parts = parts;
  }

  /** Returns the picture of a character; undefined for characters that are left to fonts. */
  get(codePoint: number): CachedPicture | undefined {
    return this.#pictures.get(codePoint) ?? this.#create(codePoint);
  }

  /** Frees the stipples in the X server. */
  release(): void {
    for (const { stipple } of this.#pictures.values()) {
      if (stipple !== undefined) this.#parts.graphics.freeStipple(stipple);
    }
    this.#pictures.clear();
    this.#stipplePixels = 0;
  }

  #create(codePoint: number): CachedPicture | undefined {
    const { graphics, cell, isBold } = this.#parts;
    const rectangles = rectanglesOf(codePoint, cell, isBold);
    if (rectangles === undefined) return undefined;
    const pixels = cell.width * cell.height;
    const isComplex = rectangles.length > RECTANGLES_MAX && pixels <= STIPPLE_MAX_PIXELS;
    if (isComplex && this.#stipplePixels + pixels > STIPPLES_MAX_PIXELS) this.release();
    if (isComplex) this.#stipplePixels += pixels;
    const picture = isComplex
      ? { rectangles: [], stipple: graphics.createStipple(cell.width, cell.height, rectangles), drawnIn: 0 }
      : { rectangles, stipple: undefined, drawnIn: 0 };
    this.#pictures.set(codePoint, picture);
    return picture;
  }
}
