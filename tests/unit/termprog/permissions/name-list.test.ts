import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRefusedBy } from '../../../../src/termprog/permissions/name-list.ts';
import { fuzzRuns } from '../../../harness/fuzz-runs.ts';
import { processorMs } from '../../../harness/processor-time.ts';

for (const [list, isRefused] of [
  ['', false],
  ['GetWinTitle', true],
  ['getwintitle', true],
  ['GETWINTITLE', true],
  [' GetIconTitle , GetWinTitle ', true],
  ['GetWinTitl', false],
  ['GetWinTitles', false],
  ['*', true],
  ['Get*', true],
  ['get*TITLE', true],
  ['G*t*T*e', true],
  ['*?', true],
  ['GetWinTitle?', false],
  ['Get???Title', true],
  ['Get????Title', false],
  ['21', true],
  ['021', true],
  ['2', false],
  ['2?', false],
  ['-21', false],
  ['GetWinTitle,~GetWinTitle', false],
  ['~GetWinTitle,GetWinTitle', true],
  ['*,~Get*', false],
  ['*, ~ get*', false],
  ['*,~21', false],
  ['*,~Get*,GetWin*', true],
  ['~', false],
  ['Get.*', false],
  ['[A-Z]*', false],
] as const) {
  test(`the list "${list}" ${isRefused ? 'refuses' : 'does not refuse'} GetWinTitle, which has the code 21`, () => {
    expect(isRefusedBy(list, 'GetWinTitle', 21)).toBe(isRefused);
  });
}

test('a number refuses no operation without a code', () => {
  expect(['16', '0', '21'].filter((list) => isRefusedBy(list, 'GetSelection', undefined))).toEqual([]);
});

test('patterns mean what they mean as regular expressions', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A'), maxLength: 8 });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(text, pattern, (name, list) => {
      const expression = new RegExp(`^${list.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'i');
      expect(isRefusedBy(list, name, undefined)).toBe(expression.test(name));
    }),
    { numRuns: fuzzRuns(1_000) },
  );
});

test('a pattern made to take long takes no time', () => {
  const match = (): void => {
    expect(isRefusedBy(`${'*a'.repeat(5_000)}b`, 'a'.repeat(1_000), undefined)).toBe(false);
  };
  expect(processorMs(match)).toBeLessThan(500);
});
