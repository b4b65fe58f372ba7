import { expect, test } from 'vitest';
import { termprogThemes } from '../../../../schemas/termprog/index.ts';
import { termprogProgramOptions } from '../../../../schemas/termprog/program-options.ts';
import { formatHelp } from '../../../../src/termprog/xresource/usage.ts';

const help = formatHelp(termprogThemes, termprogProgramOptions);

test('the help fits a line of 80 columns', () => {
  const longest = Math.max(...help.split('\n').map((line) => line.length));

  expect(longest).toBeLessThan(80);
});

test('an option stands in its theme, with its argument, its resource, the default and what it is for', () => {
  const [, scrolling = ''] = help.split('\nScrolling:\n');

  expect(scrolling.split('\n').slice(0, 2)).toEqual([
    '    -sl number                      vt100.saveLines, default 1024',
    '        How many lines that left the top of the screen are kept.',
  ]);
});

test('every option that sets a resource has the default beside it', () => {
  const words = help.replace(/\s+/g, ' ');
  const set = termprogThemes.flatMap(({ rows }) => rows).filter(({ options }) => options !== undefined);
  expect(set.length).toBeGreaterThan(30);

  for (const { scope, name, default: value } of set) {
    const path = scope === 'vt100' ? `vt100\\.${name}` : name;
    const otherwise = value === undefined ? 'unset' : value === '' ? 'empty' : `default ${value}`;
    expect(words).toMatch(new RegExp(` ${path}(?:: [a-z]+(?: / [a-z]+)?)?, ${otherwise} `));
  }
});
