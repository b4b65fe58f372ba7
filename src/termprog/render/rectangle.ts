/** Coordinates on the wire are signed numbers of 16 bits; X11 protocol. */
export const COORDINATE_MAX = 32_767;

/** Size in pixels. */
export interface CellSize {
  width: number;
  height: number;
}

/** Position in pixels from the top left of a cell, or of the window. */
export interface Point {
  x: number;
  y: number;
}

export interface Rectangle extends Point, CellSize {}
