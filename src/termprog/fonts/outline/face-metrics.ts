import type { FaceMetrics } from './face.ts';
import type { FontSettings, Matrix } from './font-settings.ts';
import { isIdentity } from './load-flags.ts';
import type { SizeMetrics } from './native-face.ts';

/** Whole pixels of 64ths, cut off towards the smaller number. */
const floorPixels = (units: number): number => units >> 6;

/** Measures of a face as libXft has them. @see xftfreetype.c, XftFontOpenInfo */
export function xftMetrics(size: SizeMetrics, settings: FontSettings): FaceMetrics {
  const { matrix, charWidth, isMinimallySpaced } = settings;
  const isTransformed = !isIdentity(settings);
  const vertical = (units: number): number => floorPixels(isTransformed ? transformedY(units, matrix) : units);
  const ascent = vertical(size.ascender);
  const descent = -vertical(size.descender);
  const advance = isTransformed ? Math.round(size.maxAdvance * matrix.xx) : size.maxAdvance;
  return {
    ascent,
    descent,
    height: isMinimallySpaced ? ascent + descent : vertical(size.height),
    maxAdvance: charWidth > 0 ? charWidth : floorPixels(advance),
  };
}

/** Scales are quotients: a measure this little above whole pixels is whole. */
const ROUNDING_ERROR = 1e-6;

/** Measures of pictures that are drawn at another size than theirs. */
export function scaledMetrics(size: SizeMetrics, scale: number): FaceMetrics {
  const pixels = (units: number): number => Math.ceil((units / 64) * scale - ROUNDING_ERROR);
  const ascent = pixels(size.ascender);
  const descent = pixels(-size.descender);
  return { ascent, descent, height: ascent + descent, maxAdvance: pixels(size.maxAdvance) };
}

function transformedY(units: number, { yy }: Matrix): number {
  return Math.round(units * yy);
}
