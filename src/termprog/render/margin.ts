import type { Graphics } from './graphics.ts';
import { type CellSize, COORDINATE_MAX } from './rectangle.ts';

/** What of a window has cells: so many of them, behind a border of the same width on all sides. */
export interface CellArea {
  columns: number;
  rows: number;
  cell: CellSize;
  border: number;
}

/**
 * Fills the window beyond its cells, which may show other colours, or parts of cells that are gone. The server cuts off
 * what is beyond the window.
 */
export function paintMargin(graphics: Graphics, pixel: number, { columns, rows, cell, border }: CellArea): void {
  const right = border + columns * cell.width;
  const bottom = border + rows * cell.height;
  const fill = (x: number, y: number, width: number, height: number): void => {
    if (width > 0 && height > 0) graphics.fillPaper(pixel, x, y, width, height);
  };
  fill(0, 0, COORDINATE_MAX, border);
  fill(0, border, border, bottom - border);
  fill(right, border, COORDINATE_MAX - right, bottom - border);
  fill(0, bottom, COORDINATE_MAX, COORDINATE_MAX - bottom);
}
