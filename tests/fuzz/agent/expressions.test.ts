import { setFlagsFromString } from 'node:v8';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeOutCounts } from '../../../schemas/linear-expression.ts';
import { RegularExpression } from '../../../schemas/vocabulary.ts';
import { fuzzRuns } from '../../harness/fuzz-runs.ts';

setFlagsFromString('--enable-experimental-regexp-engine');

/** Short texts of few letters, which expressions of these letters often match. */
const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', '{', ']'), maxLength: 12 });

const { expression } = fc.letrec<{ expression: string; part: string; atom: string }>((tie) => ({
  expression: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  part: fc
    .tuple(
      tie('atom'),
      fc.constantFrom('', '', '*', '+', '?', '*?', '{2}', '{0}', '{0,2}', '{1,3}?', '{2,}', '{17}', '{3,}?'),
    )
    .map((pieces) => pieces.join('')),
  atom: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('a', 'b', '/', '.', '[ab]', '[^a\\]]', '[{]', '\\{', '\\x61', '\\u0062', '\\d', '\\]', '{', ']'),
    tie('expression').map((inner) => `(${inner})`),
    tie('expression').map((inner) => `(?:${inner}|/)`),
    tie('expression').map((inner) => `(?<n>${inner})`),
  ),
}));

test('an expression that the schema takes can be matched in linear time, and matches what it says', () => {
  let takenCount = 0;
  fc.assert(
    fc.property(expression, fc.array(text, { minLength: 5, maxLength: 5 }), fc.boolean(), (body, texts, isWhole) => {
      const said = isWhole ? `^(?:${body})$` : body;
      if (!RegularExpression.safeParse(said).success) return;
      takenCount += 1;
      const linear = new RegExp(writeOutCounts(said), 'l');
      for (const each of texts) expect(linear.test(each), each).toBe(new RegExp(said).test(each));
    }),
    { numRuns: fuzzRuns(2_000) },
  );
  expect(takenCount).toBeGreaterThan(100);
});
