import type { CursorShape } from '../engine/cursor.ts';
import type { CellSize, Rectangle } from './rectangle.ts';

/**
 * An underline or a bar has this fraction of the cell's width, and at least two pixels, as in the reference terminal.
 */
const THICKNESS_DIVISOR = 8;
const THICKNESS_MIN = 2;

/**
 * Returns the cursor's own pixels, relative to the corner of its character: the outline of a block, or a line at the
 * bottom or the left. Lines end a pixel before the next cell, as in the reference terminal.
 * @param area of the character; `cellWidth` is that of a single cell
 */
export function cursorRectangles(shape: CursorShape, { width, height }: CellSize, cellWidth: number): Rectangle[] {
  const thickness = Math.max(THICKNESS_MIN, Math.floor((cellWidth - 1) / THICKNESS_DIVISOR));
  if (shape === 'underline') return [{ x: 0, y: height - thickness, width: width - 1, height: thickness }];
  if (shape === 'bar') return [{ x: 0, y: 0, width: thickness, height: height - 1 }];
  return [
    { x: 0, y: 0, width, height: 1 },
    { x: 0, y: height - 1, width, height: 1 },
    { x: 0, y: 0, width: 1, height },
    { x: width - 1, y: 0, width: 1, height },
  ];
}
