import type { CellSize, Rectangle } from '../rectangle.ts';
import { canvasOf } from './canvas.ts';
import type { Polygon } from './picture.ts';
import { pictureOf } from './pictures.ts';
import { crossingsAt } from './polygon.ts';

/** Ink coverage of each pixel of a cell, from 0 to 255, row by row without padding. */
export interface Coverage extends CellSize {
  alpha: Uint8Array;
}

/** Larger cells get rectangles instead of a coverage map. */
const PIXELS_MAX = 65_536;

/** Sample lines per row of pixels; along each of them the edges are exact. */
const LINES_PER_PIXEL = 8;

const FULL = 255;

/**
 * Returns the smooth form of a character; undefined for characters that are left to fonts, and in huge cells. It has
 * the pixels of `rectanglesOf`, except along slanted and curved edges.
 */
export function coverageOf(codePoint: number, cell: CellSize, isBold: boolean): Coverage | undefined {
  const { width, height } = cell;
  if (width * height > PIXELS_MAX) return undefined;
  const picture = pictureOf(codePoint, canvasOf(cell, isBold));
  if (picture === undefined) return undefined;
  const ink = new Float32Array(width * height);
  for (const polygon of picture.polygons) addPolygon(ink, cell, polygon);
  for (const rectangle of picture.rectangles) addRectangle(ink, cell, rectangle);
  return { width, height, alpha: Uint8Array.from(ink, (part) => Math.round(FULL * Math.min(1, part))) };
}

function addRectangle(ink: Float32Array, cell: CellSize, { x, y, width, height }: Rectangle): void {
  for (let row = y; row < y + height; row += 1) ink.fill(1, row * cell.width + x, row * cell.width + x + width);
}

function addPolygon(ink: Float32Array, { width, height }: CellSize, polygon: Polygon): void {
  for (let line = 0; line < height * LINES_PER_PIXEL; line += 1) {
    const crossings = crossingsAt(polygon, (line + 0.5) / LINES_PER_PIXEL);
    const row = Math.floor(line / LINES_PER_PIXEL) * width;
    for (let index = 0; index + 1 < crossings.length; index += 2) {
      const left = Math.max(0, crossings[index] ?? 0);
      const right = Math.min(width, crossings[index + 1] ?? 0);
      for (let x = Math.floor(left); x < right; x += 1) {
        const part = Math.min(right, x + 1) - Math.max(left, x);
        ink[row + x] = (ink[row + x] ?? 0) + part / LINES_PER_PIXEL;
      }
    }
  }
}
