import type { Graphics } from './graphics.ts';
import { type CellSize, COORDINATE_MAX, type Point } from './rectangle.ts';

/** Position of the grid in the window, and its size. */
export interface PlacedCells {
  columns: number;
  rows: number;
  cell: CellSize;
  origin: Readonly<Point>;
}

/**
 * Fills the window outside its cells, which may show other colours, or parts of removed cells. The server clips the
 * part outside the window.
 */
export function paintMargin(graphics: Graphics, pixel: number, { columns, rows, cell, origin }: PlacedCells): void {
  const right = origin.x + columns * cell.width;
  const bottom = origin.y + rows * cell.height;
  const fill = (x: number, y: number, width: number, height: number): void => {
    if (width > 0 && height > 0) graphics.fillPaper(pixel, x, y, width, height);
  };
  fill(0, 0, COORDINATE_MAX, origin.y);
  fill(0, origin.y, origin.x, bottom - origin.y);
  fill(right, origin.y, COORDINATE_MAX - right, bottom - origin.y);
  fill(0, bottom, COORDINATE_MAX, COORDINATE_MAX - bottom);
}
