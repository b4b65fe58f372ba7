import type { Canvas } from './picture.ts';

/** Pixels from `start` up to `end` across a line. */
export interface Band {
  start: number;
  end: number;
}

/** Where lines lie in one direction of the cell: they depend on nothing else, so that those of all cells meet. */
export interface Bands {
  /** Pixels of the cell. */
  size: number;
  light: Band;
  heavy: Band;
  /** The strokes of a double line, nearer to the top or left and nearer to the bottom or right. */
  low: Band;
  high: Band;
}

/** The reference terminal draws on a grid of 60 units, whose last is the cell's last pixel. */
const LAST_UNIT = 59;

/** Where a place of the reference terminal's grid is. */
export function placeOf(unit: number, size: number): number {
  return Math.floor((unit * (size - 1)) / LAST_UNIT);
}

const MIDDLE_UNIT = 30;

export function bandsOf(size: number, thickness: number): Bands {
  const middle = placeOf(MIDDLE_UNIT, size);
  const light = bandAt(middle - Math.floor(thickness / 2), thickness, size);
  const heavy = bandAt(middle - (thickness - 1), 2 * thickness, size);
  // Two strokes with one between them that is free.
  const stroke = Math.min(thickness, Math.max(1, Math.floor(size / 3)));
  const free = Math.max(stroke, Math.min(middle - Math.floor(stroke / 2), size - 2 * stroke));
  return {
    size,
    light,
    heavy,
    low: bandAt(free - stroke, stroke, size),
    high: bandAt(free + stroke, stroke, size),
  };
}

/** The band that begins at a pixel, moved and cut so that it is inside of the cell. */
export function bandAt(start: number, thickness: number, size: number): Band {
  const inside = Math.min(thickness, size);
  const first = Math.max(0, Math.min(start, size - inside));
  return { start: first, end: first + inside };
}

/** Bands of vertical lines, by x, and of horizontal ones, by y. */
export function crossOf({ width, height, thickness }: Canvas): { x: Bands; y: Bands } {
  return { x: bandsOf(width, thickness), y: bandsOf(height, thickness) };
}
