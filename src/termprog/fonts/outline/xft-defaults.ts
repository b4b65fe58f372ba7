import type { PatternReader } from './font-settings.ts';
import { HINT_FULL, LCD_FILTER_DEFAULT, RESULT_MATCH, RGBA } from './fontconfig.ts';
import type { OutlineLibraries } from './libraries.ts';

/** The X resources `Xft.*` by their last part: `dpi`, `antialias`, `hintstyle` and others. */
export type XftResources = Readonly<Record<string, string>>;

/** The names of the resources that are read. */
export const XFT_RESOURCES = [
  'antialias',
  'embolden',
  'hinting',
  'hintstyle',
  'autohint',
  'rgba',
  'lcdfilter',
  'minspace',
  'dpi',
  'scale',
] as const;

/** Defaults of the screen, for values that the resources do not set. */
export interface ScreenDefaults {
  /** Dots per inch, from the height of the screen in pixels and in millimetres. */
  readonly dpi: number;
  /** Order of a pixel's colours: RENDER's subpixel order, 0 if unknown. */
  readonly subpixelOrder: number;
  readonly resources: XftResources;
}

const INCH_MM = 25.4;

/** Dots per inch of a screen that does not report its size. ours: decision 104 */
const UNKNOWN_DPI = 96;

/** Returns the dots per inch of a screen, as libXft computes them. */
export function screenDpi({ heightPixels, heightMm }: { heightPixels: number; heightMm: number }): number {
  return heightMm > 0 ? (heightPixels * INCH_MM) / heightMm : UNKNOWN_DPI;
}

/** Returns the effective resolution: `Xft.dpi`, otherwise that of the screen. */
export function effectiveDpi({ dpi, resources }: ScreenDefaults): number {
  return parseNumber(resources.dpi) ?? dpi;
}

/**
 * Adds the values that neither the pattern nor fontconfig's configuration sets.
 * @see xftdpy.c, XftDefaultSubstitute
 */
export function substituteXftDefaults(
  libraries: OutlineLibraries,
  reader: PatternReader,
  pattern: number,
  screen: ScreenDefaults,
): void {
  const { fontconfig } = libraries;
  const { resources } = screen;
  const bool = (object: string, otherwise: boolean): void => {
    if (reader.bool(pattern, object) !== undefined) return;
    fontconfig.addBool(pattern, object, (parseBool(resources[object]) ?? otherwise) ? 1 : 0);
  };
  const integer = (object: string, otherwise: number): void => {
    if (reader.integer(pattern, object) !== undefined) return;
    fontconfig.addInteger(pattern, object, parseInteger(libraries, resources[object]) ?? otherwise);
  };
  const double = (object: string, value: number): void => {
    if (reader.double(pattern, object) === undefined) fontconfig.addDouble(pattern, object, value);
  };
  bool('antialias', true);
  bool('embolden', false);
  bool('hinting', true);
  integer('hintstyle', HINT_FULL);
  bool('autohint', false);
  integer('rgba', screen.subpixelOrder in Object.values(RGBA) ? screen.subpixelOrder : RGBA.unknown);
  integer('lcdfilter', LCD_FILTER_DEFAULT);
  bool('minspace', false);
  double('dpi', effectiveDpi(screen));
  double('scale', parseNumber(resources.scale) ?? 1);
  fontconfig.substituteDefaults(pattern);
}

/** Parses a boolean as fontconfig does, by the beginning of the word. @see fcname.c, FcNameBool */
function parseBool(text: string | undefined): boolean | undefined {
  const word = text?.trimStart().toLowerCase() ?? '';
  if (/^([ty1]|on)/.test(word)) return true;
  return /^([fn0]|of)/.test(word) ? false : undefined;
}

/** Parses the number at the start, as strtod does; undefined without one above 0. */
function parseNumber(text: string | undefined): number | undefined {
  const number = Number.parseFloat(text ?? '');
  return number > 0 && Number.isFinite(number) ? number : undefined;
}

/** Parses a constant of fontconfig such as `hintslight`, or a number. */
function parseInteger({ fontconfig }: OutlineLibraries, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = new Int32Array(1);
  // The function returns whether the name exists, not a result code.
  if (fontconfig.isConstant(text, value) !== RESULT_MATCH) return value[0];
  const number = Number.parseInt(text, text.trimStart().startsWith('0x') ? 16 : 10);
  return Number.isNaN(number) ? undefined : number;
}
