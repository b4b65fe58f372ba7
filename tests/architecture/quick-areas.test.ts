import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { AT_THE_WINDOW, RUN_THROUGH_THE_PROGRAM } from './quick-areas.ts';
import { importsOf, sourceFiles } from './source-files.ts';

/** Tests that `npm test` runs. */
const quickTests = sourceFiles('tests/unit', 'tests/fuzz', 'tests/integration', 'tests/conformance').filter(
  (file) => file.endsWith('.test.ts') && !/\.(?:long|nightly)\.test\.ts$|\/postgres-/.test(file),
);

const folders = [
  ...new Set(
    sourceFiles('src')
      .filter((file) => file.endsWith('.ts'))
      .map(dirname),
  ),
];

const imported = new Set(
  quickTests.flatMap((file) =>
    importsOf(file)
      .filter((name) => name.startsWith('.'))
      .map((name) => dirname(join(dirname(file), name))),
  ),
);

test('npm test has a file for each folder of src: one that imports it, or one that the table names', () => {
  const named = Object.keys(RUN_THROUGH_THE_PROGRAM);

  expect(folders.filter((folder) => !imported.has(folder)).sort()).toEqual(named.toSorted());
  expect(Object.values(RUN_THROUGH_THE_PROGRAM).filter((file) => !quickTests.includes(file))).toEqual([]);
});

test('npm test shows each area of the terminal at its window', () => {
  const areas = new Set(
    folders.filter((folder) => folder.startsWith('src/termprog/')).map((folder) => folder.split('/')[2]),
  );
  const files = Object.values(AT_THE_WINDOW).map((name) => `tests/integration/termprog/${name}.test.ts`);

  expect(Object.keys(AT_THE_WINDOW).sort()).toEqual([...areas].sort());
  expect(files.filter((file) => !quickTests.includes(file) || !existsSync(file))).toEqual([]);
});
