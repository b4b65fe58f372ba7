import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseVmstat } from '../../../../src/agent/collectors/vmstat.ts';

test('the four counts are found among the others', () => {
  const text = readFileSync('tests/golden/agent/recordings/vmstat', 'latin1');

  expect(parseVmstat(text)).toEqual({ oomKill: 0, pswpin: 0, pswpout: 0, pgmajfault: 10287 });
});

test('a kernel without swap and without a count of killed processes leaves them out', () => {
  expect(parseVmstat('pgfault 9\npgmajfault 7\nallocstall 1\n')).toEqual({ pgmajfault: 7 });
});

test('only whole names at the start of a line count, and only lines with an end', () => {
  expect(parseVmstat('thp_pswpin 5\npgmajfault 7\npswpin 12')).toEqual({ pgmajfault: 7 });
});

for (const [why, text] of [
  ['is empty', ''],
  ['is something else', 'cpu  1 2 3\n'],
  ['has words for counts', 'pgmajfault many\n'],
  ['has negative counts', 'pgmajfault 1\npswpin -1\n'],
] as const) {
  test(`a file that ${why} is refused by name`, () => {
    expect(() => parseVmstat(text)).toThrow(/^could not understand \/proc\/vmstat: expected a /);
  });
}
