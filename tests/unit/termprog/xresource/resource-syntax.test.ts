import { expect, test } from 'vitest';
import {
  escapeValue,
  parseResourceLine,
  parseResources,
  parseSpecifier,
} from '../../../../src/termprog/xresource/resource-syntax.ts';
import { processorMs } from '../../../harness/processor-time.ts';

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
  ['bytes that are not UTF-8 are Latin-1', 'a: \xe9', 'é'],
] as const) {
  test(what, () => expect(valuesOf(line)['a']).toBe(value));
}

test('comments, blank lines and lines without a colon are skipped', () => {
  expect(valuesOf('! a: 1\n  ! b: 2\n\n \t\nno colon here\nc: 3')).toEqual({ c: '3' });
});

test('only values are joined by a backslash at the end of a line', () => {
  expect(valuesOf('! comment \\\na: 1')).toEqual({ a: '1' });
  expect(valuesOf('#define x \\\na: 1')).toEqual({ a: '1' });
  expect(valuesOf('a name \\\na: 1')).toEqual({ a: '1' });
});

test('a backslash at the very end is dropped', () => {
  expect(valuesOf('a: 1\\')).toEqual({ a: '1' });
});

test('blanks belong to a component, and a separator behind a blank separates nothing', () => {
  const names = (specifier: string) => parseSpecifier(specifier)?.map(({ component }) => component);
  expect(names('term.a name.font')).toEqual(['term', 'a name', 'font']);
  expect(names('term .font')).toEqual(['term font']);
  expect(names('term. font')).toEqual(['term', ' font']);
});

test('a text ends at a zero byte', () => {
  expect(valuesOf('a: 1\n\0b: 2')).toEqual({ a: '1' });
});

test('only the first line of a text for -xrm counts', () => {
  const specifiers = (line: string) => parseResourceLine(line).map(({ specifier }) => specifier);
  expect(specifiers('a: 1\nb: 2')).toEqual(['a']);
  expect(specifiers('! a: 1')).toEqual([]);
  expect(specifiers('no colon')).toEqual([]);
  expect(parseResourceLine('a: 1\\\n2')[0]?.value).toBe('12');
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
  const problems: string[] = [];
  const entries = parseResources('a: 1\n#include "other.ad"\n# include <no>\n#include"missing"\nd: 4', {
    read: (file) => files[file],
    report: (problem) => problems.push(problem),
  });
  expect(entries.map(({ specifier, value }) => specifier + value)).toEqual(['a1', 'b2', 'c3', 'd4']);
  expect(problems).toEqual(['#include "missing" has no effect: there is no such file, or none that can be read']);
});

test('a file is looked for beside the one that includes it', () => {
  const files: Record<string, string> = {
    '/etc/one/a': '#include "../two/b"\n#include "/c"',
    '/etc/two/b': '#include "d"',
    '/c': 'c: 1',
    '/etc/two/d': 'd: 2',
  };
  const entries = parseResources('#include "one/a"', { file: '/etc/main', read: (file) => files[file] });
  expect(entries.map(({ specifier }) => specifier)).toEqual(['d', 'c']);
});

test('ten of very many problems with a text are reported', () => {
  let told = 0;
  parseResources('#include "x"\n'.repeat(5_000), { report: () => (told += 1) });
  expect(told).toBe(10);
});

test('a file that is being read is not included again', () => {
  const read: string[] = [];
  const problems: string[] = [];
  const entries = parseResources('a: 1\n#include "self"', {
    read: (file) => {
      read.push(file);
      return 'b: 2\n#include "self"\nc: 3';
    },
    report: (problem) => problems.push(problem),
  });
  expect(read).toEqual(['self']);
  expect(problems).toEqual(['#include "self" has no effect: the file is included within itself']);
  expect(entries.map(({ specifier }) => specifier)).toEqual(['a', 'b', 'c']);
});

test('a file that was read to its end may be included once more', () => {
  expect(parseResources('#include "x"\n#include "x"', { read: () => 'a: 1' })).toHaveLength(2);
});

/** Counts the reads of files when each file is made of the ones before. */
function inclusions(textOf: (file: string) => string): number {
  let count = 0;
  parseResources(textOf(''), {
    read: (file) => {
      count += 1;
      if (count > 5_000) throw new Error('files are read without end');
      return textOf(file);
    },
  });
  return count;
}

test('files that include others without end are read 1,000 times in all', () => {
  expect(inclusions((file) => `#include "${file}a"\n#include "${file}b"`)).toBe(1_000);
});

test('at most 16 MiB of included files are read in all', () => {
  const mebibyte = '!'.padEnd(2 ** 20);
  expect(inclusions((file) => (file === '' ? '#include "x"\n'.repeat(100) : mebibyte))).toBe(17);
});

test('a specifier has at most 100 components', () => {
  expect(parseSpecifier('a'.concat('.a'.repeat(99)))).toHaveLength(100);
  expect(parseSpecifier('a'.concat('.a'.repeat(100)))).toBeUndefined();
});

for (const [what, text] of [
  ['separators', `${'.'.repeat(100_000)}:x`],
  ['separators of both kinds', `${'.*'.repeat(50_000)}:x`],
  ['lines that are continued', 'a\\\n'.repeat(300_000)],
  ['backslashes', '\\'.repeat(300_000)],
  ['blanks', `a${' '.repeat(300_000)}b`],
  ['separators behind blanks', `a${' .'.repeat(150_000)}b: 1`],
  ['joined lines before a value', `a: ${'\\\n'.repeat(300_000)}b`],
  ['lines without a colon', 'a\n'.repeat(300_000)],
] as const) {
  test(`any number of ${what} is read in bounded time`, () => {
    expect(processorMs(() => parseResources(text))).toBeLessThan(1_000);
  });
}

test('lines that are continued are one, and a comment in them is text', () => {
  expect(valuesOf('a: 1\\\n! 2\\\\\\\n3\\\\\nb: 4')).toEqual({ a: '1! 2\\3\\', b: '4' });
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

test('bytes that are not UTF-8 are kept, and escaped they read back as the same bytes', () => {
  const [entry] = parseResources('a: \\351 \xff');
  expect(entry).toMatchObject({ value: 'é ÿ', bytes: '\xe9 \xff' });
  expect(escapeValue('é ÿ', '\xe9 \xff')).toBe('\\351 \\377');
  expect(parseResources('a: \xc3\xa9')[0]).not.toHaveProperty('bytes');
});

test('a written value has no character that controls a terminal, and reads back as itself', () => {
  const value = 'a\u009b31mred\u0085é';
  const written = escapeValue(value);
  expect(written).toBe('a\\302\\23331mred\\302\\205é');
  expect(parseResources(Buffer.from(`a: ${written}`, 'utf8').toString('latin1'))[0]?.value).toBe(value);
});
