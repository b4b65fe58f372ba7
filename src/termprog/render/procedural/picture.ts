import type { CellSize, Rectangle } from '../rectangle.ts';

/** In pixels from the top left of a cell; whole numbers are edges of pixels. */
export type Point = readonly [x: number, y: number];

/** A closed line around an area; it may reach out of the cell. */
export type Polygon = readonly Point[];

/** The ink of a character in its cell. */
export interface Picture {
  /** Inside of the cell; they may overlap. */
  rectangles: readonly Rectangle[];
  /** Areas with slanted or curved edges. */
  polygons: readonly Polygon[];
}

/** The cell, and what characters are drawn with in it. */
export interface Canvas extends CellSize {
  /** Pixels of a stroke of a double line, and of a light line that is not bold. */
  stroke: number;
  /** Pixels of a light line. */
  thickness: number;
  /** Pixels of the smallest detail: more than one only in huge cells, whose pictures would otherwise have no bound. */
  grain: number;
}

/** Draws one character; undefined when its range has none of this number. */
export type DrawCharacter = (codePoint: number, canvas: Canvas) => Picture | undefined;

export const ofRectangles = (rectangles: readonly Rectangle[]): Picture => ({ rectangles, polygons: [] });
export const ofPolygons = (polygons: readonly Polygon[]): Picture => ({ rectangles: [], polygons });

/** The rectangle between two edges of pixels in either direction. */
export function between(left: number, top: number, right: number, bottom: number): Rectangle {
  return { x: left, y: top, width: right - left, height: bottom - top };
}
