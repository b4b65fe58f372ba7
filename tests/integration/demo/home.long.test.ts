import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startDemo } from '../../harness/start-demo.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** A folder that its owner may empty at any time; XDG base directories. */
const CACHE = '.cache';

test('a demo that plays its own proof leaves only caches in the home of its user', async () => {
  await using folder = await tempFolder();
  const home = join(folder.path, 'home');
  await mkdir(home);

  await using demo = startDemo({
    args: ['--check'],
    env: { HOME: home, XDG_CONFIG_HOME: undefined, XDG_CACHE_HOME: undefined, XDG_DATA_HOME: undefined },
  });

  expect(await demo.process.ended, demo.process.output()).toMatchObject({ exitCode: 0 });
  expect((await readdir(home)).filter((name) => name !== CACHE)).toEqual([]);
});
