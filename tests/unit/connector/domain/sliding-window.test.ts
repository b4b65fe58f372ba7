import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SlidingWindow } from '../../../../src/connector/domain/sliding-window.ts';

const MAX = 3;
const WINDOW_MS = 1_000;

test('the window lets so many through, then says how long to wait, and lets the next one through just then', () => {
  const window = new SlidingWindow(MAX, WINDOW_MS);

  expect([window.take(0), window.take(10), window.take(20)]).toEqual([0, 0, 0]);
  expect(window.take(500)).toBe(500);
  expect(window.take(999)).toBe(1);
  expect(window.take(1_000)).toBe(0);
  expect(window.take(1_000)).toBe(10);
});

test('a refused one does not count, and one given back is free again', () => {
  const window = new SlidingWindow(1, WINDOW_MS);
  window.take(0);
  for (let now = 1; now < WINDOW_MS; now += 100) expect(window.take(now)).toBeGreaterThan(0);

  window.giveBack(0);

  expect(window.take(950)).toBe(0);
  window.giveBack(3);
  expect(window.take(951)).toBeGreaterThan(0);
});

test('no stretch of the window has more at any times, and a caller who waits as answered gets through', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 600 }), { maxLength: 60 }), (steps) => {
      const window = new SlidingWindow(MAX, WINDOW_MS);
      const accepted: number[] = [];
      let now = 0;
      for (const step of steps) {
        now += step;
        const waitMs = window.take(now);
        now += waitMs;
        if (waitMs > 0) expect(window.take(now)).toBe(0);
        accepted.push(now);
        expect(accepted.filter((at) => now - at < WINDOW_MS).length).toBeLessThanOrEqual(MAX);
      }
    }),
  );
});

test('a number that becomes smaller or larger counts for the acceptances before it, too', () => {
  let max = 4;
  const window = new SlidingWindow(() => max, 60_000);
  for (const at of [0, 10, 20, 30]) expect(window.take(at)).toBe(0);

  max = 2;
  expect(window.take(40)).toBe(20 + 60_000 - 40);
  max = 5;

  expect(window.take(50)).toBe(0);
});
