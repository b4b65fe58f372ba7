import { type FONTCONFIG_PROTOTYPES, HINT_FULL, LCD_FILTER_DEFAULT, RESULT_MATCH, RGBA } from './fontconfig.ts';
import type { OutlineLibraries } from './libraries.ts';

/** Linear transformation of x and y; the identity is xx = yy = 1. */
export interface Matrix {
  readonly xx: number;
  readonly xy: number;
  readonly yx: number;
  readonly yy: number;
}

/** Properties of a completed fontconfig pattern: the font, and its rendering. */
export interface FontSettings {
  readonly family: string;
  readonly style: string;
  readonly file: string;
  /** Index of the face in its file; the upper 16 bits hold a variable font's named instance. */
  readonly index: number;
  readonly pixelSize: number;
  /** Ratio of a pixel's width to its height. */
  readonly aspect: number;
  readonly matrix: Matrix;
  readonly isAntialiased: boolean;
  readonly isHinted: boolean;
  readonly hintStyle: number;
  readonly isAutohinted: boolean;
  readonly isEmboldened: boolean;
  /** Whether pictures in the file are used instead of outlines. */
  readonly usesEmbeddedBitmaps: boolean;
  readonly usesGlobalAdvance: boolean;
  /** Order of a pixel's colours; see `RGBA`. */
  readonly rgba: number;
  readonly lcdFilter: number;
  readonly spacing: number;
  /** Whether the line distance is ascent plus descent. */
  readonly isMinimallySpaced: boolean;
  /** Advance of every glyph in pixels; 0 leaves it to the font. */
  readonly charWidth: number;
}

/** Reads values of fontconfig's patterns. */
export interface PatternReader {
  text(pattern: number, object: string, n?: number): string | undefined;
  integer(pattern: number, object: string): number | undefined;
  double(pattern: number, object: string): number | undefined;
  bool(pattern: number, object: string): boolean | undefined;
  matrix(pattern: number): Matrix | undefined;
  /** Address of the character set, which belongs to the pattern. */
  charSet(pattern: number): number | undefined;
}

const IDENTITY: Matrix = { xx: 1, xy: 0, yx: 0, yy: 1 };

const MATRIX_BYTES = 32;

type Getter = Extract<keyof typeof FONTCONFIG_PROTOTYPES, `get${string}`>;

export function createPatternReader({ fontconfig, memory }: OutlineLibraries): PatternReader {
  const integers = new Int32Array(1);
  const doubles = new Float64Array(1);
  const addresses = new BigUint64Array(1);
  const has = (getter: Getter, pattern: number, object: string, n: number, value: ArrayBufferView): boolean =>
    fontconfig[getter](pattern, object, n, value) === RESULT_MATCH;
  return {
    text: (pattern, object, n = 0) =>
      has('getString', pattern, object, n, addresses) ? memory.text(addresses[0] ?? 0n) : undefined,
    integer: (pattern, object) => (has('getInteger', pattern, object, 0, integers) ? integers[0] : undefined),
    double: (pattern, object) => (has('getDouble', pattern, object, 0, doubles) ? doubles[0] : undefined),
    bool: (pattern, object) => (has('getBool', pattern, object, 0, integers) ? integers[0] !== 0 : undefined),
    matrix: (pattern) => {
      if (!has('getMatrix', pattern, 'matrix', 0, addresses)) return undefined;
      const [xx = 1, xy = 0, yx = 0, yy = 1] = new Float64Array(memory.copy(Number(addresses[0]), MATRIX_BYTES).buffer);
      return { xx, xy, yx, yy };
    },
    charSet: (pattern) => (has('getCharSet', pattern, 'charset', 0, addresses) ? Number(addresses[0]) : undefined),
  };
}

/**
 * Reads the settings of a completed pattern, with libXft's defaults for missing ones. Undefined when it lacks a file or
 * a size.
 * @see xftfreetype.c, XftFontInfoFill
 */
export function readFontSettings(reader: PatternReader, pattern: number): FontSettings | undefined {
  const file = reader.text(pattern, 'file');
  const pixelSize = reader.double(pattern, 'pixelsize');
  if (file === undefined || pixelSize === undefined) return undefined;
  const bool = (object: string, otherwise: boolean): boolean => reader.bool(pattern, object) ?? otherwise;
  const integer = (object: string, otherwise: number): number => reader.integer(pattern, object) ?? otherwise;
  return {
    family: reader.text(pattern, 'family') ?? '',
    style: reader.text(pattern, 'style') ?? '',
    file,
    index: integer('index', 0),
    pixelSize,
    aspect: reader.double(pattern, 'aspect') ?? 1,
    matrix: reader.matrix(pattern) ?? IDENTITY,
    isAntialiased: bool('antialias', true),
    isHinted: bool('hinting', true),
    hintStyle: integer('hintstyle', HINT_FULL),
    isAutohinted: bool('autohint', false),
    isEmboldened: bool('embolden', false),
    usesEmbeddedBitmaps: bool('embeddedbitmap', false),
    usesGlobalAdvance: bool('globaladvance', true),
    rgba: integer('rgba', RGBA.unknown),
    lcdFilter: integer('lcdfilter', LCD_FILTER_DEFAULT),
    spacing: integer('spacing', 0),
    isMinimallySpaced: bool('minspace', false),
    charWidth: integer('charwidth', 0),
  };
}
