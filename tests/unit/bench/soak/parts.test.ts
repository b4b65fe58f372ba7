import { expect, test } from 'vitest';
import { checkMemory } from '../../../../bench/soak/checks/memory.ts';
import { type Growth, growthOf, slope } from '../../../../bench/soak/memory.ts';
import { channelsOf, parametersOf } from '../../../../bench/soak/parameters.ts';
import { Random } from '../../../../bench/soak/random.ts';
import { isExpected, isLimit } from '../../../../bench/soak/refusals.ts';
import { longestPause } from '../../../../bench/soak/report.ts';

const parameters = (...words: string[]) => parametersOf(words, () => 1);

test('each channel has the asked number of members, and each account a channel', () => {
  for (const [accounts, channels, members] of [
    [12, 6, 4],
    [50, 10, 5],
    [7, 3, 5],
    [3, 1, 3],
  ]) {
    const asked = parameters(`--accounts=${accounts}`, `--channels=${channels}`, `--members=${members}`);
    const all = Array.from({ length: asked.accounts }, (_, n) => channelsOf(n, asked));
    const counts = Object.values(Object.groupBy(all.flat(), (channel) => channel)).map((found) => found?.length);
    expect(counts).toEqual(Array.from({ length: asked.channels }, () => asked.members));
    expect(all.filter((own) => own.length === 0)).toEqual([]);
  }
});

test('parameters that make no run are refused with what was expected', () => {
  expect(() => parameters('--accounts', '2')).toThrow('expected at most 2');
  expect(() => parameters('--accounts', '100')).toThrow('expected places for all 100 accounts');
  expect(() => parameters('--lines', '600')).toThrow('expected at most 500, because soju stores');
  expect(() => parameters('--spared', '3')).toThrow('expected a number from 0 to 2, of the 3 connectors');
  expect(() => parameters('--replica', 'late')).toThrow('expected none, asynchronous or synchronous');
  expect(() => parameters('--minutes', 'x')).toThrow('--minutes x: expected a number above 0');
});

test('the same seed draws the same numbers, another seed or another part draws others', () => {
  const drawn = (seed: number, name: string): number[] => {
    const random = new Random(seed, name);
    return Array.from({ length: 100 }, () => random.next());
  };
  expect(drawn(1, 'people')).toEqual(drawn(1, 'people'));
  expect(drawn(1, 'people')).not.toEqual(drawn(2, 'people'));
  expect(drawn(1, 'people')).not.toEqual(drawn(1, 'receiver'));
  expect(drawn(1, 'people').every((value) => value >= 0 && value < 1)).toBe(true);
  expect(new Set(drawn(1, 'people')).size).toBe(100);
});

test('memory that grows by one KiB a second has that slope, whatever it began with', () => {
  const samples = [0, 2, 4, 6].map((second) => ({ at: 1e12 + second * 1_000, kib: 5_000 + second }));
  expect(slope(samples) * 60_000).toBeCloseTo(60);
  expect(slope(samples.slice(0, 1))).toBe(0);
});

/** A sample each ten seconds for half an hour. */
const halfAnHour = (mib: (minute: number) => number) =>
  Array.from({ length: 180 }, (_, n) => ({ at: n * 10_000, kib: mib(n / 6) * 1_024 }));

const connector = (heap: Growth['heap'], seconds = 1_800): Growth[] => {
  const resident = { lastMiB: 900, mibAnHour: 900, firstMiB: 0, laterMiB: 900 };
  return [{ name: 'connector 0', pid: 7, seconds, processorSeconds: 1, resident, heap }];
};

test('a program that keeps two MiB more each minute is a violation, and its words have the figures', () => {
  const heap = growthOf(halfAnHour((minute) => 40 + 2 * minute));
  expect(heap?.mibAnHour).toBeCloseTo(120);
  expect(checkMemory(connector(heap)).map(({ kind, found }) => `${kind}: ${found}`)).toEqual([
    expect.stringMatching(
      /^memory grows: connector 0 \(7\) used at most 6\d MiB .* 1800 s, and at least 8\d MiB in the last, expected at most 16 MiB more$/,
    ),
  ]);
});

test('memory that rises and falls, was large at first, has filled caches or is seen for a short time is no violation', () => {
  for (const [name, seen] of [
    ['rises and falls', growthOf(halfAnHour((minute) => 40 + (minute % 3) * 50))],
    ['was large at first', growthOf(halfAnHour((minute) => 100 / (1 + minute)))],
    ['fills caches', growthOf(halfAnHour((minute) => 40 + 30 * Math.min(1, minute / 20)))],
    ['was never looked at', undefined],
    ['has just begun', growthOf(halfAnHour(() => 40).slice(0, 5))],
  ] as const) {
    expect([name, checkMemory(connector(seen))]).toEqual([name, []]);
  }
  expect(checkMemory(connector(growthOf(halfAnHour((minute) => 9 * minute)), 500))).toEqual([]);
});

test('the longest pause is that between two neighbouring times', () => {
  expect(longestPause([1, 4, 20, 21])).toBe(16);
  expect(longestPause([])).toBe(0);
});

test('refusals are of a limit, of a disturbance, or neither', () => {
  expect(isLimit('more lines wait to be sent to the network than it takes in half a minute: try again in 3 s')).toBe(
    true,
  );
  for (const why of [
    'ECONNRESET',
    'status 503: database_unavailable: x',
    'the bouncer does not answer at the moment',
  ]) {
    expect([why, isLimit(why), isExpected(why)]).toEqual([why, false, true]);
  }
  for (const why of ['status 401: token_invalid: x', 'status 500: internal: x', 'unknown or expired session_id']) {
    expect([why, isExpected(why)]).toEqual([why, false]);
  }
});
