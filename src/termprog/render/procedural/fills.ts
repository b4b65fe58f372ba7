import type { Rectangle } from '../rectangle.ts';
import { partOf } from './cell-parts.ts';
import { cornerTriangle } from './corner-triangles.ts';
import { type Canvas, ofPolygons, ofRectangles, type Picture } from './picture.ts';
import { fillPolygon, strokeLine } from './polygon.ts';
import { type Shade, shadeRectangles } from './shade.ts';

type Half = 'left' | 'right' | 'upper' | 'lower' | 'all';

/** Edges in halves of the cell: left, right, top, bottom. */
const HALVES: Readonly<Record<Half, readonly [number, number, number, number]>> = {
  left: [0, 1, 0, 2],
  right: [1, 2, 0, 2],
  upper: [0, 2, 0, 1],
  lower: [0, 2, 1, 2],
  all: [0, 2, 0, 2],
};

function areaOf(half: Half, canvas: Canvas): Rectangle {
  const [left, right, top, bottom] = HALVES[half];
  return partOf(canvas, [left, right, 2], [top, bottom, 2]);
}

function shaded(shade: Shade, half: Half, canvas: Canvas, full?: Half): Picture {
  const solid = full === undefined ? [] : [areaOf(full, canvas)];
  return ofRectangles([...solid, ...shadeRectangles(shade, [areaOf(half, canvas)], canvas)]);
}

function shadedCorner(corner: Parameters<typeof cornerTriangle>[0], canvas: Canvas): Picture {
  const triangle = fillPolygon(cornerTriangle(corner, canvas), canvas);
  return ofRectangles(shadeRectangles('medium', triangle, canvas));
}

/** Most repetitions of a pattern in a cell, however long and thin it is. */
const REPETITIONS_MAX = 64;

/** Columns of the checkerboard: its squares are a quarter of the cell wide, and every other one has ink. */
const CHECKER_COLUMNS = 4;

function checker(first: 0 | 1, canvas: Canvas): Picture {
  const side = Math.max(1, canvas.width / CHECKER_COLUMNS);
  // An even number of rows lets the pattern continue in the cell below.
  const rows = 2 * Math.max(1, Math.min(REPETITIONS_MAX, Math.round(canvas.height / side / 2)));
  const squares: Rectangle[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = (row + first) % 2; column < CHECKER_COLUMNS; column += 2) {
      const square = partOf(canvas, [column, column + 1, CHECKER_COLUMNS], [row, row + 1, rows]);
      if (square.x + square.width <= canvas.width && square.y + square.height <= canvas.height) squares.push(square);
    }
  }
  return ofRectangles(squares);
}

const HEAVY_LINES = 4;

/** Draws horizontal lines as thick as the spaces between them, which continue from cell to cell. */
function heavyLines(canvas: Canvas): Picture {
  return ofRectangles(
    Array.from({ length: HEAVY_LINES }, (_, line) =>
      partOf(canvas, [0, 1, 1], [2 * line, 2 * line + 1, 2 * HEAVY_LINES]),
    ),
  );
}

/** Draws slanted lines over the whole cell, about as steep as they are flat, which continue in all cells around it. */
function slanted(isFalling: boolean, { width, height, thickness }: Canvas): Picture {
  const count = Math.max(1, Math.min(REPETITIONS_MAX, Math.round((2 * height) / width)));
  const step = height / count;
  // Each line rises or falls by two steps across the cell's width; the first ones begin above it.
  const lines = Array.from({ length: count + 3 }, (_, line) => {
    const [top, bottom] = [(line - 2.5) * step, (line - 0.5) * step];
    return isFalling
      ? strokeLine([0, top], [width, bottom], thickness)
      : strokeLine([0, bottom], [width, top], thickness);
  });
  return ofPolygons(lines);
}

const DRAWERS: Readonly<Record<number, (canvas: Canvas) => Picture>> = {
  140: (canvas) => shaded('medium', 'left', canvas),
  141: (canvas) => shaded('medium', 'right', canvas),
  142: (canvas) => shaded('medium', 'upper', canvas),
  143: (canvas) => shaded('medium', 'lower', canvas),
  144: (canvas) => shaded('inverse', 'all', canvas),
  145: (canvas) => shaded('inverse', 'lower', canvas, 'upper'),
  146: (canvas) => shaded('inverse', 'upper', canvas, 'lower'),
  148: (canvas) => shaded('inverse', 'left', canvas, 'right'),
  149: (canvas) => checker(0, canvas),
  150: (canvas) => checker(1, canvas),
  151: heavyLines,
  152: (canvas) => slanted(true, canvas),
  153: (canvas) => slanted(false, canvas),
  156: (canvas) => shadedCorner('upper left', canvas),
  157: (canvas) => shadedCorner('upper right', canvas),
  158: (canvas) => shadedCorner('lower right', canvas),
  159: (canvas) => shadedCorner('lower left', canvas),
};
const BLOCK = 0x1fb00;

/** Shades of parts of the cell, and patterns: U+1FB8C to U+1FB99 without the unassigned U+1FB93, U+1FB9C to U+1FB9F. */
export function drawFill(codePoint: number, canvas: Canvas): Picture | undefined {
  return DRAWERS[codePoint - BLOCK]?.(canvas);
}
