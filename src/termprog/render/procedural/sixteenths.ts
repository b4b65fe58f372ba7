import { partOf } from './cell-parts.ts';
import { type Canvas, ofRectangles, type Picture } from './picture.ts';

const FIRST_SIXTEENTH = 0x1ce90;
const FIRST_STRIP = 0x1cea0;

/** Edges in quarters of the cell. */
type Quarters = readonly [left: number, right: number, top: number, bottom: number];

/** Parts of the strips along the edges, U+1CEA0 to U+1CEAF: clockwise from the right half of the lowest quarter. */
const STRIPS: readonly Quarters[] = [
  [2, 4, 3, 4],
  [1, 4, 3, 4],
  [0, 3, 3, 4],
  [0, 2, 3, 4],
  [0, 1, 2, 4],
  [0, 1, 1, 4],
  [0, 1, 0, 3],
  [0, 1, 0, 2],
  [0, 2, 0, 1],
  [0, 3, 0, 1],
  [1, 4, 0, 1],
  [2, 4, 0, 1],
  [3, 4, 0, 2],
  [3, 4, 0, 3],
  [3, 4, 1, 4],
  [3, 4, 2, 4],
];

/** Sixteenths of the cell, row by row, and strips of them, U+1CE90 to U+1CEAF. */
export function drawSixteenths(codePoint: number, canvas: Canvas): Picture {
  const strip = STRIPS[codePoint - FIRST_STRIP] ?? sixteenth(codePoint - FIRST_SIXTEENTH);
  const [left, right, top, bottom] = strip;
  return ofRectangles([partOf(canvas, [left, right, 4], [top, bottom, 4])]);
}

function sixteenth(number: number): Quarters {
  const [column, row] = [number % 4, Math.floor(number / 4)];
  return [column, column + 1, row, row + 1];
}

const FIRST_THIRDS = 0x1fbce;

/** Left two thirds and left third, U+1FBCE and U+1FBCF. */
export function drawThirds(codePoint: number, canvas: Canvas): Picture {
  return ofRectangles([partOf(canvas, [0, codePoint === FIRST_THIRDS ? 2 : 1, 3], [0, 1, 1])]);
}
