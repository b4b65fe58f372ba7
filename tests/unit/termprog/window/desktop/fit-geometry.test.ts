import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { GridSize } from '../../../../../src/termprog/engine/grid.ts';
import {
  areaOf,
  fitBorder,
  fitPlace,
  fitSize,
  gridIn,
  nearOffset,
} from '../../../../../src/termprog/window/desktop/fit-geometry.ts';

const cell = { width: 6, height: 13 };

function fitted(columns: number, rows: number) {
  const told: string[] = [];
  return { size: fitSize({ columns, rows }, { cell, internalBorder: 2 }, (line) => told.push(line)), told };
}

test('a size that fits stays as it is, without a report', () => {
  expect(fitted(80, 24)).toEqual({ size: { columns: 80, rows: 24 }, told: [] });
});

test('more columns than X can show become as many as it can, in one line', () => {
  expect(fitted(20_000, 10)).toEqual({
    size: { columns: 5_460, rows: 10 },
    told: ['a window of 20000 columns is larger than X can show; it gets 5460'],
  });
});

test('a size that is too large both ways is reported in one line', () => {
  expect(fitted(32_767, 32_767)).toEqual({
    size: { columns: 5_460, rows: 768 },
    told: ['a window of 32767 columns and 32767 rows is larger than X can show; it gets 5460 and 768'],
  });
});

test('a window of zero cells has one', () => {
  expect(fitted(0, 0).size).toEqual({ columns: 1, rows: 1 });
});

const pixelsOfCell = fc.integer({ min: 1, max: 60 });

/** Expects a size that engine, painter, child and the protocol of the screen's picture can take. */
function expectPossible({ columns, rows }: GridSize, pixels: number, internalBorder: number): void {
  for (const cells of [columns, rows]) {
    expect(cells).toBeGreaterThanOrEqual(1);
    expect(cells).toBeLessThanOrEqual(8_191);
    expect(cells * pixels + 2 * internalBorder).toBeLessThanOrEqual(32_767);
  }
  expect(columns * rows).toBeLessThanOrEqual(4_194_304);
}

test('any requested size becomes a possible one', () => {
  const count = fc.oneof(fc.nat(), fc.constant(1e300), fc.nat(100));
  fc.assert(
    fc.property(count, count, pixelsOfCell, fc.nat(65_535), (columns, rows, pixels, border) => {
      const square = { width: pixels, height: pixels };
      const internalBorder = fitBorder(border, square, () => {});
      expectPossible(
        fitSize({ columns, rows }, { cell: square, internalBorder }, () => {}),
        pixels,
        internalBorder,
      );
    }),
  );
});

test('a window of any reported size has a possible screen', () => {
  const side = fc.oneof(fc.nat(65_535), fc.constant(65_535));
  fc.assert(
    fc.property(side, side, pixelsOfCell, fc.nat(65_535), (width, height, pixels, border) => {
      const square = { width: pixels, height: pixels };
      const internalBorder = fitBorder(border, square, () => {});
      expectPossible(gridIn({ width, height }, { cell: square, internalBorder }), pixels, internalBorder);
    }),
  );
});

test('more cells than a screen may have become as many as it can, in one line', () => {
  expect(fitted(5_000, 2_000)).toEqual({
    size: { columns: 5_000, rows: 838 },
    told: ['a window of 2000 rows is larger than X can show; it gets 838'],
  });
});

test('offsets are those the protocol can carry, in one line each', () => {
  const told: string[] = [];
  const place = { x: { distance: 40_000, fromFarEdge: false }, y: { distance: 99_999, fromFarEdge: true } };
  expect(fitPlace(place, (line) => told.push(line))).toEqual({
    x: { distance: 32_767, fromFarEdge: false },
    y: { distance: 32_767, fromFarEdge: true },
  });
  expect(told).toEqual([
    'an offset of +40000 is more than X can carry; +32767 is used',
    'an offset of -99999 is more than X can carry; -32767 is used',
  ]);
});

test('positions stay within the protocol wherever the offset counts from', () => {
  expect(nearOffset({ distance: -32_768, fromFarEdge: true }, 1_000)).toBe(32_767);
  expect(nearOffset({ distance: 10, fromFarEdge: true }, 1_000)).toBe(990);
  expect(nearOffset(undefined, 1_000)).toBe(0);
});

test('a window has its whole cells, at least one', () => {
  const padding = { cell, internalBorder: 2 };
  expect(gridIn({ width: 484 + 5, height: 316 + 12 }, padding)).toEqual({ columns: 80, rows: 24 });
  expect(gridIn({ width: 1, height: 1 }, padding)).toEqual({ columns: 1, rows: 1 });
});

test('a window larger than drawing can reach has the cells that it can', () => {
  expect(gridIn({ width: 65_535, height: 300 }, { cell, internalBorder: 2 })).toEqual({ columns: 5_460, rows: 22 });
});

test('the child receives the pixels of the cells alone', () => {
  expect(areaOf({ columns: 80, rows: 24 }, cell)).toEqual({ width: 480, height: 312 });
});
