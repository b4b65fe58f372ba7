import { crossOf } from './bands.ts';
import { drawArms, LIGHT, NONE } from './box-arms.ts';
import { drawDiagonals, type HalfLine, type HalfPoint } from './diagonals.ts';
import { between, type Canvas, ofRectangles, type Picture } from './picture.ts';

const UPPER: HalfPoint = [1, 0];
const LEFT: HalfPoint = [0, 1];
const RIGHT: HalfPoint = [2, 1];
const LOWER: HalfPoint = [1, 2];
const MIDDLE: HalfPoint = [1, 1];
const UPPER_LEFT: HalfPoint = [0, 0];
const UPPER_RIGHT: HalfPoint = [2, 0];
const LOWER_LEFT: HalfPoint = [0, 2];
const LOWER_RIGHT: HalfPoint = [2, 2];

const NORTH_WEST: HalfLine = [UPPER, LEFT];
const NORTH_EAST: HalfLine = [UPPER, RIGHT];
const SOUTH_WEST: HalfLine = [LEFT, LOWER];
const SOUTH_EAST: HalfLine = [RIGHT, LOWER];

/** Lines between the middles of the sides, U+1FBA0 to U+1FBAE. */
const SIDE_TO_SIDE: readonly (readonly HalfLine[])[] = [
  [NORTH_WEST],
  [NORTH_EAST],
  [SOUTH_WEST],
  [SOUTH_EAST],
  [NORTH_WEST, SOUTH_WEST],
  [NORTH_EAST, SOUTH_EAST],
  [SOUTH_WEST, SOUTH_EAST],
  [NORTH_WEST, NORTH_EAST],
  [NORTH_WEST, SOUTH_EAST],
  [NORTH_EAST, SOUTH_WEST],
  [NORTH_EAST, SOUTH_EAST, SOUTH_WEST],
  [NORTH_WEST, SOUTH_WEST, SOUTH_EAST],
  [NORTH_WEST, NORTH_EAST, SOUTH_EAST],
  [NORTH_EAST, NORTH_WEST, SOUTH_WEST],
  [NORTH_WEST, NORTH_EAST, SOUTH_EAST, SOUTH_WEST],
];
const FIRST_SIDE_TO_SIDE = 0x1fba0;

/** Lines from corners, U+1FBD0 to U+1FBDF. */
const FROM_CORNERS: readonly (readonly HalfLine[])[] = [
  [[RIGHT, LOWER_LEFT]],
  [[UPPER_RIGHT, LEFT]],
  [[UPPER_LEFT, RIGHT]],
  [[LEFT, LOWER_RIGHT]],
  [[UPPER_LEFT, LOWER]],
  [[UPPER, LOWER_RIGHT]],
  [[UPPER_RIGHT, LOWER]],
  [[UPPER, LOWER_LEFT]],
  path(UPPER_LEFT, MIDDLE, UPPER_RIGHT),
  path(UPPER_RIGHT, MIDDLE, LOWER_RIGHT),
  path(LOWER_LEFT, MIDDLE, LOWER_RIGHT),
  path(UPPER_LEFT, MIDDLE, LOWER_LEFT),
  path(UPPER_LEFT, LOWER, UPPER_RIGHT),
  path(UPPER_RIGHT, LEFT, LOWER_RIGHT),
  path(LOWER_LEFT, UPPER, LOWER_RIGHT),
  path(UPPER_LEFT, RIGHT, LOWER_LEFT),
];
const FIRST_FROM_CORNERS = 0x1fbd0;

function path(from: HalfPoint, by: HalfPoint, to: HalfPoint): readonly HalfLine[] {
  return [
    [from, by],
    [by, to],
  ];
}

/** Slanted light lines, U+1FBA0 to U+1FBAE and U+1FBD0 to U+1FBDF. */
export function drawSlantedLines(codePoint: number, canvas: Canvas): Picture | undefined {
  const lines = SIDE_TO_SIDE[codePoint - FIRST_SIDE_TO_SIDE] ?? FROM_CORNERS[codePoint - FIRST_FROM_CORNERS];
  return lines && drawDiagonals(lines, canvas);
}

/** The stroke through a horizontal line takes this fraction of the cell's height. */
const STROKE_PARTS = 3;

/** A light horizontal line with a short vertical stroke, U+1FBAF. */
export function drawStruckLine(_codePoint: number, canvas: Canvas): Picture {
  const { x, y } = crossOf(canvas);
  const half = Math.max(1, Math.floor(canvas.height / STROKE_PARTS / 2));
  const top = Math.max(0, y.light.start - half);
  const bottom = Math.min(canvas.height, y.light.end + half);
  return ofRectangles([
    ...drawArms([NONE, LIGHT, NONE, LIGHT], canvas),
    between(x.light.start, top, x.light.end, bottom),
  ]);
}
