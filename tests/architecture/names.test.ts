import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';

const DECLARATION = /^export (?:abstract )?(?:async )?(?:class|interface|type|function\*?|const) ([\w$]+)/gm;

test('a name that a file of the terminal exports means one thing in all of it', () => {
  const places = new Map<string, string[]>();
  for (const file of sourceFiles('src/termprog').filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(DECLARATION)) {
      places.set(name, [...(places.get(name) ?? []), file]);
    }
  }
  const shared = [...places].filter(([, files]) => files.length > 1).map(([name, files]) => [name, ...files].join(' '));
  expect(shared).toEqual([]);
});
