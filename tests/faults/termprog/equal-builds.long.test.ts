import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { tempFolder } from '../../harness/temp-folder.ts';

const BUILD_DEADLINE_MS = 300_000;

/** Builds the sources in a folder that is independent of this one, and returns the result: path -> digest. */
async function buildIn(folder: string): Promise<Map<string, string>> {
  await mkdir(folder, { recursive: true });
  for (const path of ['src', 'schemas', 'scripts', 'package.json', 'package-lock.json']) {
    await cp(path, join(folder, path), { recursive: true });
  }
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await execa(process.execPath, ['scripts/build/main.ts', '--programs'], { cwd: folder, timeout: BUILD_DEADLINE_MS });
  const files = await readdir(join(folder, 'dist'), { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  return new Map(paths.sort().map((path) => [relative(folder, path), digest(readFileSync(path))]));
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

test('two builds give equal bytes, also of the cache and in folders of other names', async () => {
  await using folder = await tempFolder();

  const first = await buildIn(join(folder.path, 'one'));

  expect(await buildIn(join(folder.path, 'deeper', 'the other'))).toEqual(first);
  expect([...first.keys()].map((path) => path.replace(/program-\w+/, 'program'))).toEqual([
    'dist/agent.cdx.json',
    'dist/agent.cjs',
    'dist/agent.notices.txt',
    'dist/connector.cdx.json',
    'dist/connector.mjs',
    'dist/connector.notices.txt',
    `dist/native/sqlite3-linux-${process.arch}.node`,
    'dist/termprog-parts/program.js',
    `dist/termprog-parts/program.${process.version}-${process.arch}.cache`,
    'dist/termprog.cdx.json',
    'dist/termprog.cjs',
    'dist/termprog.notices.txt',
  ]);
});
