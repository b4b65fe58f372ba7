import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';

/** A file of code past this is a drawer; rows of a table may be more. */
const CODE_LINES_MAX = 400;

const tables = [/^schemas\//, /^tests\//];

test('no file of code is longer than 400 lines', () => {
  const long = sourceFiles('src', 'scripts', 'bench')
    .filter((file) => file.endsWith('.ts') && !tables.some((table) => table.test(file)))
    .filter((file) => readFileSync(file, 'utf8').split('\n').length > CODE_LINES_MAX);
  expect(long).toEqual([]);
});

test('no file is named for being a drawer', () => {
  const drawers = /(^|[-/])(utils?|helpers?|common|misc|manager|base|stuff|service)(\.|-|\/)/;
  const named = sourceFiles('src', 'schemas', 'scripts', 'bench', 'tests').filter(
    (file) => drawers.test(file) && !/\/services\//.test(file),
  );
  expect(named).toEqual([]);
});
