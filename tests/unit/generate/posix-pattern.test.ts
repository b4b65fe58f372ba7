import { expect, test } from 'vitest';
import { nixString } from '../../../src/generate/nix-text.ts';
import { posixPattern } from '../../../src/generate/posix-pattern.ts';
import { evaluate } from '../../harness/nix/nix.ts';

test.each([
  [/^[0-9]+(ms|s|m|h|d)$/, '[0-9]+(ms|s|m|h|d)'],
  [/^\d{2}$/, '[0-9]{2}'],
  [/^\/.+$/, '/.+'],
  [/^(?:a|b)\.c$/, '(a|b)\\.c'],
  [/^[^\d/]+$/, '[^0-9/]+'],
  [/^\$\{x\}$/, '\\$\\{x}'],
  [/^[^a\]\\[]$/, '[^]a\\[]'],
])('%s becomes %s', (pattern, posix) => {
  expect(posixPattern(pattern)).toBe(posix);
});

test.each([
  [/^a+$/i, 'flags have no counterpart'],
  [/a+/, 'are anchored'],
  [/^\w+$/, '\\w has no counterpart'],
  [/^[\w]+$/, '\\w inside brackets'],
  [new RegExp(`^${'[]'}$`), 'an empty bracket expression'],
  [/^[[.]$/, 'an opening bracket before'],
  [/^[a[:]$/, 'an opening bracket before'],
  [/^a*?$/, 'a lazy quantifier'],
  [/^(?=a)a$/, 'a look-around or named group'],
  [/^(?<n>a)$/, 'a look-around or named group'],
  [/^a|b$/, 'a choice outside of a group'],
  [/^(a)b|(c)$/, 'a choice outside of a group'],
  [/^a$b$/, 'an anchor'],
  [/^\bx$/, '\\b has no counterpart'],
])('%s is refused', (pattern, reason) => {
  expect(() => posixPattern(pattern)).toThrow(reason);
});

test('Nix and JavaScript agree on what a pattern takes', async () => {
  const cases = [
    { pattern: /^\$\{x\}\/\d+$/, texts: ['\x24{x}/12', 'x/12', '\x24{x}/', '\x24{x}/12 '] },
    { pattern: /^#[^ ,:#]+$/, texts: ['#homeport', '##', '#a b', '#gr\u00fc\u00df'] },
    { pattern: /^\[a\]\(\+\*\?\|\^\\$/, texts: ['[a](+*?|^\\', '[a]'] },
    { pattern: /^(?:a\.b|[c/]{2})$/, texts: ['a.b', 'axb', 'c/', 'c'] },
  ];

  const expression = `[ ${cases
    .flatMap(({ pattern, texts }) =>
      texts.map((text) => `(builtins.match ${nixString(posixPattern(pattern))} ${nixString(text)} != null)`),
    )
    .join(' ')} ]`;
  const byNix = await evaluate(expression);

  expect(byNix).toEqual(cases.flatMap(({ pattern, texts }) => texts.map((text) => pattern.test(text))));
});
