import { expect, test } from 'vitest';
import { HitCounts } from '../../../../src/connector/http/hit-counts.ts';

const WINDOW_MS = 60_000;

test('hits are counted for a minute from the first, then anew', () => {
  const { clock, counts: hits } = counts();
  hits.hit('a');
  clock.now += WINDOW_MS - 1;

  expect(hits.hit('a')).toEqual({ hits: 2, endsAt: 1_000_000 + WINDOW_MS });
  clock.now += 1;
  expect(hits.of('a')).toBeUndefined();
  expect(hits.hit('a').hits).toBe(1);
});

test('looking at a count does not change it', () => {
  const { counts: hits } = counts();
  hits.hit('a');

  expect([hits.of('a')?.hits, hits.of('a')?.hits, hits.of('nobody')]).toEqual([1, 1, undefined]);
});

test('when there are too many keys the oldest is forgotten', () => {
  const { counts: hits } = counts();
  for (let key = 0; key <= 10_000; key += 1) hits.hit(`key ${key}`);

  expect(hits.hit('key 10000').hits).toBe(2);
  expect(hits.hit('key 0').hits).toBe(1);
});

test('a clock that was set back causes no delay', () => {
  const { clock, counts: hits } = counts();
  hits.hit('a');
  clock.now -= 10 * WINDOW_MS;

  expect(hits.hit('a')).toEqual({ hits: 1, endsAt: clock.now + WINDOW_MS });
});

function counts() {
  const clock = { now: 1_000_000 };
  return { clock, counts: new HitCounts(WINDOW_MS, () => clock.now) };
}
