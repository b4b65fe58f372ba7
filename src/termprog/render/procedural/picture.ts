import type { CellSize, Rectangle } from '../rectangle.ts';

/** Pixels from the top left of a cell; whole numbers are edges of pixels. */
export type Vertex = readonly [x: number, y: number];

/** A closed line around an area; it may extend outside the cell. */
export type Polygon = readonly Vertex[];

/** The ink of a character in its cell. */
export interface Picture {
  /** Rectangles inside the cell; they may overlap. */
  rectangles: readonly Rectangle[];
  /** Areas with slanted or curved edges. */
  polygons: readonly Polygon[];
}

/** The cell, and the dimensions of strokes in it. */
export interface Canvas extends CellSize {
  /** Pixels of a stroke of a double line, and of a light line that is not bold. */
  stroke: number;
  /** Pixels of a light line. */
  thickness: number;
  /** Pixels of the smallest detail: more than one only in huge cells, whose pictures would otherwise be unbounded. */
  grain: number;
}

/** Draws one character; undefined when its range lacks this code point. */
export type DrawCharacter = (codePoint: number, canvas: Canvas) => Picture | undefined;

export const ofRectangles = (rectangles: readonly Rectangle[]): Picture => ({ rectangles, polygons: [] });
export const ofPolygons = (polygons: readonly Polygon[]): Picture => ({ rectangles: [], polygons });

/** Returns the rectangle between two edges of pixels in either direction. */
export function between(left: number, top: number, right: number, bottom: number): Rectangle {
  return { x: left, y: top, width: right - left, height: bottom - top };
}
