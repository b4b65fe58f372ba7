import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { publishSite, refusalOf } from '../../../../scripts/site/published-folder.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

test('a renamed page is gone from the published site, and files that the owner has added stay', async () => {
  await using folder = await tempFolder();
  const target = join(folder.path, 'www');
  const first = write(join(folder.path, 'first'), { 'index.html': 'one', 'guides/old.html': 'old' });
  publishSite(first, target);
  write(target, { '.htaccess': 'mine', '.well-known/security.txt': 'mine', 'guides/mine.pdf': 'mine' });

  expect(refusalOf(target)).toBeUndefined();
  publishSite(write(join(folder.path, 'second'), { 'index.html': 'two', 'guides/new.html': 'new' }), target);

  expect(readFileSync(join(target, 'index.html'), 'utf8')).toBe('two');
  expect(readdirSync(join(target, 'guides')).sort()).toEqual(['mine.pdf', 'new.html']);
  expect(readFileSync(join(target, '.htaccess'), 'utf8')).toBe('mine');
  expect(existsSync(join(target, '.well-known/security.txt'))).toBe(true);
});

test('a site goes into a missing, an empty and its own folder, and into no folder of others', async () => {
  await using folder = await tempFolder();
  const [missing, empty, others] = ['missing', 'empty', 'others'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(empty);
  write(others, { 'notes.txt': 'mine' });

  expect([refusalOf(missing), refusalOf(empty)]).toEqual([undefined, undefined]);
  expect(refusalOf(others)).toMatch(
    /^expected an empty folder or an earlier site, found files without site-files\.txt: /,
  );
  expect(refusalOf(join(others, 'notes.txt'))).toBe('expected a folder, which may be missing');
});

test('a list of files that leads out of the folder removes no file there', async () => {
  await using folder = await tempFolder();
  const target = write(join(folder.path, 'www'), { 'site-files.txt': '../kept.txt\na/../../kept.txt\n' });
  write(folder.path, { 'kept.txt': 'kept' });

  publishSite(write(join(folder.path, 'built'), { 'index.html': 'one' }), target);

  expect(existsSync(join(folder.path, 'kept.txt'))).toBe(true);
});

function write(folder: string, files: Record<string, string>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
