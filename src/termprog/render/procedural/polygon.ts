import type { Rectangle } from '../rectangle.ts';
import type { Canvas, Point, Polygon } from './picture.ts';

/** Where a horizontal line is inside of a polygon: from an even place of the list up to the next one. */
export function crossingsAt(polygon: Polygon, y: number): number[] {
  const crossings: number[] = [];
  for (let index = 0; index < polygon.length; index += 1) {
    const [x1, y1] = polygon[index] ?? [0, 0];
    const [x2, y2] = polygon[(index + 1) % polygon.length] ?? [0, 0];
    if (y1 <= y !== y2 <= y) crossings.push(x1 + ((y - y1) * (x2 - x1)) / (y2 - y1));
  }
  return crossings.sort((one, other) => one - other);
}

/** The pixels of the cell whose middle is inside of the polygon, as rectangles of one detail's height. */
export function fillPolygon(polygon: Polygon, { width, height, grain }: Canvas): Rectangle[] {
  const rectangles: Rectangle[] = [];
  const pixel = (x: number): number => Math.max(0, Math.min(width, grain * Math.ceil(x / grain - 0.5)));
  for (let y = 0; y < height; y += grain) {
    const down = Math.min(grain, height - y);
    const crossings = crossingsAt(polygon, y + down / 2);
    for (let index = 0; index + 1 < crossings.length; index += 2) {
      const left = pixel(crossings[index] ?? 0);
      const right = pixel(crossings[index + 1] ?? 0);
      if (right > left) rectangles.push({ x: left, y, width: right - left, height: down });
    }
  }
  return rectangles;
}

/** The part of a polygon on the side of the line through two points where a third one is; convex polygons only. */
export function cutPolygon(polygon: Polygon, [from, to]: readonly [Point, Point], inside: Point): Polygon {
  const sideOf = ([x, y]: Point): number => (to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]);
  const sign = Math.sign(sideOf(inside));
  return polygon.flatMap((point, index) => {
    const next = polygon[(index + 1) % polygon.length] ?? point;
    const here = sign * sideOf(point);
    const there = sign * sideOf(next);
    const part = here / (here - there);
    const crossing: Point = [point[0] + part * (next[0] - point[0]), point[1] + part * (next[1] - point[1])];
    const kept = here >= 0 ? [point] : [];
    return here * there < 0 ? [...kept, crossing] : kept;
  });
}

/** The area of a straight line, with as much beyond its ends as it is wide, so that it reaches the edges of the cell. */
export function strokeLine([x1, y1]: Point, [x2, y2]: Point, thickness: number): Polygon {
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const along = { x: (thickness * (x2 - x1)) / length, y: (thickness * (y2 - y1)) / length };
  const across = { x: -along.y / 2, y: along.x / 2 };
  return [
    [x1 - along.x + across.x, y1 - along.y + across.y],
    [x2 + along.x + across.x, y2 + along.y + across.y],
    [x2 + along.x - across.x, y2 + along.y - across.y],
    [x1 - along.x - across.x, y1 - along.y - across.y],
  ];
}

/** Straight pieces of a quarter of a circle. */
const QUARTER_PIECES = 16;

/** Points of an ellipse from one angle to another, in quarters of a turn clockwise from the right. */
export function ellipse(middle: Point, radius: { x: number; y: number }, from: number, to: number): Point[] {
  const pieces = Math.max(1, Math.round(Math.abs(to - from) * QUARTER_PIECES));
  return Array.from({ length: pieces + 1 }, (_, piece): Point => {
    const angle = ((from + ((to - from) * piece) / pieces) * Math.PI) / 2;
    return [middle[0] + radius.x * Math.cos(angle), middle[1] + radius.y * Math.sin(angle)];
  });
}
