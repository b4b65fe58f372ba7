/** Work to copy, erase or shift cells of a row, in bytes of text: for the row, and for 2 to the power of this many cells. */
const ROW_WORK = 4;
const CELLS_SHIFT = 3;

/** Returns the work to change some cells of each of some rows, in bytes of text. */
export function workOfRows(rows: number, cells: number): number {
  return rows * (ROW_WORK + (cells >> CELLS_SHIFT));
}
