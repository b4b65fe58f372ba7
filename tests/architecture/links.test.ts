import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { anchorOf, localLinksOf } from '../../scripts/site/markdown-links.ts';
import { sourceFiles } from './source-files.ts';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...sourceFiles('docs').filter((file) => file.endsWith('.md')),
];

const PACK_DEADLINE_MS = 120_000;

const anchorsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

const isDead = ({ target, anchor }: { target: string; anchor: string | undefined }): boolean =>
  !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));

test('every link in the documentation leads to a file that is there, and to one of its headings', () => {
  const dead = pages.flatMap((page) => {
    const text = readFileSync(page, 'utf8');
    const within = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => ({ target: page, anchor }));
    return [...localLinksOf(page, text), ...within]
      .filter(isDead)
      .map(({ target, anchor }) => `${page}: ${target}${anchor === undefined ? '' : `#${anchor}`}`);
  });

  expect(dead).toEqual([]);
});

test('a page that users get links only to what they get with it', () => {
  const packed = packedFiles();
  const has = (target: string): boolean =>
    packed.has(target) || [...packed].some((file) => file.startsWith(`${target}/`));
  const links = [...packed]
    .filter((file) => file.endsWith('.md'))
    .flatMap((page) => localLinksOf(page, readFileSync(page, 'utf8')).map((link) => ({ page, ...link })));

  expect(links.length).toBeGreaterThan(200);
  expect(links.filter(({ target }) => !has(target)).map(({ page, written }) => `${page}: ${written}`)).toEqual([]);
});

/**
 * Returns the files that `npm pack` puts into the package, of those that exist: a build is not needed for its pages.
 */
function packedFiles(): Set<string> {
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'], {
    encoding: 'utf8',
    timeout: PACK_DEADLINE_MS,
    maxBuffer: 16 * 1024 * 1024,
  });
  const [pack] = JSON.parse(listed) as [{ files: { path: string }[] }];
  return new Set(pack.files.map(({ path }) => path));
}
