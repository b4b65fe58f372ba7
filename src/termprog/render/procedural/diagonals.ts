import { type Canvas, ofPolygons, type Picture, type Vertex } from './picture.ts';
import { strokeLine } from './polygon.ts';

/** A point on the edge of the cell or in its middle, in halves of its width and height. */
export type HalfPoint = readonly [x: 0 | 1 | 2, y: 0 | 1 | 2];
export type HalfLine = readonly [from: HalfPoint, to: HalfPoint];

/** Draws light lines between points of the cell. */
export function drawDiagonals(lines: readonly HalfLine[], { width, height, thickness }: Canvas): Picture {
  const place = ([x, y]: HalfPoint): Vertex => [(x * width) / 2, (y * height) / 2];
  return ofPolygons(lines.map(([from, to]) => strokeLine(place(from), place(to), thickness)));
}
