import { bandAround } from './bands.ts';
import { between, type Canvas, ofRectangles, type Picture } from './picture.ts';

const FIRST = 0x23ba;

/**
 * Draws the horizontal scan lines 1, 3, 7 and 9 of the VT100, U+23BA to U+23BD, in the rows of the usual bitmap fonts.
 */
export function drawScanLine(codePoint: number, { width, height, thickness }: Canvas): Picture {
  const last = height - 1;
  // A quarter of the height; an exact half is rounded away from the middle.
  const third = Math.ceil(last / 4 - 0.5);
  const row = [0, third, last - third, last][codePoint - FIRST] ?? 0;
  const { start, end } = bandAround(row, thickness, height);
  return ofRectangles([between(0, start, width, end)]);
}
