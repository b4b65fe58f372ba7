import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { evaluate } from '../../harness/nix/nix.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const BUILD_DEADLINE_MS = 60_000;

test('the packages are built of the files they name, by no other command than they have', async () => {
  await using folder = await tempFolder();
  const recipe = readFileSync('nix/packages/programs.nix', 'utf8');
  const sources = [...recipe.matchAll(/^ +\.\.\/\.\.\/(\S+)$/gm)].map(([, path = '']) => path);
  const lock = (await evaluate('(import ./nix/packages/npm-lock.nix { }).lock.packages')) as Record<string, unknown>;
  const command = /^ +node (scripts\/build\/main\.ts.*)$/m.exec(recipe)?.[1] ?? '';
  for (const path of sources) await cp(path, join(folder.path, path), { recursive: true });
  // Parts for the other processor are not on this machine.
  for (const path of Object.keys(lock).filter(
    (name) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(name) && existsSync(name),
  )) {
    await mkdir(dirname(join(folder.path, path)), { recursive: true });
    await symlink(resolve(path), join(folder.path, path));
  }

  // No program of a package that is not installed: types are checked elsewhere.
  const { exitCode, stderr } = await execa(process.execPath, command.split(' '), {
    cwd: folder.path,
    env: { PATH: '/usr/bin:/bin' },
    extendEnv: false,
    reject: false,
    timeout: BUILD_DEADLINE_MS,
  });

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  for (const bundle of ['connector.mjs', 'agent.cjs', 'termprog.cjs', 'termprog-parts']) {
    expect(existsSync(join(folder.path, 'dist', bundle)), bundle).toBe(true);
  }
});
