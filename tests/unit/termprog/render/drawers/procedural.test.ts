import { expect, test } from 'vitest';
import { shapeOf } from '../../../../../src/termprog/render/drawers/procedural.ts';
import type { CellSize, Rectangle } from '../../../../../src/termprog/render/rectangle.ts';

const cells: readonly CellSize[] = [
  { width: 5, height: 7 },
  { width: 6, height: 13 },
  { width: 9, height: 15 },
  { width: 12, height: 24 },
  { width: 31, height: 61 },
];

/** The pixels of a glyph, row by row. */
function draw(codePoint: number, cell: CellSize): boolean[][] {
  const pixels = Array.from({ length: cell.height }, () => Array.from({ length: cell.width }, () => false));
  for (const { x, y, width, height } of glyphOf(codePoint, cell)) {
    for (let row = y; row < y + height; row += 1) pixels[row]?.fill(true, x, x + width);
  }
  return pixels;
}

function glyphOf(codePoint: number, cell: CellSize): readonly Rectangle[] {
  return shapeOf(codePoint, cell) ?? [];
}

const count = (pixels: boolean[][]): number => pixels.flat().filter(Boolean).length;
const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

for (const cell of cells) {
  const size = `${cell.width}x${cell.height}`;

  test(`every glyph of a cell of ${size} has ink and stays inside it`, () => {
    for (const codePoint of [...range(0x2500, 0x259f), ...range(0x23ba, 0x23bd)]) {
      const rectangles = glyphOf(codePoint, cell);
      const isInside = rectangles.every(
        ({ x, y, width, height }) =>
          x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= cell.width && y + height <= cell.height,
      );
      expect([codePoint.toString(16), rectangles.length > 0, isInside]).toEqual([codePoint.toString(16), true, true]);
    }
  });

  test(`lines in a cell of ${size} reach its edges, and meet those of the cells beside it`, () => {
    const horizontal = draw(0x2500, cell);
    const vertical = draw(0x2502, cell);
    const cross = draw(0x253c, cell);
    expect(cross).toEqual(horizontal.map((row, y) => row.map((isLit, x) => isLit || vertical[y]?.[x] === true)));
    const column = (pixels: boolean[][], x: number): boolean[] => pixels.map((row) => row[x] === true);
    expect(column(horizontal, 0)).toEqual(column(horizontal, cell.width - 1));
    expect(column(draw(0x250c, cell), cell.width - 1)).toEqual(column(horizontal, 0));
    expect(column(draw(0x2518, cell), 0)).toEqual(column(horizontal, 0));
    expect(draw(0x250c, cell).at(-1)).toEqual(vertical[0]);
  });

  test(`halves and quadrants of a cell of ${size} fill it once`, () => {
    const full = cell.width * cell.height;
    expect(count(draw(0x2588, cell))).toBe(full);
    expect(count(draw(0x2580, cell)) + count(draw(0x2584, cell))).toBeGreaterThanOrEqual(full - cell.width);
    for (const [one, other] of [
      [0x2596, 0x259c],
      [0x2597, 0x259b],
      [0x2598, 0x259f],
      [0x259d, 0x2599],
      [0x259a, 0x259e],
    ] as const) {
      expect(count(draw(one, cell)) + count(draw(other, cell))).toBe(full);
    }
  });

  test(`bars of eighths in a cell of ${size} grow`, () => {
    const heights = range(0x2581, 0x2588).map((codePoint) => count(draw(codePoint, cell)));
    expect(heights).toEqual(heights.toSorted((a, b) => a - b));
    const widths = range(0x2588, 0x258f).map((codePoint) => count(draw(codePoint, cell)));
    expect(widths).toEqual(widths.toSorted((a, b) => b - a));
  });

  test(`shades of a cell of ${size} grow from light to dark`, () => {
    const inks = [0x2591, 0x2592, 0x2593, 0x2588].map((codePoint) => count(draw(codePoint, cell)));
    expect(inks).toEqual([...new Set(inks)].toSorted((a, b) => a - b));
  });
}

test('other characters are left to fonts', () => {
  const cell = { width: 6, height: 13 };
  expect([0x41, 0x23b9, 0x23be, 0x24ff, 0x25a0].map((codePoint) => shapeOf(codePoint, cell))).toEqual(
    Array(5).fill(undefined),
  );
});
