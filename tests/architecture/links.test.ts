import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.ts';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...sourceFiles('docs').filter((file) => file.endsWith('.md')),
];

/** As web pages of repositories name headings: small letters, words joined by hyphens, nothing else. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

test('every link in the documentation leads to a file that is there, and to one of its headings', () => {
  const dead = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\((?![a-z]+:)([^)#]*)(?:#([^)]+))?\)/g)]
      .filter(([, path = '', anchor]) => {
        const target = path === '' ? page : join(dirname(page), path);
        return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
      })
      .map(([link]) => `${page}: ${link}`),
  );

  expect(dead).toEqual([]);
});
