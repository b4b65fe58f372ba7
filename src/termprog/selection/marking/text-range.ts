/**
 * A place between cells: before the cell of that column. Rows count from the top of the screen; those of the history
 * are negative.
 */
export interface TextPosition {
  row: number;
  column: number;
}

/** Text from one place to a later one. */
export interface TextRange {
  start: TextPosition;
  end: TextPosition;
  /** Whether it covers the columns from one to the other in each row, instead of all text between. */
  isBlock: boolean;
}

export function isBefore(one: TextPosition, other: TextPosition): boolean {
  return one.row < other.row || (one.row === other.row && one.column < other.column);
}

export const isSamePosition = (one: TextPosition, other: TextPosition): boolean =>
  one.row === other.row && one.column === other.column;

/** Returns the columns of a row inside the range, the last one excluded; undefined if there are none. */
export function columnsIn(
  { start, end, isBlock }: TextRange,
  row: number,
  columns: number,
): { first: number; last: number } | undefined {
  if (row < start.row || row > end.row) return undefined;
  const first = isBlock || row === start.row ? start.column : 0;
  const last = isBlock || row === end.row ? Math.min(end.column, columns) : columns;
  return first < last ? { first, last } : undefined;
}
