import { expect, test } from 'vitest';
import { compareRuns, type Run } from '../../../bench/connector/changes.ts';
import type { BenchResult } from '../../../bench/connector/result.ts';

test('a row of two builds shows the medians, the spread of the runs, and what became of the ratio to the peer', () => {
  const runs: Run[] = [
    { older: [row('a call', 9, { peer: 3 })], newer: [row('a call', 4, { peer: 4 })] },
    { older: [row('a call', 5, { peer: 1 })], newer: [row('a call', 2, { peer: 1 })] },
    { older: [row('a call', 8, { peer: 2 })], newer: [row('a call', 3, { peer: 2 })] },
  ];

  expect(compareRuns(runs)).toEqual([
    {
      ...{ what: 'a call', unit: 'ms', goal: '' },
      older: { median: 8, least: 5, most: 9 },
      newer: { median: 3, least: 2, most: 4 },
      change: 3 / 8,
      toPeer: { older: 4, newer: 1.5 },
      isSlower: false,
    },
  ]);
});

for (const [what, unit, older, newer, isSlower] of [
  ['a time within the spread of the old runs', 'ms', [10, 11, 15], [14, 15, 15], false],
  ['a time less than 5 % above the worst old run', 'ms', [10, 11, 15], [15, 15.7, 16], false],
  ['a time more than 5 % above the worst old run', 'ms', [10, 11, 15], [15, 15.8, 16], true],
  ['a rate less than 5 % below the worst old run', '/s', [90, 100, 110], [80, 86, 120], false],
  ['a rate more than 5 % below the worst old run', '/s', [90, 100, 110], [80, 85, 120], true],
] as const) {
  test(`${what} ${isSlower ? 'is slower' : 'is not slower'}`, () => {
    expect(compareRuns(runsOf(unit, older, newer)).map((change) => change.isSlower)).toEqual([isSlower]);
  });
}

test('a row that one of the builds lacks is left out', () => {
  const runs = [{ older: [row('both', 1)], newer: [row('both', 1), row('only new', 1)] }];

  expect(compareRuns(runs).map(({ what }) => what)).toEqual(['both']);
});

function row(what: string, connector: number, { unit = 'ms', peer = 1 } = {}): BenchResult {
  return {
    ...{ what, unit, connector, peer },
    goal: '',
  };
}

function runsOf(unit: string, older: readonly number[], newer: readonly number[]): Run[] {
  return older.map((value, index) => ({
    older: [row('a call', value, { unit })],
    newer: [row('a call', newer[index] ?? 0, { unit })],
  }));
}
