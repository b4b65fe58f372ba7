import { afterEach, beforeEach, expect, test } from 'vitest';
import { Retry } from '../../../../src/connector/presence/retry.ts';
import { VirtualTime } from '../../../harness/virtual-time.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 60 * 60 * SECOND_MS;
/** Virtual time runs timers of one moment together. */
const MOMENT_MS = 10;

let time: VirtualTime;

beforeEach(() => {
  time = new VirtualTime();
});

afterEach(() => time[Symbol.dispose]());

test('work that fails is tried again after each of its waits, until it succeeds', async () => {
  const at: number[] = [];
  const retry = new Retry({
    waits: (attempt) => [1, 2, 5][attempt] ?? HOUR_MS,
    attempt: async () => {
      at.push(time.now());
      if (at.length < 4) throw new Error('not yet');
    },
  });

  void retry.now();
  await time.pass(time.sleep(HOUR_MS));

  expect(at).toHaveLength(4);
  expect(retry.isPlanned).toBe(false);
});

test('the default waits grow from half a second to half a minute, and a reset begins anew', async () => {
  const at = await attemptsWithin(HOUR_MS);

  const waits = at.slice(1).map((each, index) => each - (at[index] ?? 0));
  expect(waits[0]).toBeLessThanOrEqual(0.5 * SECOND_MS + MOMENT_MS);
  expect(Math.min(...waits.slice(-10))).toBeGreaterThanOrEqual(15 * SECOND_MS);
  expect(Math.max(...waits)).toBeLessThanOrEqual(30 * SECOND_MS + MOMENT_MS);

  const again = await attemptsWithin(HOUR_MS, { resets: true });
  expect(again.length).toBeGreaterThan(HOUR_MS / SECOND_MS);
});

test('a thousand accounts that have failed for hours come back spread over 15 s', async () => {
  const at: number[] = [];
  const crowd = Array.from({ length: 1_000 }, () => new Retry({ attempt: async () => void at.push(time.now()) }));
  for (const retry of crowd) for (let failures = 0; failures < 100; failures += 1) retry.later();

  await time.pass(time.sleep(HOUR_MS));

  expect(at).toHaveLength(1_000);
  const inSecond = Map.groupBy(at, (each) => Math.floor(each / SECOND_MS));
  expect(Math.max(...[...inSecond.values()].map((each) => each.length))).toBeLessThan(200);
});

test('at most one attempt is planned: the last plan counts, and one that is to come sooner only comes sooner', async () => {
  const at: number[] = [];
  const retry = new Retry({ attempt: async () => void at.push(time.now()) });

  retry.soon(2 * SECOND_MS);
  retry.soon(8 * SECOND_MS);
  retry.sooner(20 * SECOND_MS);
  retry.sooner(4 * SECOND_MS);
  await time.pass(time.sleep(HOUR_MS));

  expect(at).toHaveLength(1);
  expect(Math.abs((at[0] ?? 0) - 4 * SECOND_MS)).toBeLessThanOrEqual(MOMENT_MS);
});

test('a failure is reported before the next attempt is planned, and after a stop nothing is tried', async () => {
  const reported: unknown[] = [];
  const failure = new Error('no');
  const retry: Retry = new Retry({
    attempt: () => Promise.reject(failure),
    onFailure: (error) => reported.push([error, retry.isPlanned]),
  });

  await time.pass(retry.now());
  expect(reported).toEqual([[failure, false]]);
  expect(retry.isPlanned).toBe(true);

  retry.stop();
  await time.pass(time.sleep(HOUR_MS));
  expect(reported).toHaveLength(1);
});

/** Returns when work that always fails is tried. */
async function attemptsWithin(ms: number, { resets = false } = {}): Promise<number[]> {
  const at: number[] = [];
  const retry = new Retry({
    attempt: async () => {
      at.push(time.now());
      if (resets) retry.reset();
      throw new Error('never');
    },
  });
  void retry.now();
  await time.pass(time.sleep(ms));
  retry.stop();
  return at;
}
