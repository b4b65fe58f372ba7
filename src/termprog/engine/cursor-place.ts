import type { GridSize } from './grid.ts';

/** The cursor's place. */
export interface CursorPlace {
  column: number;
  row: number;
  /** Whether the last column was written to: the next character goes to the next line, if lines wrap. */
  isWrapPending: boolean;
}

/** A cell by its row and column; it may be one after the last column. */
interface CellPlace {
  row: number;
  column: number;
}

/** Returns the cell for the next character. */
export function nextCell({ row, column, isWrapPending }: CursorPlace): CellPlace {
  return { row, column: isWrapPending ? column + 1 : column };
}

/** Returns the cursor's place when the next character is for this cell. */
export function placeBefore({ row, column }: CellPlace, { columns }: GridSize): CursorPlace {
  return { row, column: Math.min(column, columns - 1), isWrapPending: column === columns };
}
