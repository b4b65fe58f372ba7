/** A place between cells: before the cell of that column. Rows count from the top of the screen; history is negative. */
export interface TextPosition {
  row: number;
  column: number;
}

/** Text from one place to another, which is behind it. */
export interface TextRange {
  start: TextPosition;
  end: TextPosition;
  /** The columns from one to the other of each row, in place of all text between. */
  isBlock: boolean;
}

export function isBefore(one: TextPosition, other: TextPosition): boolean {
  return one.row < other.row || (one.row === other.row && one.column < other.column);
}

export const isSamePosition = (one: TextPosition, other: TextPosition): boolean =>
  one.row === other.row && one.column === other.column;

/** The columns of a row that are in the range, the last one excluded; undefined when there are none. */
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
