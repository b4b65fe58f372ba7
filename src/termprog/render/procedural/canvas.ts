import type { CellSize } from '../rectangle.ts';
import type { Canvas } from './picture.ts';

/** A light line is one pixel thick for each of so many pixels of the cell's height, as in the reference terminal. */
const HEIGHT_PER_PIXEL = 16;
/** Bold lines are so much thicker, as in the bold form of `fixed`. */
const BOLD_FACTOR = 2;

/** Up to this size of a cell every pixel counts. */
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
