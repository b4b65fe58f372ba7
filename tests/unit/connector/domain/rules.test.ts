import { expect, test } from 'vitest';
import { backoffMs } from '../../../../src/connector/domain/backoff.ts';
import { resolveChannel } from '../../../../src/connector/domain/channel.ts';
import { Pacing } from '../../../../src/connector/domain/pacing.ts';

test('a channel is found with and without its #, in any case, and never by a part of its name', () => {
  const known = ['#Ops', '#room'];

  expect(resolveChannel('#ops', known)).toBe('#Ops');
  expect(resolveChannel('OPS', known)).toBe('#Ops');
  expect(resolveChannel('op', known)).toBeUndefined();
  expect(resolveChannel('##ops', known)).toBeUndefined();
});

test('five lines go at once, then one every two seconds', () => {
  const pacing = new Pacing(0);

  expect(Array.from({ length: 6 }, () => pacing.take(0))).toEqual([0, 0, 0, 0, 0, 2_000]);
  expect(pacing.take(1_999)).toBe(1);
  expect(pacing.take(2_000)).toBe(0);
  expect(pacing.take(2_001)).toBe(1_999);
  expect(Array.from({ length: 6 }, () => pacing.take(60_000))).toEqual([0, 0, 0, 0, 0, 2_000]);
});

test('waiting grows from attempt to attempt up to half a minute', () => {
  expect([0, 1, 2, 20].map((attempt) => backoffMs(attempt, 1))).toEqual([500, 1_000, 2_000, 30_000]);
  expect(backoffMs(2, 0)).toBe(1_000);
});
