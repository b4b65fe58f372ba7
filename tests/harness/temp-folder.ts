import { appendFileSync } from 'node:fs';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FOLDERS_VARIABLE, TEST_FOLDER } from '../../scripts/test/leftovers.ts';

/** A program that was just ended may still write a last file, such as the history of a shell. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 } as const;

/** A new empty folder; its name is short, because sockets in it may have paths of 107 bytes at most. */
export async function tempFolder(): Promise<{ path: string } & AsyncDisposable> {
  return folderIn(tmpdir());
}

/** Folder in which Linux keeps files in memory. */
const MEMORY = '/dev/shm';
/** Far more than the databases of a run need at one time; containers often have 64 MiB there. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/** Makes a folder in memory, where the machine has room there: a disk writes what is deleted a moment later. */
export async function tempFolderInMemory(): Promise<{ path: string } & AsyncDisposable> {
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  return folderIn(bavail * bsize >= ENOUGH_BYTES ? MEMORY : tmpdir());
}

async function folderIn(parent: string): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(parent, TEST_FOLDER));
  const list = process.env[FOLDERS_VARIABLE];
  if (list !== undefined) appendFileSync(list, `${path}\n`);
  return { path, [Symbol.asyncDispose]: () => rm(path, REMOVAL) };
}
