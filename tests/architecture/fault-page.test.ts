import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const PAGE = 'docs/guides/agent-faults.md';

const rows = readFileSync(PAGE, 'utf8')
  .split('\n')
  .filter((line) => /^\| \d+ \|/.test(line));

test('the page of faults has all fifty, each with what shows it', () => {
  expect(rows.map((row) => Number(row.split('|')[1]))).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
  expect(rows.filter((row) => !/\]\(\.\.\/\.\.\/tests\//.test(row))).toEqual([]);
});

test('every test the page of faults names is there', () => {
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
