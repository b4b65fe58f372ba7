import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Rejoin } from '../../../../src/connector/presence/rejoin.ts';

const HOUR_MS = 60 * 60 * 1_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('a channel that keeps the account out is asked three times, after 5 s, 15 s and a minute, and no more', async () => {
  const askedAt: number[] = [];
  const began = Date.now();
  const rejoin = new Rejoin({ join: () => askedAt.push(Date.now() - began) > 0 });

  rejoin.later('#room');
  await vi.advanceTimersByTimeAsync(HOUR_MS);

  expect(askedAt).toHaveLength(3);
  const waits = askedAt.map((at, index) => at - (askedAt[index - 1] ?? 0));
  for (const [index, least] of [5_000, 15_000, 60_000].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(least);
    expect(waits[index]).toBeLessThanOrEqual(least * 1.2);
  }
});

test('once the account is in again it is asked for no more, and a person who decides anew begins anew', async () => {
  let asked = 0;
  const rejoin = new Rejoin({
    join: () => {
      asked += 1;
      return false;
    },
  });

  rejoin.later('#room');
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(asked).toBe(1);
  rejoin.reset();
  rejoin.later('#room');
  rejoin.reset();
  await vi.advanceTimersByTimeAsync(HOUR_MS);

  expect(asked).toBe(1);
});

test('a channel that threw the account out three times is asked again after a kick an hour later', async () => {
  let asked = 0;
  const rejoin = new Rejoin({
    join: () => {
      asked += 1;
      return true;
    },
  });
  rejoin.later('#room');
  await vi.advanceTimersByTimeAsync(HOUR_MS / 2);
  rejoin.later('#room');
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(asked).toBe(3);

  rejoin.later('#room');
  await vi.advanceTimersByTimeAsync(HOUR_MS);

  expect(asked).toBe(6);
});
