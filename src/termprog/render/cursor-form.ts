import type { CursorShape } from '../engine/cursor.ts';
import type { CellSize, Rectangle } from './rectangle.ts';

/** Pixels of an underline or bar cursor with the focus; without it, one. */
const SOLID_THICKNESS = 2;

/** The cursor's own pixels in its cell: the outline of a block, or a line at the bottom or the left. */
export function cursorRectangles(
  { shape, isSolid }: { shape: CursorShape; isSolid: boolean },
  { width, height }: CellSize,
): Rectangle[] {
  const thickness = isSolid ? SOLID_THICKNESS : 1;
  if (shape === 'underline') return [{ x: 0, y: height - thickness, width, height: thickness }];
  if (shape === 'bar') return [{ x: 0, y: 0, width: thickness, height }];
  return [
    { x: 0, y: 0, width, height: 1 },
    { x: 0, y: height - 1, width, height: 1 },
    { x: 0, y: 0, width: 1, height },
    { x: width - 1, y: 0, width: 1, height },
  ];
}
