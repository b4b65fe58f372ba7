import type { Rectangle } from '../rectangle.ts';
import type { Canvas, Polygon, Vertex } from './picture.ts';

/**
 * Returns the x values at which a horizontal line crosses the polygon's edges, sorted: it is inside between an even
 * index and the next one.
 */
export function crossingsAt(polygon: Polygon, y: number): number[] {
  const crossings: number[] = [];
  for (let index = 0; index < polygon.length; index += 1) {
    const [x1, y1] = polygon[index] ?? [0, 0];
    const [x2, y2] = polygon[(index + 1) % polygon.length] ?? [0, 0];
    if (y1 <= y !== y2 <= y) crossings.push(x1 + ((y - y1) * (x2 - x1)) / (y2 - y1));
  }
  return crossings.sort((one, other) => one - other);
}

/** Returns the pixels of the cell whose middle is inside the polygon, as rectangles of one detail's height. */
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

/** Returns the part of a convex polygon on that side of the line through two points on which a third one lies. */
export function cutPolygon(polygon: Polygon, [from, to]: readonly [Vertex, Vertex], inside: Vertex): Polygon {
  const sideOf = ([x, y]: Vertex): number => (to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0]);
  const sign = Math.sign(sideOf(inside));
  return polygon.flatMap((point, index) => {
    const next = polygon[(index + 1) % polygon.length] ?? point;
    const here = sign * sideOf(point);
    const there = sign * sideOf(next);
    const part = here / (here - there);
    const crossing: Vertex = [point[0] + part * (next[0] - point[0]), point[1] + part * (next[1] - point[1])];
    const kept = here >= 0 ? [point] : [];
    return here * there < 0 ? [...kept, crossing] : kept;
  });
}

/**
 * Returns the area of a straight line, extended beyond its ends by its thickness, so that it reaches the edges of the
 * cell.
 */
export function strokeLine([x1, y1]: Vertex, [x2, y2]: Vertex, thickness: number): Polygon {
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

/** Straight segments per quarter of a circle. */
const QUARTER_PIECES = 16;

/** Returns points of an ellipse between two angles, in quarters of a turn clockwise from the right. */
export function ellipse(middle: Vertex, radius: { x: number; y: number }, from: number, to: number): Vertex[] {
  const pieces = Math.max(1, Math.round(Math.abs(to - from) * QUARTER_PIECES));
  return Array.from({ length: pieces + 1 }, (_, piece): Vertex => {
    const angle = ((from + ((to - from) * piece) / pieces) * Math.PI) / 2;
    return [middle[0] + radius.x * Math.cos(angle), middle[1] + radius.y * Math.sin(angle)];
  });
}
