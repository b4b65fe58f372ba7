import fs, { readlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgetEarlierStateKeys, loadStateKeys, rotateStateKeys } from '../../../../src/connector/store/state-keys.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

/** What was done in the file system, in order. */
const did: string[] = [];

const { fsyncSync, linkSync, renameSync } = fs;

// Files of one worker share their modules, so the functions are replaced where every module has them from.
beforeAll(() => {
  fs.fsyncSync = (descriptor) => {
    fsyncSync(descriptor);
    did.push(`synced ${readlinkSync(`/proc/self/fd/${descriptor}`)}`);
  };
  fs.linkSync = (from, to) => {
    linkSync(from, to);
    did.push(`named ${to}`);
  };
  fs.renameSync = (from, to) => {
    renameSync(from, to);
    did.push(`named ${to}`);
  };
  syncBuiltinESMExports();
});

afterAll(() => {
  Object.assign(fs, { fsyncSync, linkSync, renameSync });
  syncBuiltinESMExports();
});

test('keys that are made or replaced are on the disk with their name before any text is encrypted with them', async () => {
  await using folder = await tempFolder();
  const state = join(folder.path, 'state');
  const steps = [
    () => loadStateKeys(state),
    () => rotateStateKeys(state),
    () => forgetEarlierStateKeys(state, loadStateKeys(state)),
  ];
  for (const step of steps) {
    did.length = 0;

    step();

    const named = `named ${join(state, 'keys.json')}`;
    expect(did).toEqual([expect.stringMatching(/^synced .*keys\.json\./), named, `synced ${state}`]);
  }
});
