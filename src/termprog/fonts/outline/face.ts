/** A glyph of a cluster, in pixels from the origin of the cluster; y grows downwards. */
export interface ShapedGlyph {
  readonly glyph: number;
  readonly x: number;
  readonly y: number;
}

/** Whole pixels, rounded as libXft rounds them. */
export interface FaceMetrics {
  /** From the baseline up. */
  readonly ascent: number;
  /** From the baseline down. */
  readonly descent: number;
  /** Distance of two lines by the face; the sum of the two above may be more. */
  readonly height: number;
  readonly maxAdvance: number;
}

/** The picture of a glyph. */
export interface GlyphImage {
  /** Coverage in 8 bits; coverage for each of the colours, in 32 bits; colours with premultiplied alpha, in 32 bits. */
  readonly format: 'alpha' | 'subpixel' | 'color';
  readonly width: number;
  readonly height: number;
  /** Pixels from the origin to the left edge of the picture. */
  readonly left: number;
  /** Pixels from the baseline up to the top edge. */
  readonly top: number;
  /** Whole pixels to the origin of the next glyph, as libXft rounds them. */
  readonly advance: number;
  /** Rows from the top, without padding; 32 bits are the bytes blue, green, red, alpha. */
  readonly pixels: Uint8Array;
}

/** How a glyph is drawn other than the face says. */
export interface GlyphOptions {
  /** Of the size in both directions; 1 where it is left out. */
  readonly scale?: number;
  /** Whether strokes are thickened. */
  readonly embolden?: boolean;
  /** Whether a glyph with colours is drawn by its outline, where the face has one. */
  readonly isMonochrome?: boolean;
}

/** One face of a font file at one pixel size, with the rendering settings that fontconfig gives for its pattern. */
export interface Face {
  readonly family: string;
  readonly style: string;
  readonly file: string;
  /** Of the face in its file. */
  readonly index: number;
  readonly pixelSize: number;
  readonly metrics: FaceMetrics;
  /** Whether it has colour glyphs that this FreeType draws. */
  readonly hasColorGlyphs: boolean;
  /** Whether glyphs are outlines that can be drawn at any size. */
  readonly hasOutlines: boolean;
  readonly isMonospaced: boolean;
  /** 0 when it has none. */
  glyphOf(codePoint: number): number;
  /**
   * The glyphs of a cluster. A cluster of one code point is never shaped.
   * Undefined when a glyph is missing, and when there is nothing that shapes.
   */
  shape(codePoints: readonly number[]): readonly ShapedGlyph[] | undefined;
  /** Pixels to the origin of the next glyph, before fitting; 0 for a glyph that can't be loaded. */
  advanceOf(glyph: number): number;
  isColorGlyph(glyph: number): boolean;
  /** Undefined when the glyph can't be drawn: the file is damaged, or the picture would be too large. */
  rasterize(glyph: number, options?: GlyphOptions): GlyphImage | undefined;
  /** Gives back what the face holds; no other call may follow. */
  close(): void;
}
