import { expect, test } from 'vitest';
import { foldText } from '../../../../src/connector/domain/fold.ts';
import { stripFormatting } from '../../../../src/connector/domain/formatting.ts';

for (const [one, other, why] of [
  ['ÄÖÜ', 'äöü', 'case beyond ASCII'],
  ['e\u0301', 'é', 'composed and decomposed'],
  ['ΟΔΟΣ', 'οδος', 'the final sigma'],
  ['ΟΔΟΣ', 'οδοσ', 'the other sigma'],
  ['b\u0002ol\u0002d', 'BOLD', 'formatting'],
  ['İ', 'i\u0307', 'a dotted capital'],
] as const) {
  test(`texts are folded alike: ${why}`, () => {
    expect(foldText(one)).toBe(foldText(other));
  });
}

test('each formatting code goes with its own digits and no more', () => {
  expect(stripFormatting('\u000312,345')).toBe('5');
  expect(stripFormatting('\u00031x\u0003,1')).toBe('x,1');
  expect(stripFormatting('\u0004ff00AA,000000red\u0004x')).toBe('redx');
  expect(stripFormatting('\u0002\u000f\u0011\u0016\u001d\u001e\u001f')).toBe('');
});
