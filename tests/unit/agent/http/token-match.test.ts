import { expect, test } from 'vitest';
import { tokenMatcher } from '../../../../src/agent/http/token-match.ts';

const matches = tokenMatcher('correct+horse/battery==');

test('a token matches itself', () => {
  expect(matches('correct+horse/battery==')).toBe(true);
});

for (const [why, presented] of [
  ['no token', undefined],
  ['an empty one', ''],
  ['its beginning', 'correct+horse/battery='],
  ['itself with more behind it', 'correct+horse/battery==x'],
  ['itself twice', 'correct+horse/battery=='.repeat(2)],
  ['itself with its first character changed', 'Correct+horse/battery=='],
  ['itself with its last character changed', 'correct+horse/battery=-'],
  ['itself with two characters changed by the same bits', 'borrect+horse/battery=<'],
  ['itself with two characters swapped', 'ocrrect+horse/battery=='],
  ['something far longer', 'x'.repeat(10_000)],
] as const) {
  test(`it does not match ${why}`, () => {
    expect(matches(presented)).toBe(false);
  });
}

test('whether the first or the last character is wrong takes the same time', () => {
  const token = 'a'.repeat(4_096);
  const isToken = tokenMatcher(token);
  const wrong = { early: `b${token.slice(1)}`, late: `${token.slice(1)}b` };
  const nsOf = (presented: string): number => {
    const start = process.hrtime.bigint();
    for (let index = 0; index < 50; index += 1) isToken(presented);
    return Number(process.hrtime.bigint() - start);
  };
  const samples = Array.from({ length: 200 }, () => ({ early: nsOf(wrong.early), late: nsOf(wrong.late) }));
  const median = (which: 'early' | 'late'): number =>
    samples.map((sample) => sample[which]).sort((a, b) => a - b)[100] ?? 0;

  // A comparison that ends at the first difference is hundreds of times quicker for the early one.
  expect(median('late') / median('early')).toBeLessThan(1.5);
  expect(median('early') / median('late')).toBeLessThan(1.5);
});
