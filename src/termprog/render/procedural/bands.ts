import type { Canvas } from './picture.ts';

/** Pixels across a line, from `start` up to `end`. */
export interface Band {
  start: number;
  end: number;
}

/**
 * Positions of lines in one direction of the cell. They depend only on the size and stroke, so that the lines of all
 * cells meet.
 */
export interface Bands {
  /** Pixels of the cell. */
  size: number;
  light: Band;
  heavy: Band;
  /** Strokes of a double line: `low` is nearer to the top or left, `high` nearer to the bottom or right. */
  low: Band;
  high: Band;
}

/**
 * The middle pixel on a grid of 60 units, whose last is the cell's last pixel: where the usual bitmap fonts have it.
 */
const MIDDLE_UNIT = 30;
const LAST_UNIT = 59;

/** @param size pixels of the cell */
export function bandsOf(size: number, { stroke: full, thickness }: Pick<Canvas, 'stroke' | 'thickness'>): Bands {
  const middle = Math.floor((MIDDLE_UNIT * (size - 1)) / LAST_UNIT);
  const light = bandAround(middle, thickness, size);
  const heavy = bandAround(middle, thickness + full, size);
  // A double line is two strokes with a free one between them.
  const stroke = Math.min(full, Math.max(1, Math.floor(size / 3)));
  const free = Math.max(stroke, Math.min(firstOf(middle, stroke), size - 2 * stroke));
  return {
    size,
    light,
    heavy,
    low: bandAt(free - stroke, stroke, size),
    high: bandAt(free + stroke, stroke, size),
  };
}

/** Returns the band around a pixel; an even number of pixels extends one further to the right or down. */
export function bandAround(middle: number, thickness: number, size: number): Band {
  return bandAt(firstOf(middle, thickness), thickness, size);
}

function firstOf(middle: number, thickness: number): number {
  return middle - Math.floor((thickness - 1) / 2);
}

/** Returns the band that begins at a pixel, moved and cut to lie inside the cell. */
function bandAt(start: number, thickness: number, size: number): Band {
  const inside = Math.min(thickness, size);
  const first = Math.max(0, Math.min(start, size - inside));
  return { start: first, end: first + inside };
}

/** Bands of vertical lines, by x, and of horizontal ones, by y. */
export function crossOf(canvas: Canvas): { x: Bands; y: Bands } {
  const { width, height } = canvas;
  return { x: bandsOf(width, canvas), y: bandsOf(height, canvas) };
}
