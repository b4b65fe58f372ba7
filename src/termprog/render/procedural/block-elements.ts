import type { Rectangle } from '../rectangle.ts';
import { partOf } from './cell-parts.ts';
import { type Canvas, ofRectangles, type Picture } from './picture.ts';
import { type Shade, shadeRectangles } from './shade.ts';

const UPPER_HALF = 0x2580;
const FULL = 0x2588;
const LEFT_EIGHTH = 0x258f;
const RIGHT_HALF = 0x2590;
const UPPER_EIGHTH = 0x2594;
const FIRST_QUADRANT = 0x2596;

const SHADES: Readonly<Record<number, Shade>> = { 9617: 'light', 9618: 'medium', 9619: 'dark' };

/** Quadrants of U+2596 to U+259F: bits upper left 1, upper right 2, lower left 4, lower right 8. */
const QUADRANTS = [4, 8, 1, 13, 9, 7, 11, 2, 6, 14] as const;

/** Block elements, U+2580 to U+259F. */
export function drawBlock(codePoint: number, canvas: Canvas): Picture {
  const shade = SHADES[codePoint];
  if (shade !== undefined) return ofRectangles(shadeRectangles(shade, [{ x: 0, y: 0, ...sizeOf(canvas) }], canvas));
  const quadrants = QUADRANTS[codePoint - FIRST_QUADRANT];
  return ofRectangles(quadrants === undefined ? [barOf(codePoint, canvas)] : mosaic(quadrants, 2, canvas));
}

const sizeOf = ({ width, height }: Canvas): { width: number; height: number } => ({ width, height });

/** Returns a bar that fills eighths of the cell from one side. */
function barOf(codePoint: number, canvas: Canvas): Rectangle {
  if (codePoint === UPPER_HALF) return partOf(canvas, [0, 1, 1], [0, 1, 2]);
  if (codePoint <= FULL) return partOf(canvas, [0, 1, 1], [8 - (codePoint - UPPER_HALF), 8, 8]);
  if (codePoint <= LEFT_EIGHTH) return partOf(canvas, [0, RIGHT_HALF - codePoint, 8], [0, 1, 1]);
  if (codePoint === RIGHT_HALF) return partOf(canvas, [1, 2, 2], [0, 1, 1]);
  return codePoint === UPPER_EIGHTH ? partOf(canvas, [0, 1, 1], [0, 1, 8]) : partOf(canvas, [7, 8, 8], [0, 1, 1]);
}

/** Returns the parts of two columns: bit 0 is the upper left part, bit 1 the one beside it, and so on downwards. */
export function mosaic(bits: number, rows: number, canvas: Canvas): Rectangle[] {
  const parts: Rectangle[] = [];
  for (let row = 0; row < rows; row += 1) {
    const [left, right] = [(bits >> (2 * row)) & 1, (bits >> (2 * row + 1)) & 1];
    if (left === 0 && right === 0) continue;
    parts.push(partOf(canvas, [1 - left, 1 + right, 2], [row, row + 1, rows]));
  }
  return parts;
}
