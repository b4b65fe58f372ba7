import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
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

/** Programs and shared folders without two files of the same name; a folder's `index.ts` registers its things. */
const programs = ['src/termprog', 'src/agent', 'src/connector', 'src/kernel', 'src/generate', 'schemas'];

test.each(programs)('each file of %s has a name of its own', (program) => {
  const files = sourceFiles(program).filter((file) => file.endsWith('.ts') && basename(file) !== 'index.ts');
  const byName = Map.groupBy(files, (file) => basename(file));
  expect([...byName.values()].filter(({ length }) => length > 1)).toEqual([]);
});
