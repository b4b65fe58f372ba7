import { edgeOf } from './cell-parts.ts';
import { type Canvas, ofPolygons, type Picture, type Polygon, type Vertex } from './picture.ts';
import { cutPolygon } from './polygon.ts';

/** A point on the edge of the cell, in halves of its width and thirds of its height. */
type EdgePoint = readonly [x: 0 | 1 | 2, y: 0 | 1 | 2 | 3];

/** A cell cut by a line; the ink is on the side of the lower left or of the lower right corner. */
type Wedge = readonly [from: EdgePoint, to: EdgePoint, side: 'left' | 'right'];

/** U+1FB3C to U+1FB51. The same number of characters follows, with the ink on the other side. */
const WEDGES: readonly Wedge[] = [
  [[0, 2], [1, 3], 'left'],
  [[0, 2], [2, 3], 'left'],
  [[0, 1], [1, 3], 'left'],
  [[0, 1], [2, 3], 'left'],
  [[0, 0], [1, 3], 'left'],
  [[0, 1], [1, 0], 'right'],
  [[0, 1], [2, 0], 'right'],
  [[0, 2], [1, 0], 'right'],
  [[0, 2], [2, 0], 'right'],
  [[0, 3], [1, 0], 'right'],
  [[0, 2], [2, 1], 'right'],
  [[1, 3], [2, 2], 'right'],
  [[0, 3], [2, 2], 'right'],
  [[1, 3], [2, 1], 'right'],
  [[0, 3], [2, 1], 'right'],
  [[1, 3], [2, 0], 'right'],
  [[1, 0], [2, 1], 'left'],
  [[0, 0], [2, 1], 'left'],
  [[1, 0], [2, 2], 'left'],
  [[0, 0], [2, 2], 'left'],
  [[1, 0], [2, 3], 'left'],
  [[0, 1], [2, 2], 'left'],
];
const FIRST_WEDGE = 0x1fb3c;

/** Wedges, U+1FB3C to U+1FB67. */
export function drawWedge(codePoint: number, canvas: Canvas): Picture | undefined {
  const number = codePoint - FIRST_WEDGE;
  const wedge = WEDGES[number % WEDGES.length];
  if (wedge === undefined) return undefined;
  const { width, height } = canvas;
  const [from, to, side] = wedge;
  const corner: Vertex = [side === 'left' ? 0 : width, height];
  const opposite: Vertex = [width - corner[0], 0];
  const place = ([x, y]: EdgePoint): Vertex => [edgeOf(width, x, 2), edgeOf(height, y, 3)];
  const inked = number < WEDGES.length ? corner : opposite;
  return ofPolygons([cutPolygon(cellOf(canvas), [place(from), place(to)], inked)]);
}

const cellOf = ({ width, height }: Canvas): Polygon => [
  [0, 0],
  [width, 0],
  [width, height],
  [0, height],
];

/** Quarters of the cell that meet in its middle, named by their side, in the order of U+1FB6C to U+1FB6F. */
export const SIDES = ['left', 'upper', 'right', 'lower'] as const;
export type QuarterSide = (typeof SIDES)[number];

export function quarterOf(side: QuarterSide, { width, height }: Canvas): Polygon {
  const middle: Vertex = [width / 2, height / 2];
  const edges: Readonly<Record<QuarterSide, readonly [Vertex, Vertex]>> = {
    left: [
      [0, height],
      [0, 0],
    ],
    upper: [
      [0, 0],
      [width, 0],
    ],
    right: [
      [width, 0],
      [width, height],
    ],
    lower: [
      [width, height],
      [0, height],
    ],
  };
  return [...edges[side], middle];
}

const FIRST_THREE_QUARTERS = 0x1fb68;
const FIRST_QUARTER = 0x1fb6c;
const UPPER_AND_LOWER = 0x1fb9a;
const LEFT_AND_RIGHT = 0x1fb9b;

/** Triangular quarters, alone, in pairs and in threes: U+1FB68 to U+1FB6F, U+1FB9A and U+1FB9B. */
export function drawQuarters(codePoint: number, canvas: Canvas): Picture {
  const draw = (sides: readonly QuarterSide[]): Picture => ofPolygons(sides.map((side) => quarterOf(side, canvas)));
  if (codePoint === UPPER_AND_LOWER) return draw(['upper', 'lower']);
  if (codePoint === LEFT_AND_RIGHT) return draw(['left', 'right']);
  if (codePoint < FIRST_QUARTER) {
    return draw(SIDES.filter((_, number) => number !== codePoint - FIRST_THREE_QUARTERS));
  }
  return draw(SIDES.filter((_, number) => number === codePoint - FIRST_QUARTER));
}
