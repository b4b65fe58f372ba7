import { expect, test } from 'vitest';
import { poll } from '../../../src/kernel/poll.ts';

test('a poll returns the first value, and looks no further', async () => {
  const { nowMs } = startClock();
  const answers = [undefined, undefined, 0, 1];

  expect(await poll(() => answers.shift(), { everyMs: 0, withinMs: 10, nowMs })).toBe(0);
  expect(answers).toEqual([1]);
});

test('a poll ends without a value when its time is over, after one look at least', async () => {
  const { nowMs, advance } = startClock();
  let looks = 0;
  const look = (): undefined => {
    looks += 1;
    advance(4);
  };

  expect(await poll(look, { everyMs: 0, withinMs: 10, nowMs })).toBeUndefined();
  expect(looks).toBe(3);
  expect(await poll(look, { everyMs: 0, withinMs: 0, nowMs })).toBeUndefined();
  expect(looks).toBe(4);
});

test('a poll throws what a look throws', async () => {
  const look = (): Promise<never> => Promise.reject(new Error('gone'));

  await expect(poll(look, { everyMs: 0, withinMs: 10 })).rejects.toThrow('gone');
});

/** A clock that a look moves on. */
function startClock(): { nowMs: () => number; advance: (ms: number) => void } {
  let now = 0;
  return {
    nowMs: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}
