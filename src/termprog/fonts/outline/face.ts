/** A glyph of a cluster, in pixels from the origin of the cluster; y grows downwards. */
export interface ShapedGlyph {
  readonly glyph: number;
  readonly x: number;
  readonly y: number;
}

/** Metrics in whole pixels, rounded as in libXft. */
export interface FaceMetrics {
  /** Pixels above the baseline. */
  readonly ascent: number;
  /** Pixels below the baseline. */
  readonly descent: number;
  /** The face's line distance; it may be less than ascent plus descent. */
  readonly height: number;
  readonly maxAdvance: number;
}

/** The picture of a glyph. */
export interface GlyphImage {
  /**
   * `alpha`: coverage in 8 bits; `subpixel`: coverage per colour in 32 bits; `color`: premultiplied colours in 32 bits.
   */
  readonly format: 'alpha' | 'subpixel' | 'color';
  readonly width: number;
  readonly height: number;
  /** Pixels from the origin to the left edge of the picture. */
  readonly left: number;
  /** Pixels from the baseline up to the top edge. */
  readonly top: number;
  /** Whole pixels to the origin of the next glyph, rounded as in libXft. */
  readonly advance: number;
  /** Rows from the top, without padding; 32-bit pixels are the bytes blue, green, red, alpha. */
  readonly pixels: Uint8Array;
}

/** Options that override the face's settings for a glyph. */
export interface GlyphOptions {
  /** Factor of the size in both directions; 1 by default. */
  readonly scale?: number;
  /** Whether strokes are thickened. */
  readonly embolden?: boolean;
  /** Whether a colour glyph is drawn by its outline, if the face has one. */
  readonly isMonochrome?: boolean;
}

/** One face of a font file at one pixel size, with the rendering settings of its fontconfig pattern. */
export interface Face {
  readonly family: string;
  readonly style: string;
  readonly file: string;
  /** Index of the face in its file. */
  readonly index: number;
  readonly pixelSize: number;
  readonly metrics: FaceMetrics;
  /** Whether it has colour glyphs that this FreeType version can draw. */
  readonly hasColorGlyphs: boolean;
  /** Whether its glyphs are outlines, which can be drawn at any size. */
  readonly hasOutlines: boolean;
  readonly isMonospaced: boolean;
  /** Returns the glyph of a code point; 0 if there is none. */
  glyphOf(codePoint: number): number;
  /**
   * Returns the glyphs of a cluster. A cluster of one code point is never shaped. Undefined when a glyph is missing,
   * and without a shaping library.
   */
  shape(codePoints: readonly number[]): readonly ShapedGlyph[] | undefined;
  /** Pixels to the origin of the next glyph, before fitting; 0 for a glyph that can't be loaded. */
  advanceOf(glyph: number): number;
  isColorGlyph(glyph: number): boolean;
  /** Undefined when the glyph can't be drawn: the file is damaged, or the picture would be too large. */
  rasterize(glyph: number, options?: GlyphOptions): GlyphImage | undefined;
  /** Frees the face's memory; no other call may follow. */
  close(): void;
}
