import type { Rectangle } from '../rectangle.ts';
import { partOf } from './cell-parts.ts';
import { type Canvas, ofRectangles, type Picture } from './picture.ts';

/** Edges in eighths of the cell. */
type Eighths = readonly [left: number, right: number, top: number, bottom: number];

const LEFT: Eighths = [0, 1, 0, 8];
const RIGHT: Eighths = [7, 8, 0, 8];
const UPPER: Eighths = [0, 8, 0, 1];
const LOWER: Eighths = [0, 8, 7, 8];
const row = (top: number): Eighths => [0, 8, top, top + 1];
const column = (left: number): Eighths => [left, left + 1, 0, 8];
const upper = (count: number): Eighths => [0, 8, 0, count];
const right = (count: number): Eighths => [8 - count, 8, 0, 8];

/** Rectangles of U+1FB70 to U+1FB8B. */
const BLOCKS: readonly (readonly Eighths[])[] = [
  ...[1, 2, 3, 4, 5, 6].map((number) => [column(number)]),
  ...[1, 2, 3, 4, 5, 6].map((number) => [row(number)]),
  [LEFT, LOWER],
  [LEFT, UPPER],
  [RIGHT, UPPER],
  [RIGHT, LOWER],
  [UPPER, LOWER],
  [row(0), row(2), row(4), row(7)],
  ...[2, 3, 5, 6, 7].map((count) => [upper(count)]),
  ...[2, 3, 5, 6, 7].map((count) => [right(count)]),
];
const FIRST = 0x1fb70;

/** Blocks of eighths, U+1FB70 to U+1FB8B. */
export function drawEighths(codePoint: number, canvas: Canvas): Picture {
  return ofRectangles((BLOCKS[codePoint - FIRST] ?? []).map((block) => eighths(block, canvas)));
}

/** Blocks of quarters in the middle of a side, U+1FBE4 to U+1FBE7, in eighths. */
const MIDDLE_BLOCKS: readonly Eighths[] = [
  [2, 6, 0, 4],
  [2, 6, 4, 8],
  [0, 4, 2, 6],
  [4, 8, 2, 6],
];
const FIRST_MIDDLE = 0x1fbe4;

export function drawMiddleBlock(codePoint: number, canvas: Canvas): Picture {
  return ofRectangles(
    MIDDLE_BLOCKS.slice(codePoint - FIRST_MIDDLE)
      .slice(0, 1)
      .map((block) => eighths(block, canvas)),
  );
}

function eighths([left, end, top, bottom]: Eighths, canvas: Canvas): Rectangle {
  return partOf(canvas, [left, end, 8], [top, bottom, 8]);
}
