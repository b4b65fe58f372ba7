import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { RootTree } from '../../../../src/agent/host/root-tree.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

for (const path of [
  '/usr/lib/os-release',
  '/etc/relative',
  '/etc/static/absolute',
  '/etc/folder/absolute',
  '/etc/escaping',
]) {
  test(`${path} is read within the root, wherever its links point`, async () => {
    const { tree } = await makeRoot();

    expect(await tree.read(path)).toBe('ID=inside\n');
  });
}

test('absent files, a loop of links and a file in place of a folder are not an error', async () => {
  const { tree } = await makeRoot();

  for (const path of ['/nowhere', '/etc/loop', '/usr/lib/os-release/x']) {
    const answers = [tree.read(path), tree.has(path), tree.changedSec(path), tree.linkTarget(path), tree.names(path)];
    expect(await Promise.all<unknown>(answers)).toEqual([
      undefined,
      false,
      undefined,
      path === '/etc/loop' ? 'loop' : undefined,
      [],
    ]);
  }
});

test('a link is read as it stands, below a link too', async () => {
  const { tree } = await makeRoot();

  expect(await tree.linkTarget('/run/current-system')).toBe('/nix/store/abc');
  expect(await tree.has('/run/current-system/kernel')).toBe(true);
  expect(await tree.names('/lib/modules')).toEqual(['6.1']);
});

test('a file that cannot be read for another reason is an error with its path', async () => {
  const { root, tree } = await makeRoot();

  await expect(async () => tree.read('/usr/lib')).rejects.toThrow(`could not read ${root}/usr/lib: EISDIR`);
});

test('a file that is far too large is refused', async () => {
  const { root, tree } = await makeRoot();
  writeFileSync(join(root, 'etc/large'), 'x'.repeat(70_000));

  await expect(async () => tree.read('/etc/large')).rejects.toThrow('larger than 65536 bytes');
});

test('a pipe in place of a file is refused, and not waited for', async () => {
  const { root, tree } = await makeRoot();
  execFileSync('mkfifo', [join(root, 'etc/pipe')]);

  await expect(async () => tree.read('/etc/pipe')).rejects.toThrow('a pipe in place of a file');
});

test('a change is seen at the next read', async () => {
  const { root, tree } = await makeRoot();
  await tree.read('/etc/relative');

  writeFileSync(join(root, 'usr/lib/os-release'), 'ID=other!\n');

  expect(await tree.read('/etc/relative')).toBe('ID=other!\n');
});

test('files that were read long ago are forgotten', async () => {
  const { root, tree } = await makeRoot();
  const bytes = 60_000;
  writeFileSync(join(root, 'etc/first'), 'x'.repeat(bytes));
  const paths = Array.from({ length: 500 }, (_, index) => `/etc/${index}`);
  for (const path of paths) linkSync(join(root, 'etc/first'), join(root, path));
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const usedBytes = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = usedBytes();

  for (const path of paths) expect(await tree.read(path)).toHaveLength(bytes);

  // All of them would be 30 MB.
  expect(usedBytes() - before).toBeLessThan(10_000_000);
});

test('the time of a change is in whole seconds', async () => {
  const { root, tree } = await makeRoot();
  utimesSync(join(root, 'usr/lib/os-release'), 1000.75, 2000.75);

  expect(await tree.changedSec('/etc/relative')).toBe(2000);
});

test("the agent's own root needs no resolving", async () => {
  const tree = new RootTree('');

  expect(await tree.has('/proc/self/status')).toBe(true);
  expect(await tree.linkTarget('/proc/self/cwd')).toBe(process.cwd());
});

/** A root directory with links as distributions have them. */
async function makeRoot(): Promise<{ root: string; tree: RootTree }> {
  const folder = await tempFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  const root = folder.path;
  for (const directory of ['etc/static', 'usr/lib/modules/6.1', 'nix/store/abc', 'run']) {
    mkdirSync(join(root, directory), { recursive: true });
  }
  writeFileSync(join(root, 'usr/lib/os-release'), 'ID=inside\n');
  writeFileSync(join(root, 'nix/store/abc/kernel'), '');
  symlinkSync('../usr/lib/os-release', join(root, 'etc/relative'));
  symlinkSync('/usr/lib/os-release', join(root, 'etc/static/absolute'));
  symlinkSync('/etc/static', join(root, 'etc/folder'));
  symlinkSync('../../../../usr/lib/os-release', join(root, 'etc/escaping'));
  symlinkSync('loop', join(root, 'etc/loop'));
  symlinkSync('usr/lib', join(root, 'lib'));
  symlinkSync('/nix/store/abc', join(root, 'run/current-system'));
  return { root, tree: new RootTree(root) };
}
