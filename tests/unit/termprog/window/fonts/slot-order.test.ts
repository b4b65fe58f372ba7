import { expect, test } from 'vitest';
import { neighborOf } from '../../../../../src/termprog/window/fonts/slot-order.ts';

/** Areas of the cells of fixed, nil2, 5x7, 6x10, 7x13, 9x15, 10x20 and 12x24. */
const AREAS = [78, 2, 35, 60, 91, 135, 200, 288];

/** The slots one passes from a slot on. */
function walk(sizes: readonly (number | undefined)[], start: number, direction: 'larger' | 'smaller'): number[] {
  const passed: number[] = [];
  for (let slot = neighborOf(sizes, start, direction); slot !== undefined; slot = neighborOf(sizes, slot, direction)) {
    passed.push(slot);
  }
  return passed;
}

test('larger and smaller step through all slots by size, with Default between Small and Medium', () => {
  expect(walk(AREAS, 1, 'larger')).toEqual([2, 3, 0, 4, 5, 6, 7]);
  expect(walk(AREAS, 7, 'smaller')).toEqual([6, 5, 4, 0, 3, 2, 1]);
});

test('slots without a font are passed over', () => {
  expect(
    walk(
      AREAS.with(1, Number.NaN)
        .with(4, Number.NaN)
        .map((area) => area || undefined),
      7,
      'smaller',
    ),
  ).toEqual([6, 5, 0, 3, 2]);
});

test('the first of several slots of one size counts, and switching never leads to another slot of the present size', () => {
  expect(neighborOf([10, 20, 20, 5, 5], 0, 'larger')).toBe(1);
  expect(neighborOf([10, 20, 20, 5, 5], 0, 'smaller')).toBe(3);
  expect(neighborOf([10, 20, 20, 5, 5], 2, 'larger')).toBeUndefined();
  expect(neighborOf([7, 7, 7], 1, 'smaller')).toBeUndefined();
});

test('a slot without a size has no larger or smaller slot', () => {
  expect(neighborOf([undefined, 3, 4], 0, 'larger')).toBeUndefined();
});
