import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { evaluate, nixpkgsLib, nixTest } from '../../harness/nix/nix.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

const BUILD_DEADLINE_MS = 300_000;

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
  for (const bundle of [
    'connector.mjs',
    'agent.cjs',
    'termprog.cjs',
    'termprog-parts',
    'agent.notices.txt',
    'agent.cdx.json',
  ]) {
    expect(existsSync(join(folder.path, 'dist', bundle)), bundle).toBe(true);
  }
});

nixTest('the terminal of the packages loads its libraries from the store', async () => {
  await using folder = await tempFolder();
  const patch = await evaluate(`
    let
      lib = import ${nixpkgsLib};
      pkgs = import ./tests/harness/nix/pkgs.nix { inherit lib; };
      # The libraries are in outputs of their own.
      inOutput = name: pkgs.fake name { lib = pkgs.fake (name + "-lib") { }; };
    in
    (pkgs.callPackage ./nix/packages/programs.nix {
      nodejs = pkgs.nodejs_24;
      npmLock = import ./nix/packages/npm-lock.nix { };
      tarballs = pkgs.fake "tarballs" { };
      fontconfig = inOutput "fontconfig";
      freetype = inOutput "freetype";
      harfbuzz = inOutput "harfbuzz";
    }).postPatch`);
  const file = 'src/termprog/native-libraries.ts';
  mkdirSync(join(folder.path, dirname(file)), { recursive: true });
  copyFileSync(file, join(folder.path, file));

  await execa('bash', ['-euc', `${patch}`], { cwd: folder.path });

  const { NATIVE_LIBRARIES } = await import(join(folder.path, file));
  const store = '/nix/store/00000000000000000000000000000000';
  expect(NATIVE_LIBRARIES).toEqual({
    fontconfig: `${store}-fontconfig-lib/lib/libfontconfig.so.1`,
    freetype: `${store}-freetype-lib/lib/libfreetype.so.6`,
    harfbuzz: `${store}-harfbuzz-lib/lib/libharfbuzz.so.0`,
  });
});
