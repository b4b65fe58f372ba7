import { expect, test } from 'vitest';
import { escapeValue, parseResources, parseSpecifier } from '../../../../src/termprog/xresource/resource-syntax.ts';

const valuesOf = (text: string): Record<string, string> =>
  Object.fromEntries(parseResources(text).map(({ specifier, value }) => [specifier, value]));

for (const [what, line, value] of [
  ['blanks before a value are dropped', 'a: \t x', 'x'],
  ['blanks behind a value are kept', 'a: x  ', 'x  '],
  ['an escaped blank keeps a leading blank', 'a: \\ x', ' x'],
  ['an octal escape is a byte', 'a: \\040x\\101', ' xA'],
  ['an escaped n is a line end', 'a: 1\\n2', '1\n2'],
  ['two backslashes are one', 'a: \\\\n', '\\n'],
  ['another escaped character is itself', 'a: \\q', 'q'],
  ['a backslash at the end joins lines', 'a: one \\\ntwo', 'one two'],
  ['two backslashes at the end do not join lines', 'a: one\\\\\nb: two', 'one\\'],
  ['blanks may stand before the colon', 'a \t: x', 'x'],
  ['a value may hold colons', 'a: rgb:1/2/3', 'rgb:1/2/3'],
  ['nothing behind the colon is the empty string', 'a:', ''],
  ['bytes of UTF-8 are characters', 'a: \xd0\x96\xe2\x82\xac', 'Ж€'],
  ['octal escapes may spell UTF-8', 'a: \\320\\226', 'Ж'],
  ['bytes that are no UTF-8 are Latin-1', 'a: \xe9', 'é'],
] as const) {
  test(what, () => expect(valuesOf(line)['a']).toBe(value));
}

test('comments, blank lines and lines without a colon say nothing', () => {
  expect(valuesOf('! a: 1\n  ! b: 2\n\n \t\nno colon here\nc: 3')).toEqual({ c: '3' });
});

test('a comment that ends in a backslash joins nothing', () => {
  expect(valuesOf('! comment \\\na: 1')).toEqual({ a: '1' });
});

test('a specifier ends with a name', () => {
  expect(valuesOf('term.: 1\nterm*: 2\n: 3\n*: 4')).toEqual({});
});

test('a run of dots is tight, and loose with an asterisk in it', () => {
  const bindings = (specifier: string) => parseSpecifier(specifier)?.map(({ binding }) => binding);
  expect(bindings('term..font')).toEqual(['tight', 'tight']);
  expect(bindings('term.*.font')).toEqual(['tight', 'loose']);
  expect(bindings('*font')).toEqual(['loose']);
});

test('an included file stands in place of the line', () => {
  const files: Record<string, string> = { 'other.ad': 'b: 2\n#include "deep.ad"', 'deep.ad': 'c: 3' };
  const entries = parseResources(
    'a: 1\n#include "other.ad"\n# include <no>\n#include "missing"\nd: 4',
    (file) => files[file],
  );
  expect(entries.map(({ specifier, value }) => specifier + value)).toEqual(['a1', 'b2', 'c3', 'd4']);
});

test('a file that includes itself ends', () => {
  expect(parseResources('a: 1\n#include "self"', () => 'a: 1\n#include "self"')).toHaveLength(101);
});

for (const value of [
  'plain',
  ' leading',
  '\tleading tab',
  'trailing ',
  'line\nend',
  'back\\slash',
  '\\n',
  'Ж€é',
  '\x01\x7f',
  '!#',
  '',
]) {
  test(`an escaped value reads back as itself: ${JSON.stringify(value)}`, () => {
    const line = Buffer.from(`a: ${escapeValue(value)}`, 'utf8').toString('latin1');
    expect(parseResources(line)[0]?.value).toBe(value);
  });
}
