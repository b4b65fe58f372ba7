/** Work to copy, erase or shift a row, in bytes of text: this for the row, and one for 8 cells, a shift by 3. */
const ROW_WORK = 4;
const CELLS_SHIFT = 3;

/** Returns the work to change some cells of each of some rows, in bytes of text. */
export function workOfRows(rows: number, cells: number): number {
  return rows * (ROW_WORK + (cells >> CELLS_SHIFT));
}
