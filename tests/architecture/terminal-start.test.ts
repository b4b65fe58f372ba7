import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';

const modules = [...sourceFiles('src/termprog'), ...sourceFiles('schemas/termprog')]
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

test('no module of the terminal is imported on demand: each one below would become a function that its start calls', () => {
  expect(modules.filter(({ text }) => /\bimport\(\s*['"]/.test(text)).map(({ file }) => file)).toEqual([]);
});

test('no expression with a Unicode property is made while the terminal starts: V8 would collect its characters', () => {
  const atStart = /^(?:export )?const \w+(?:: [^=]+)? =\s+\/.*\\p\{/m;
  expect(atStart.test(String.raw`const EMOJI = /^\p{Emoji}/u;`)).toBe(true);
  expect(atStart.test(String.raw`const isEmoji = (text: string): boolean => /^\p{Emoji}/u.test(text);`)).toBe(false);
  expect(modules.filter(({ text }) => atStart.test(text)).map(({ file }) => file)).toEqual([]);
});
