import type { GridSize } from './grid.ts';

/** Where the cursor is. */
export interface CursorPlace {
  column: number;
  row: number;
  /** The last column was written to: the next character goes to the next line, where lines wrap. */
  isWrapPending: boolean;
}

/** A cell by its row and column; it may be one behind the last column. */
interface CellPlace {
  row: number;
  column: number;
}

/** The cell for the next character. */
export function nextCell({ row, column, isWrapPending }: CursorPlace): CellPlace {
  return { row, column: isWrapPending ? column + 1 : column };
}

/** The cursor's place when the next character is for this cell. */
export function placeBefore({ row, column }: CellPlace, { columns }: GridSize): CursorPlace {
  return { row, column: Math.min(column, columns - 1), isWrapPending: column === columns };
}
