import type { Rectangle } from '../rectangle.ts';
import { between, type Canvas } from './picture.ts';

const HALF_PIXEL = 0.5;

/**
 * The edge after so many parts of a width. Every picture that divides a cell uses it, so that they meet.
 * An edge in the middle of a pixel goes behind it, as in the bitmap fonts that the reference terminal shows.
 * @param length pixels
 */
export function edgeOf(length: number, part: number, parts: number): number {
  return Math.round((length * part) / parts);
}

/** The same of a height, where an edge in the middle of a pixel goes above it, as in those fonts. */
export function rowEdgeOf(length: number, part: number, parts: number): number {
  return Math.ceil((length * part) / parts - HALF_PIXEL);
}

/** The rectangle from part to part of the cell, at least one pixel in each direction. */
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
