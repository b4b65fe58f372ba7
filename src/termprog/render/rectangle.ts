/** Pixels of a cell. */
export interface CellSize {
  width: number;
  height: number;
}

/** In pixels from the top left of a cell. */
export interface Rectangle extends CellSize {
  x: number;
  y: number;
}
