import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseMeminfo } from '../../../../src/agent/collectors/memory.ts';

test('a recorded machine has all nine fields', () => {
  const text = readFileSync('tests/golden/agent/recordings/meminfo', 'utf8');

  expect(parseMeminfo(text)).toEqual({
    totalKB: 24684084,
    availableKB: 23860728,
    freeKB: 23557864,
    buffersKB: 2928,
    cachedKB: 297832,
    shmemKB: 25496,
    dirtyKB: 472,
    swapTotalKB: 0,
    swapFreeKB: 0,
  });
});

test('a field the kernel does not report is left out, not zero', () => {
  expect(parseMeminfo('MemTotal: 10 kB\nMemFree: 4 kB\n')).toEqual({ totalKB: 10, freeKB: 4 });
});

test('SwapCached is not taken for Cached', () => {
  expect(parseMeminfo('MemTotal: 10 kB\nSwapCached: 7 kB\nCached: 3 kB\n')).toEqual({ totalKB: 10, cachedKB: 3 });
});

test('a last line that was cut off is not read', () => {
  expect(parseMeminfo('MemTotal: 10 kB\nMemFree: 4 k')).toEqual({ totalKB: 10 });
});

for (const [why, text] of [
  ['another unit', 'MemTotal: 10 MB\n'],
  ['no number', 'MemTotal: kB\n'],
  ['a negative number', 'MemTotal: -1 kB\n'],
  ['no total', 'MemFree: 10 kB\n'],
] as const) {
  test(`memory with ${why} is refused`, () => {
    expect(() => parseMeminfo(text)).toThrow('could not understand /proc/meminfo: expected ');
  });
}
