import { expect, test } from 'vitest';
import { indent, nixKey, nixString, nixValue } from '../../../src/generate/nix-text.ts';

test.each([
  ['plain', '"plain"'],
  ['a "b" \\ c', '"a \\"b\\" \\\\ c"'],
  ['\x24{x} and $x', '"\\\x24{x} and $x"'],
  ['two\nlines\tand\rmore', '"two\\nlines\\tand\\rmore"'],
])('the text %j is written so that Nix reads it back', (text, written) => {
  expect(nixString(text)).toBe(written);
});

test.each([
  [null, 'null'],
  [true, 'true'],
  [-3, '-3'],
  [[], '[ ]'],
  [[-1, 'a', [2]], '[ (-1) "a" [ 2 ] ]'],
  [{}, '{ }'],
  [{ a: { 'b c': 1 } }, '{ a = { "b c" = 1; }; }'],
])('the value %j becomes the expression %s', (value, expression) => {
  expect(nixValue(value)).toBe(expression);
});

test('a name that is not an identifier is quoted', () => {
  expect([nixKey('loginClaim'), nixKey('1st'), nixKey('a.b')]).toEqual(['loginClaim', '"1st"', '"a.b"']);
});

test('empty lines get no blanks', () => {
  expect(indent('a\n\nb', 2)).toBe('    a\n\n    b');
});
