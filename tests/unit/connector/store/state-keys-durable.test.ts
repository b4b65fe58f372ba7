import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { forgetEarlierStateKeys, loadStateKeys, rotateStateKeys } from '../../../../src/connector/store/state-keys.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

/** What was done in the file system, in order. */
const did = vi.hoisted((): string[] => []);

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  return {
    ...fs,
    fsyncSync: (descriptor: number) => {
      fs.fsyncSync(descriptor);
      did.push(`synced ${readlinkSync(`/proc/self/fd/${descriptor}`)}`);
    },
    linkSync: (from: string, to: string) => {
      fs.linkSync(from, to);
      did.push(`named ${to}`);
    },
    renameSync: (from: string, to: string) => {
      fs.renameSync(from, to);
      did.push(`named ${to}`);
    },
  };
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
