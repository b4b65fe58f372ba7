import { expect, test } from 'vitest';
import { isPattern, parseFaceName } from '../../../../../src/termprog/fonts/outline/face-name.ts';

for (const [value, primary, fallback] of [
  ['DejaVu Sans Mono', 'DejaVu Sans Mono', undefined],
  ['DejaVu Sans Mono:size=11,Noto Sans CJK JP', 'DejaVu Sans Mono:size=11', 'Noto Sans CJK JP'],
  [' Mono , xft:Serif , Third ', 'Mono', 'Serif'],
  [',, Mono', 'Mono', undefined],
  [String.raw`A\, B,C`, String.raw`A\, B`, 'C'],
  [String.raw`A\\,B`, String.raw`A\\`, 'B'],
] as const) {
  test(`"${value}" names ${fallback === undefined ? 'one face' : 'two faces'}`, () => {
    expect(parseFaceName(value)).toMatchObject({ primary, fallback, others: value.includes('Third') ? ['Third'] : [] });
  });
}

test.each(['', ' , ', 'xft:'])('"%s" names no face', (value) => {
  expect(parseFaceName(value)).toBeUndefined();
});

test('text that is too long, or has a zero byte, is not a pattern', () => {
  expect(isPattern('x'.repeat(1_000))).toBe(true);
  expect(isPattern('x'.repeat(1_001))).toBe(false);
  expect(isPattern('Mono\0:size=11')).toBe(false);
});
