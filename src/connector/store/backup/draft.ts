import { lstatSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EXIT_CONFIG, onOneLine, StartError, systemCodeOf } from '../../../kernel/errors.ts';
import type { Claim } from '../../ports/claims.ts';
import { sqliteServer } from '../connect/sqlite.ts';
import { flush } from './files.ts';
import { MANIFEST_FILE } from './manifest.ts';

/** A backup that is being made; it gets its own name when it is complete. */
export interface Draft {
  path: string;
  /** Gives the directory its own name, in one step. @throws StartError where something has that name by now */
  publish(): void;
  /** Removes the draft. Has no effect once it is published. */
  discard(): void;
}

const PREFIX = '.homeport-backup-';
/** Held while a draft is being made; it ends with the process in every case. */
const LOCK = 'unfinished';
/** Most attempts to lock a draft: another run may remove it as abandoned before its lock is taken. */
const ATTEMPTS = 5;
/** Most attempts to remove a directory in which another process creates a file meanwhile. */
const REMOVALS = 5;

/**
 * Makes a directory beside the place of a backup, and removes those of killed runs.
 * @param begun is called with the function that removes it, as soon as it exists
 * @throws StartError where the place is taken, or can't be written
 */
export async function makeDraft(to: string, begun: (discard: () => void) => void): Promise<Draft> {
  const place = resolve(to);
  requireFree(place);
  const parent = dirname(place);
  try {
    await removeLeft(parent);
    const { path, lock } = await lockedDraft(parent, begun);
    return draftAt(path, place, lock);
  } catch (error) {
    throw refusedPlace(place, error);
  }
}

/** Turns a system error into one line about the place of the backup. */
export function refusedPlace(place: string, error: unknown): unknown {
  if (error instanceof StartError) return error;
  const remedy = REMEDIES[systemCodeOf(error) ?? ''];
  if (remedy === undefined) return error;
  return new StartError(onOneLine(`--to: ${place}: ${remedy}; nothing was left there`), { cause: error });
}

const FULL = 'the disk is full: free space there, or name another place';

const REMEDIES: Readonly<Record<string, string>> = {
  ENOENT: 'the directory above it does not exist: make it, or mount it',
  ENOTDIR: 'the path above it is not a directory',
  EACCES: 'this account may not write there: name a directory of its own',
  EPERM: 'this account may not write there: name a directory of its own',
  EROFS: 'that file system can’t be written: name another place',
  ENOSPC: FULL,
  EDQUOT: FULL,
  SQLITE_FULL: FULL,
  EFBIG: 'a file may not become so large there: raise the limit (ulimit -f), or name another place',
  EIO: 'the disk fails: name another place',
};

function requireFree(place: string): void {
  let names: string[];
  try {
    names = readdirSync(place);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return;
    if (systemCodeOf(error) === 'ENOTDIR') throw taken(place, 'is a file');
    throw refusedPlace(place, error);
  }
  if (names.includes(MANIFEST_FILE)) throw taken(place, 'holds a backup already');
  if (names.length > 0) throw taken(place, 'is not empty');
  // A rename replaces an empty directory, but not a link to one.
  if (lstatSync(place).isSymbolicLink()) throw taken(place, 'is a link');
}

const taken = (place: string, why: string): StartError =>
  new StartError(
    onOneLine(`--to: ${place} ${why}, and nothing is written over: name a directory that does not exist yet`),
    {
      exitStatus: EXIT_CONFIG,
    },
  );

async function lockedDraft(
  parent: string,
  begun: (discard: () => void) => void,
): Promise<{ path: string; lock: Claim }> {
  for (let attempt = 1; ; attempt += 1) {
    const path = mkdtempSync(join(parent, PREFIX));
    begun(() => remove(path));
    const lock = await lockOf(path).catch((error: unknown) => {
      if (systemCodeOf(error) === 'ENOENT') return undefined;
      remove(path);
      throw error;
    });
    if (lock !== undefined) return { path, lock };
    if (attempt === ATTEMPTS) throw new Error(`${path} could not be locked`);
  }
}

/** Removes a directory, with retries: SQLite may be making a file there meanwhile. */
const remove = (path: string): void => rmSync(path, { recursive: true, force: true, maxRetries: REMOVALS });

const lockOf = (draft: string) => sqliteServer(join(draft, LOCK)).claim('connector');

function draftAt(path: string, place: string, lock: Claim): Draft {
  let isPublished = false;
  return {
    path,
    publish: () => {
      flush(path);
      try {
        renameSync(path, place);
      } catch (error) {
        if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(systemCodeOf(error) ?? '')) {
          throw taken(place, 'was made meanwhile by another program');
        }
        throw error;
      }
      isPublished = true;
      // Only after the rename: without the lock another run would take the draft for an abandoned one.
      for (const name of readdirSync(place)) if (name.startsWith(`${LOCK}.`)) rmSync(join(place, name));
      flush(place);
      flush(dirname(place));
      // A lock that stays counts as abandoned once its process has ended.
      void lock.release().catch(() => undefined);
    },
    discard: () => {
      if (isPublished) return;
      remove(path);
      // A lock that stays counts as abandoned once its process has ended.
      void lock.release().catch(() => undefined);
    },
  };
}

/** Removes abandoned drafts, whose lock is free. Drafts of other accounts stay. */
async function removeLeft(parent: string): Promise<void> {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(parent, name);
    try {
      const found = lstatSync(path);
      if (!found.isDirectory() || found.uid !== process.getuid?.()) continue;
      const lock = await lockOf(path);
      if (lock === undefined) continue;
      remove(path);
      await lock.release();
    } catch {
      // Another run removes it at this moment, or it stays, which does no harm.
    }
  }
}
