import { expect, test } from 'vitest';
import { HitCounts } from '../../../../src/connector/http/hit-counts.ts';

const WINDOW_MS = 60_000;

function counts() {
  const clock = { now: 1_000_000 };
  return { clock, hits: new HitCounts(WINDOW_MS, () => clock.now) };
}

test('hits are counted for a minute from the first, then anew', () => {
  const { clock, hits } = counts();
  hits.increment('a');
  clock.now += WINDOW_MS - 1;

  expect(hits.increment('a')).toEqual({ totalHits: 2, resetTime: new Date(1_000_000 + WINDOW_MS) });
  clock.now += 1;
  expect(hits.increment('a').totalHits).toBe(1);
});

test('a hit is given back, and never more than there are', () => {
  const { hits } = counts();
  hits.increment('a');
  hits.decrement('a');
  hits.decrement('a');
  hits.decrement('nobody');

  expect(hits.increment('a').totalHits).toBe(1);
});

test('when there are too many keys the oldest is forgotten', () => {
  const { hits } = counts();
  for (let key = 0; key <= 10_000; key += 1) hits.increment(`key ${key}`);

  expect(hits.increment('key 10000').totalHits).toBe(2);
  expect(hits.increment('key 0').totalHits).toBe(1);
});

test('a clock that was set back delays nobody', () => {
  const { clock, hits } = counts();
  hits.increment('a');
  clock.now -= 10 * WINDOW_MS;

  expect(hits.increment('a')).toEqual({ totalHits: 1, resetTime: new Date(clock.now + WINDOW_MS) });
});
