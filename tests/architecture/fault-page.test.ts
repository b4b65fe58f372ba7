import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { anchorOf } from '../../scripts/site/markdown-links.ts';

/** Pages of faults, and how many faults each has. */
const pages = [
  ['agent-faults.md', 77],
  ['faults.md', 52],
] as const;

/** Tests that a row names, as “part of its title” in `its file`; the package has no tests, so these are no links. */
const namedTests = (row: string): { title: string; file: string }[] =>
  [...row.matchAll(/“([^”]+)” in `(tests\/[^`]+)`/g)].map(([, title = '', file = '']) => ({ title, file }));

for (const [page, count] of pages) {
  const rows = readFileSync(`docs/guides/${page}`, 'utf8')
    .split('\n')
    .filter((line) => /^\| \d+ \|/.test(line));

  test(`${page} has all ${count} faults, each with what shows it`, () => {
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    expect(rows.map((row) => Number(row.split('|')[1]))).toEqual(numbers);
    expect(rows.filter((row) => namedTests(row).length === 0)).toEqual([]);
  });

  test(`every test ${page} names is there`, () => {
    expect(missingOf(rows)).toEqual([]);
  });
}

const threats = readFileSync('docs/guides/threat-model.md', 'utf8');

test('the threat model has a part for each boundary, and each attack there has the test that shows what stops it', () => {
  const boundaries = [...threats.matchAll(/^\| \[[^\]]+\]\(#([^)]+)\) \|/gm)].map(([, anchor]) => anchor);
  const parts = threats.split(/^## /m).filter((part) => part.includes('\n| attack |'));
  expect(boundaries).toEqual(parts.map((part) => anchorOf(part.split('\n', 1)[0] ?? '')));
  expect(boundaries.length).toBeGreaterThan(8);

  const attacks = parts.flatMap((part) => part.split('\n').filter((line) => /^\| (?!attack \||-)/.test(line)));
  expect(attacks.filter((attack) => !/`tests\/[^`]+\.test\.ts`/.test(attack))).toEqual([]);
});

test('every test the threat model names is there', () => {
  const files = [...threats.matchAll(/`(tests\/[^`]+)`/g)].map(([, file = '']) => file);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(missingOf(threats.split('\n'))).toEqual([]);
});

function missingOf(rows: readonly string[]): { title: string; file: string }[] {
  return rows
    .flatMap(namedTests)
    .filter(({ title, file }) => !existsSync(file) || !readFileSync(file, 'utf8').includes(title));
}
