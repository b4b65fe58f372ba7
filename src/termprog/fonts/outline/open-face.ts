import { FaceUnavailableError } from '../../errors.ts';
import { hasRoomForLayers } from './color-layers.ts';
import type { Face, FaceMetrics, GlyphImage, GlyphOptions, ShapedGlyph } from './face.ts';
import { scaledMetrics, xftMetrics } from './face-metrics.ts';
import type { FontSettings } from './font-settings.ts';
import { SPACING_MONO } from './fontconfig.ts';
import { FACE_FLAG, LOAD, PIXEL_MODE, RENDER_MODE, UNITS_PER_PIXEL } from './freetype.ts';
import { type GlyphPixels, readPicture } from './glyph-picture.ts';
import type { OutlineLibraries } from './libraries.ts';
import { type DrawingMode, drawingModeOf, isIdentity } from './load-flags.ts';
import { type GlyphSlot, NativeFace } from './native-face.ts';
import { scalePicture } from './scale-picture.ts';
import { openShaper, type Shaper } from './shaper.ts';

/** Largest size of a face; eighty columns of it still fit in a window that X permits. */
export const PIXEL_SIZE_MAX = 512;

/** Most pixels of a glyph's picture: enough for the widest ligature at the largest size. */
const PICTURE_PIXELS_MAX = 4 << 20;

/**
 * Most pixels of a picture in a file: four times as many as the largest face has. A few hundred bytes may claim a
 * billion.
 */
const FILE_PICTURE_PIXELS_MAX = 1 << 20;

/**
 * Longest side of an outline's picture, as a multiple of its face's size. FreeType needs most of a second for a line of
 * one pixel that is 65,535 high, and a cell is measured by 200 glyphs.
 */
const OUTLINE_SIDE_MAX = 24;

/** The selectors of text and of emoji presentation; a font may have its own glyphs for them. */
const TEXT_SELECTOR = 0xfe0e;
const EMOJI_SELECTOR = 0xfe0f;

/** Most code points of a cluster; a longer one is not text. */
const CLUSTER_MAX = 64;

/** Bytes of a COLR table up to its version 0 count of glyphs with layers. */
const COLR_START_BYTES = 4;
const COLR_GLYPH_COUNT = 2;

/** The initialized libraries: FreeType's handle, and the functions. */
export interface OutlineEnvironment {
  readonly libraries: OutlineLibraries;
  /** Address of FreeType's library object. */
  readonly freetypeLibrary: number;
}

/**
 * Opens a font with the settings of its pattern.
 * @throws FaceUnavailableError when the file can't be read, has no usable size, or the requested size is too large
 */
export function openFace(environment: OutlineEnvironment, settings: FontSettings): Face {
  const wanted = settings.pixelSize * Math.abs(settings.matrix.yy);
  if (!(wanted > 0 && wanted <= PIXEL_SIZE_MAX)) {
    throw new FaceUnavailableError(
      `the font ${settings.family} can't be opened at ${Math.round(wanted)} pixels, at most ${PIXEL_SIZE_MAX} are possible`,
    );
  }
  const native = NativeFace.open(environment.libraries, environment.freetypeLibrary, settings.file, settings.index);
  try {
    return new OutlineFace(environment, settings, native);
  } catch (error) {
    native.close();
    throw error;
  }
}

/** Options for loading a glyph. */
interface Loading {
  /** Loads the outline even of a colour glyph. */
  readonly isMonochrome?: boolean;
  /** Measures only, without the picture. */
  readonly isMeasuredOnly?: boolean;
}

/**
 * A face that FreeType draws and HarfBuzz shapes. It owns both native objects until `close`; sizes are bounded against
 * damaged files.
 */
class OutlineFace implements Face {
  readonly family: string;
  readonly style: string;
  readonly file: string;
  readonly index: number;
  readonly pixelSize: number;
  readonly metrics: FaceMetrics;
  readonly hasColorGlyphs: boolean;
  readonly hasOutlines: boolean;
  readonly isMonospaced: boolean;
  readonly #environment: OutlineEnvironment;
  readonly #settings: FontSettings;
  readonly #native: NativeFace;
  readonly #mode: DrawingMode;
  /** Factor by which the file's pictures are scaled. */
  readonly #strikeScale: number;
  readonly #hasColorLayers: boolean;
  /** Whether glyphs may be pictures of the file. */
  readonly #hasPictures: boolean;
  /** Scale of the native size that is set now. */
  #scale = 1;
  /** Absent before the first cluster; its `shaper` is undefined without HarfBuzz. */
  #shaper: { shaper: Shaper | undefined } | undefined;
  #isClosed = false;

  /** @throws FaceUnavailableError when the face has no usable size */
  constructor(environment: OutlineEnvironment, settings: FontSettings, native: NativeFace) {
    this.#environment = environment;
    this.#settings = settings;
    this.#native = native;
    this.family = settings.family;
    this.style = settings.style;
    this.file = settings.file;
    this.index = settings.index;
    this.pixelSize = settings.pixelSize * Math.abs(settings.matrix.yy);
    this.hasOutlines = (native.flags & FACE_FLAG.scalable) !== 0;
    const colr = (native.flags & FACE_FLAG.color) === 0 ? undefined : native.table('COLR', COLR_START_BYTES);
    this.#hasColorLayers = (colr?.getUint16(COLR_GLYPH_COUNT) ?? 0) > 0;
    this.#hasPictures = (native.flags & FACE_FLAG.fixedSizes) !== 0;
    const hasColorPictures = (native.flags & FACE_FLAG.color) !== 0 && this.#hasPictures;
    this.hasColorGlyphs = this.#hasColorLayers || hasColorPictures;
    this.isMonospaced = settings.spacing >= SPACING_MONO || (native.flags & FACE_FLAG.fixedWidth) !== 0;
    this.#mode = drawingModeOf(settings, { isScalable: this.hasOutlines, hasColor: this.hasColorGlyphs });
    this.#strikeScale = this.hasOutlines ? this.#setOutlineSize() : this.#setStrike();
    this.metrics =
      this.#strikeScale === 1
        ? xftMetrics(native.sizeMetrics(), settings)
        : scaledMetrics(native.sizeMetrics(), this.#strikeScale);
  }

  glyphOf(codePoint: number): number {
    const glyph = this.#isClosed ? 0 : this.#native.glyphOf(codePoint);
    // A damaged map may name glyphs that do not exist.
    return glyph < this.#native.glyphCount ? glyph : 0;
  }

  shape(codePoints: readonly number[]): readonly ShapedGlyph[] | undefined {
    const [first = 0, second = 0] = codePoints;
    if (this.#isClosed || codePoints.length === 0 || codePoints.length > CLUSTER_MAX) return undefined;
    if (codePoints.length === 1) return alone(this.glyphOf(first));
    if (codePoints.length === 2 && (second === TEXT_SELECTOR || second === EMOJI_SELECTOR)) {
      return alone(this.#native.variantOf(first, second) || this.glyphOf(first));
    }
    this.#shaper ??= { shaper: this.#openShaper() };
    return this.#shaper.shaper?.shape(codePoints);
  }

  advanceOf(glyph: number): number {
    if (!this.#load(glyph, 1, { isMeasuredOnly: true })) return 0;
    return (this.#native.slot().advance / UNITS_PER_PIXEL) * this.#strikeScale;
  }

  isColorGlyph(glyph: number): boolean {
    if (!this.hasColorGlyphs || this.#isClosed) return false;
    if (this.#hasColorLayers && this.#native.colorLayers(glyph, 1).length > 0) return true;
    return this.#load(glyph, 1, { isMeasuredOnly: true }) && this.#native.slot().picture.mode === PIXEL_MODE.bgra;
  }

  rasterize(
    glyph: number,
    { scale = 1, embolden = false, isMonochrome = false }: GlyphOptions = {},
  ): GlyphImage | undefined {
    if (!(scale > 0) || this.pixelSize * scale > PIXEL_SIZE_MAX) return undefined;
    const { libraries, freetypeLibrary } = this.#environment;
    const isSubpixel = this.#mode.renderMode >= RENDER_MODE.lcd;
    if (isSubpixel) libraries.freetype.setLcdFilter(freetypeLibrary, this.#settings.lcdFilter);
    if (!this.#loadReasonable(glyph, this.hasOutlines ? scale : 1, isMonochrome && this.hasOutlines)) return undefined;
    let slot = this.#native.slot();
    if (!isReasonable(slot, this.pixelSize)) return undefined;
    if ((this.#settings.isEmboldened || embolden) && slot.picture.mode !== PIXEL_MODE.bgra) {
      this.#native.embolden();
    }
    if (!slot.isPicture && !this.#native.render(this.#mode.renderMode)) return undefined;
    slot = this.#native.slot();
    const pixels = readPicture(slot.picture, { isBlueFirst: this.#mode.isBlueFirst, copy: libraries.memory.copy });
    if (pixels === undefined) return undefined;
    return this.#place(slot, pixels, this.hasOutlines ? 1 : this.#strikeScale * scale);
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#shaper?.shaper?.close();
    this.#native.close();
  }

  /** Returns the picture at its place, scaled if it comes from the file. */
  #place(slot: GlyphSlot, pixels: GlyphPixels, scale: number): GlyphImage | undefined {
    const { left, top } = slot.picture;
    const advance = (slot.advance / UNITS_PER_PIXEL) * scale;
    if (scale === 1) return { ...pixels, left, top, advance: this.#fittedAdvance(advance) };
    const width = Math.max(1, Math.round(pixels.width * scale));
    const height = Math.max(1, Math.round(pixels.height * scale));
    if (width * height > PICTURE_PIXELS_MAX) return undefined;
    const isEmpty = pixels.width === 0 || pixels.height === 0;
    const picture = { ...pixels, channels: pixels.format === 'alpha' ? 1 : 4 } as const;
    return {
      ...(isEmpty
        ? pixels
        : { format: pixels.format, width, height, pixels: scalePicture(picture, width, height).pixels }),
      left: Math.round(left * scale),
      top: Math.round(top * scale),
      advance: Math.round(advance),
    };
  }

  /** @see xftglyphs.c, XftFontLoadGlyphs */
  #fittedAdvance(advance: number): number {
    const isFixed = this.#settings.spacing >= SPACING_MONO || this.#settings.charWidth > 0;
    return isFixed ? this.metrics.maxAdvance : Math.floor(advance + 0.5);
  }

  /**
   * Loads a glyph if its size is acceptable, which is checked before a picture of the file is decoded. A glyph whose
   * colour layers are too large is loaded without them.
   */
  #loadReasonable(glyph: number, scale: number, isMonochrome: boolean): boolean {
    if (this.#hasPictures) {
      if (!this.#load(glyph, scale, { isMonochrome, isMeasuredOnly: true })) return false;
      const { isPicture, picture } = this.#native.slot();
      if (isPicture && picture.rows * picture.columns > FILE_PICTURE_PIXELS_MAX) return false;
    }
    if (isMonochrome || !this.#hasColorLayers) return this.#load(glyph, scale, { isMonochrome });
    if (!this.#load(glyph, scale)) return false;
    const hasRoom = hasRoomForLayers(this.#native, glyph, this.#mode.loadFlags, PICTURE_PIXELS_MAX);
    return this.#load(glyph, scale, { isMonochrome: !hasRoom });
  }

  /** Loads a glyph at the face's size times `scale`. Returns false when that fails. */
  #load(glyph: number, scale: number, { isMonochrome = false, isMeasuredOnly = false }: Loading = {}): boolean {
    if (this.#isClosed || !(Number.isInteger(glyph) && glyph >= 0 && glyph < this.#native.glyphCount)) return false;
    if (scale !== this.#scale && !this.#setScale(scale)) return false;
    const loadFlags = this.#mode.loadFlags | (isMeasuredOnly ? LOAD.bitmapMetricsOnly : 0);
    if (isMonochrome) return this.#native.load(glyph, (loadFlags & ~LOAD.color) | LOAD.noBitmap);
    if (this.#native.load(glyph, loadFlags)) return true;
    // A picture looks bad where an outline is expected, but better than an empty cell.
    if ((loadFlags & LOAD.noBitmap) !== 0) return this.#native.load(glyph, loadFlags & ~LOAD.noBitmap);
    // If this FreeType can't draw the colours, the glyph usually has an ordinary outline.
    return (loadFlags & LOAD.color) !== 0 && this.#native.load(glyph, loadFlags & ~LOAD.color);
  }

  #setScale(scale: number): boolean {
    const { pixelSize, aspect } = this.#settings;
    // Truncated to 64ths of a pixel, as in libXft.
    const units = (pixels: number): number => Math.trunc(pixels * UNITS_PER_PIXEL);
    if (!this.#native.setSize(units(pixelSize * aspect * scale), units(pixelSize * scale))) return false;
    this.#scale = scale;
    return true;
  }

  #setOutlineSize(): number {
    if (!this.#setScale(1)) throw this.#refuse('has no such size');
    if (!isIdentity(this.#settings)) this.#native.setMatrix(this.#settings.matrix);
    return 1;
  }

  /**
   * Selects the pictures of the best size.
   * @returns the factor by which they are scaled
   */
  #setStrike(): number {
    const sizes = this.#native.strikes();
    const strikes = sizes.filter((size) => size > 0);
    const nearest = (some: readonly number[]): number =>
      some.reduce((best, size) => (Math.abs(size - this.pixelSize) < Math.abs(best - this.pixelSize) ? size : best));
    if (strikes.length === 0) throw this.#refuse('has neither outlines nor pictures');
    const larger = strikes.filter((size) => size >= this.pixelSize);
    const size = this.hasColorGlyphs ? nearest(larger.length > 0 ? larger : strikes) : nearest(strikes);
    if (!this.#native.selectStrike(sizes.indexOf(size))) throw this.#refuse('has damaged pictures');
    return this.hasColorGlyphs || !isIdentity(this.#settings) ? this.pixelSize / size : 1;
  }

  #openShaper(): Shaper | undefined {
    const { file, index, pixelSize, aspect, matrix } = this.#settings;
    return openShaper(this.#environment.libraries, {
      file,
      index,
      pixelSize: { x: pixelSize * aspect * matrix.xx, y: pixelSize * matrix.yy },
    });
  }

  #refuse(why: string): FaceUnavailableError {
    return new FaceUnavailableError(`the font file ${this.file} ${why}`);
  }
}

function alone(glyph: number): ShapedGlyph[] | undefined {
  return glyph === 0 ? undefined : [{ glyph, x: 0, y: 0 }];
}

/** Whether the picture of a loaded glyph has an acceptable size; a damaged file may claim any. */
function isReasonable({ width, height, isPicture, picture: { rows, columns } }: GlyphSlot, pixelSize: number): boolean {
  const [right, bottom] = [width / UNITS_PER_PIXEL + 1, height / UNITS_PER_PIXEL + 1];
  const isLong = Math.max(right, bottom, rows, columns) > OUTLINE_SIDE_MAX * Math.max(1, pixelSize);
  return right * bottom <= PICTURE_PIXELS_MAX && rows * columns <= PICTURE_PIXELS_MAX && (isPicture || !isLong);
}
