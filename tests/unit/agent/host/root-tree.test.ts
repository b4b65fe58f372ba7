import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RootTree } from '../../../../src/agent/host/root-tree.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

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

for (const path of [
  '/usr/lib/os-release',
  '/etc/relative',
  '/etc/static/absolute',
  '/etc/folder/absolute',
  '/etc/escaping',
]) {
  test(`${path} is read within the root, wherever its links point`, async () => {
    const { tree } = await makeRoot();

    expect(tree.read(path)).toBe('ID=inside\n');
  });
}

test('what is absent, a loop of links and a file taken for a folder are no error', async () => {
  const { tree } = await makeRoot();

  for (const path of ['/nowhere', '/etc/loop', '/usr/lib/os-release/x']) {
    expect([tree.read(path), tree.has(path), tree.changedSec(path), tree.linkTarget(path), tree.names(path)]).toEqual([
      undefined,
      false,
      undefined,
      path === '/etc/loop' ? 'loop' : undefined,
      [],
    ]);
  }
});

test('a link is told as it stands, below a link too', async () => {
  const { tree } = await makeRoot();

  expect(tree.linkTarget('/run/current-system')).toBe('/nix/store/abc');
  expect(tree.has('/run/current-system/kernel')).toBe(true);
  expect(tree.names('/lib/modules')).toEqual(['6.1']);
});

test('a file that cannot be read for another reason is an error with its path', async () => {
  const { root, tree } = await makeRoot();

  expect(() => tree.read('/usr/lib')).toThrow(`could not read ${root}/usr/lib: EISDIR`);
});

test('a file that is far too large is refused', async () => {
  const { root, tree } = await makeRoot();
  writeFileSync(join(root, 'etc/large'), 'x'.repeat(70_000));

  expect(() => tree.read('/etc/large')).toThrow('larger than 65536 bytes');
});

test('a change is seen at the next read', async () => {
  const { root, tree } = await makeRoot();
  tree.read('/etc/relative');

  writeFileSync(join(root, 'usr/lib/os-release'), 'ID=other!\n');

  expect(tree.read('/etc/relative')).toBe('ID=other!\n');
});

test('the time of a change is in whole seconds', async () => {
  const { root, tree } = await makeRoot();
  utimesSync(join(root, 'usr/lib/os-release'), 1000.75, 2000.75);

  expect(tree.changedSec('/etc/relative')).toBe(2000);
});

test("the agent's own root needs no resolving", () => {
  const tree = new RootTree('');

  expect(tree.has('/proc/self/status')).toBe(true);
  expect(tree.linkTarget('/proc/self/cwd')).toBe(process.cwd());
});
