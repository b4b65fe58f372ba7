import { chmod, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { systemCodeOf } from '../../src/kernel/errors.ts';
import { tempFolder } from './temp-folder.ts';

const CHUNK_BYTES = 4_096;

/** A file system of its own, so small that it can be filled. */
export interface SmallDisk extends AsyncDisposable {
  path: string;
  /** Leaves no byte free. */
  fill(): Promise<void>;
  free(): Promise<void>;
  /** Makes it larger, to this size, and keeps what is there. */
  grow(megabytes: number): Promise<void>;
}

export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await tempFolder();
  await execa('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder.path]);
  // A database server runs as another account.
  await chmod(folder.path, 0o777);
  const ballast = join(folder.path, 'ballast');
  return {
    path: folder.path,
    fill: async () => {
      const file = await open(ballast, 'a');
      try {
        for (;;) await file.write(Buffer.alloc(CHUNK_BYTES));
      } catch (error) {
        if (systemCodeOf(error) !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
    },
    free: () => rm(ballast),
    grow: async (larger) => {
      await execa('mount', ['-o', `remount,size=${larger}m`, folder.path]);
    },
    [Symbol.asyncDispose]: async () => {
      await execa('umount', ['--lazy', folder.path]);
      await folder[Symbol.asyncDispose]();
    },
  };
}
