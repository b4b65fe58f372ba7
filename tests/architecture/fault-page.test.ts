import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Pages of faults, and how many faults each has. */
const pages = [
  ['agent-faults.md', 76],
  ['faults.md', 52],
] as const;

for (const [page, count] of pages) {
  const rows = readFileSync(`docs/guides/${page}`, 'utf8')
    .split('\n')
    .filter((line) => /^\| \d+ \|/.test(line));

  test(`${page} has all ${count} faults, each with what shows it`, () => {
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    expect(rows.map((row) => Number(row.split('|')[1]))).toEqual(numbers);
    expect(rows.filter((row) => !/\]\(\.\.\/\.\.\/tests\//.test(row))).toEqual([]);
  });

  test(`every test ${page} names is there`, () => {
    const missing = rows.flatMap((row) =>
      [...row.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)]
        .filter(([, title = '', path = '']) => {
          const file = join('docs/guides', path);
          return !existsSync(file) || !readFileSync(file, 'utf8').includes(title);
        })
        .map(([link]) => link),
    );
    expect(missing).toEqual([]);
  });
}
