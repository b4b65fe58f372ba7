import type { CellSize } from '../rectangle.ts';
import type { Canvas } from './picture.ts';

/** A light line gets one pixel of thickness per this many pixels of the cell's height, as in the reference terminal. */
const HEIGHT_PER_PIXEL = 16;
/** Thickness factor of bold lines, as in the bold form of `fixed`. */
const BOLD_FACTOR = 2;

/** Up to this size of a cell the smallest detail is one pixel. */
const FINE_MAX_PIXELS = 128;
/** Details of a larger cell, from one edge to the other. */
const COARSE_DETAILS = 64;

export function canvasOf({ width, height }: CellSize, isBold: boolean): Canvas {
  const longest = Math.max(width, height);
  const stroke = Math.max(1, Math.floor(height / HEIGHT_PER_PIXEL));
  return {
    width,
    height,
    stroke,
    thickness: isBold ? BOLD_FACTOR * stroke : stroke,
    grain: longest <= FINE_MAX_PIXELS ? 1 : Math.ceil(longest / COARSE_DETAILS),
  };
}
