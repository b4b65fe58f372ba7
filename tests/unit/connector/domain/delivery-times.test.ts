import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextAttemptMs } from '../../../../src/connector/domain/delivery-times.ts';

const MINUTE_MS = 60_000;

test('after the first attempt there are four more: 5 s, 30 s, 2 min and 8 min after it', () => {
  const waits = [1, 2, 3, 4].map((ended) => nextAttemptMs(ended, 0) ?? 0);
  const times = waits.map((_, index) => waits.slice(0, index + 1).reduce((sum, wait) => sum + wait, 0));

  expect(times).toEqual([5_000, 30_000, 2 * MINUTE_MS, 8 * MINUTE_MS]);
  expect(nextAttemptMs(5, 0)).toBeUndefined();
});

test('chance makes a wait longer, by a fifth at most', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.double({ min: 0, max: 1, noNaN: true }), (ended, chance) => {
      const [least, wait] = [nextAttemptMs(ended, 0) ?? 0, nextAttemptMs(ended, chance) ?? 0];
      return wait >= least && wait <= least * 1.2;
    }),
  );
});

test('a receiver that asks for more time gets it, up to a quarter of an hour, and no less than the schedule', () => {
  expect(nextAttemptMs(1, 0, 60_000)).toBe(60_000);
  expect(nextAttemptMs(1, 0, 1e12)).toBe(15 * MINUTE_MS);
  expect(nextAttemptMs(1, 0, 1)).toBe(5_000);
  expect(nextAttemptMs(5, 0, 60_000)).toBeUndefined();
});
