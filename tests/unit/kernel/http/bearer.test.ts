import { expect, test } from 'vitest';
import { bearerToken, secretMatcher } from '../../../../src/kernel/http/bearer.ts';

for (const [header, token] of [
  ['Bearer abc', 'abc'],
  ['bearer abc', 'abc'],
  ['Bearer   abc==', 'abc=='],
  ['Bearer', undefined],
  ['Bearer ', undefined],
  ['Bearer a b', undefined],
  ['Basic YTpi', undefined],
  ['', undefined],
  [undefined, undefined],
] as const) {
  test(`the header ${JSON.stringify(header)} carries ${token ?? 'no token'}`, () => {
    expect(bearerToken(header)).toBe(token);
  });
}

test('a secret of any length matches only itself', () => {
  const matches = secretMatcher('correct');

  expect(matches('correct')).toBe(true);
  for (const wrong of ['', 'correc', 'correct ', 'Correct', 'x'.repeat(10_000), undefined])
    expect(matches(wrong)).toBe(false);
});
