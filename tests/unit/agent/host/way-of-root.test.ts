import { expect, test } from 'vitest';
import { isWayOfRoot } from '../../../../src/agent/host/way-of-root.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

test('a path is root’s where only root may write to each directory on it, with any owner of its end', async () => {
  await using folder = await tempFolder();

  for (const path of ['/', '/usr', '/usr/lib', '/tmp']) expect(isWayOfRoot(path)).toBe(true);
  for (const path of [folder.path, `${folder.path}/inner`, '/tmp/any', '/nowhere/any']) {
    expect(isWayOfRoot(path)).toBe(false);
  }
});
