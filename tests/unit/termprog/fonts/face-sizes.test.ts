import { expect, test } from 'vitest';
import { faceSizes, needsAreas } from '../../../../src/termprog/fonts/face-sizes.ts';

/** Areas of the cells of fixed, nil2, 5x7, 6x10, 7x13, 9x15, 10x20 and 12x24. */
const AREAS = [78, 2, 35, 60, 91, 135, 200, 288];

const rounded = (sizes: number[]): number[] => sizes.map((size) => Math.round(size * 1_000) / 1_000);

test('a size that is not configured follows the bitmap fonts in width and height', () => {
  expect(rounded(faceSizes([8, 0, 0, 0, 0, 0, 0, 0], AREAS))).toEqual([
    8, 1.281, 5.359, 7.016, 8.641, 10.525, 12.81, 15.372,
  ]);
});

test('a configured size stays, and the others do not follow it', () => {
  expect(rounded(faceSizes([11, 0, 0, 0, 0, 20, 0, 0], AREAS)).slice(4, 7)).toEqual([11.881, 20, 17.614]);
});

test('without a bitmap font of its own a slot has the size that the reference terminal has built in', () => {
  const missing = faceSizes([8, 0, 0, 0, 0, 0, 0, 0], []);
  expect(rounded(missing)).toEqual([8, 0.205, 3.59, 6.154, 9.231, 13.846, 20.513, 24.615]);
  expect(faceSizes([8, 0, 0], [78, undefined, 78])).toEqual(missing.slice(0, 3));
});

test('the areas are needed only where a size is derived', () => {
  expect(needsAreas([8, 2, 4])).toBe(false);
  expect(needsAreas([8, 2, 0])).toBe(true);
});
