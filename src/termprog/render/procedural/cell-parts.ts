import type { Rectangle } from '../rectangle.ts';
import { between, type Canvas } from './picture.ts';

const HALF_PIXEL = 0.5;

/**
 * Returns the edge after `part` of `parts` of a width. All pictures that divide a cell use it, so that they meet. An
 * edge in the middle of a pixel goes behind it, as in the bitmap fonts that the reference terminal shows.
 * @param length pixels
 */
export function edgeOf(length: number, part: number, parts: number): number {
  return Math.round((length * part) / parts);
}

/** Returns such an edge of a height. An edge in the middle of a pixel goes above it, as in those fonts. */
export function rowEdgeOf(length: number, part: number, parts: number): number {
  return Math.ceil((length * part) / parts - HALF_PIXEL);
}

/** Returns the rectangle between two edges in each direction, at least one pixel wide and high. */
export function partOf(
  { width, height }: Canvas,
  [left, right, columns]: readonly [from: number, to: number, of: number],
  [top, bottom, rows]: readonly [from: number, to: number, of: number],
): Rectangle {
  const [x1, x2] = edgesOf(edgeOf, width, [left, right, columns]);
  const [y1, y2] = edgesOf(rowEdgeOf, height, [top, bottom, rows]);
  return between(x1, y1, x2, y2);
}

function edgesOf(
  edge: typeof edgeOf,
  length: number,
  [from, to, parts]: readonly [from: number, to: number, of: number],
): [number, number] {
  const start = edge(length, from, parts);
  const end = edge(length, to, parts);
  if (end > start) return [start, end];
  const first = Math.min(start, length - 1);
  return [first, first + 1];
}
