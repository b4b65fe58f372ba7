import { expect, test } from 'vitest';
import { BurstCredit } from '../../../../../src/termprog/window/desktop/burst-credit.ts';

test('a few may happen at once, and then one in an interval, also after a long rest', () => {
  const clock = { nowMs: 0 };
  const credit = new BurstCredit({ most: 3, intervalMs: 1_000, nowMs: () => clock.nowMs });
  const taken = (): number => Array.from({ length: 100 }, () => credit.take()).filter(Boolean).length;
  const counts = [0, 999, 1_000, 3_500, 1_000_000].map((nowMs) => {
    clock.nowMs = nowMs;
    return taken();
  });
  expect(counts).toEqual([3, 0, 1, 2, 3]);
});
