import type { FaceMetrics } from './face.ts';
import type { FontSettings, Matrix } from './font-settings.ts';
import { isIdentity } from './load-flags.ts';
import type { SizeMetrics } from './native-face.ts';

/** Converts 64ths to whole pixels, rounding down. */
const floorPixels = (units: number): number => units >> 6;

/** Returns a face's metrics as libXft computes them. @see xftfreetype.c, XftFontOpenInfo */
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

/** Tolerance: scales are quotients, and a metric this little above whole pixels counts as whole. */
const ROUNDING_ERROR = 1e-6;

/** Returns the metrics of pictures that are drawn at another size than their own. */
export function scaledMetrics(size: SizeMetrics, scale: number): FaceMetrics {
  const pixels = (units: number): number => Math.ceil((units / 64) * scale - ROUNDING_ERROR);
  const ascent = pixels(size.ascender);
  const descent = pixels(-size.descender);
  return { ascent, descent, height: ascent + descent, maxAdvance: pixels(size.maxAdvance) };
}

function transformedY(units: number, { yy }: Matrix): number {
  return Math.round(units * yy);
}
