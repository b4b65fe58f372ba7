import type { Rectangle } from '../rectangle.ts';
import { type Canvas, ofRectangles, type Picture } from './picture.ts';

const FIRST = 0x2800;

/** Column and row of the dots, by their bit. */
const DOTS = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 0],
  [1, 1],
  [1, 2],
  [0, 3],
  [1, 3],
] as const;
const COLUMNS = 2;
const ROWS = 4;

/** Braille patterns, U+2800 to U+28FF: square dots as large as the spaces between them. */
export function drawBraille(codePoint: number, { width, height }: Canvas): Picture {
  const side = Math.max(1, Math.min(Math.round(width / (2 * COLUMNS)), Math.round(height / (2 * ROWS))));
  const bits = codePoint - FIRST;
  const dots = DOTS.filter((_, bit) => ((bits >> bit) & 1) === 1).map(
    ([column, row]): Rectangle => ({
      x: placeOf(column, COLUMNS, width, side),
      y: placeOf(row, ROWS, height, side),
      width: side,
      height: side,
    }),
  );
  return ofRectangles(dots);
}

/** Returns the first pixel of a dot that is centred in its part of the cell. */
function placeOf(part: number, parts: number, length: number, side: number): number {
  return Math.max(0, Math.floor((((2 * part + 1) * length) / parts - side) / 2));
}
