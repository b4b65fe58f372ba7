import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  inheritedOpenFilesLimit,
  parentOpenFilesLimit,
  parseOpenFilesLimit,
} from '../../../../src/termprog/pty/open-files-limit.ts';

for (const [told, limit] of [
  ['256', 256],
  ['1048576', 1_048_576],
  [undefined, undefined],
  ['', undefined],
  ['-1', undefined],
  ['unlimited', undefined],
  // It would leave no room for the standard streams.
  ['0', 3],
] as const) {
  test(`where the launcher says ${told}, the limit this program was started with is ${limit}`, () => {
    expect(inheritedOpenFilesLimit({ TERMPROG_OPEN_FILES: told })).toBe(limit);
  });
}

test('the limit of another process is the soft one in its file of limits', () => {
  const limits = `Limit                     Soft Limit           Hard Limit           Units
Max processes             94000                94000                processes
Max open files            1024                 524288               files
`;
  expect(parseOpenFilesLimit(limits)).toBe(1024);
  expect(parseOpenFilesLimit(limits.replace('1024', 'unlimited'))).toBeUndefined();
  expect(parentOpenFilesLimit()).toBe(parseOpenFilesLimit(readFileSync(`/proc/${process.ppid}/limits`, 'utf8')));
});
