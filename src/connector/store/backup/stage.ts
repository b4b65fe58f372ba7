import { rmSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Knex } from 'knex';
import { messageOf, onOneLine, StartError, systemCodeOf } from '../../../kernel/errors.ts';
import { sqliteServer, stagedRestore } from '../connect/sqlite.ts';
import type { InstallationClaim } from '../installation.ts';
import { HalfMoved, migrate, NewerDatabase } from '../migrate.ts';
import { differenceOf, tablesToMove } from '../move/tables.ts';
import { copyInto, flush, isSameFile } from './files.ts';
import { makeHarmless } from './harmless.ts';
import { DATABASE_FILE } from './manifest.ts';
import { changed, type OpenBackup, refused } from './read.ts';
import type { LongWork } from './report.ts';
import { explainedKeys, requireReadable } from './sealed.ts';

/** Factor and minimum of the room that the copy needs, with migrations and the temporary data of statements. */
const ROOM_FACTOR = 1.2;
const ROOM_MIN_BYTES = 16 * 2 ** 20;
const MEBIBYTE = 2 ** 20;

/** A copy of a backup's database that is ready to serve. */
export interface Staged {
  path: string;
  /** Names of the migrations that brought it up to date. */
  migrated: string[];
  /** Encrypted texts that the keys do not open, as before. */
  unread: number;
}

export interface StageParts {
  backup: OpenBackup;
  claim: InstallationClaim;
  /** Path of the file that the restored database replaces; on a server, a path in the state directory. */
  file: string;
  now: number;
  work: LongWork;
}

/**
 * Copies the database of a backup beside the one that it is to replace, and does there every step that may fail: it
 * checks the copy, tries the keys, migrates it and makes it harmless. Other files stay unchanged.
 * @throws StartError
 */
export async function stage({ backup, claim, file, now, work }: StageParts): Promise<Staged> {
  const path = stagedRestore(file);
  // Removes what an interrupted restore has left.
  removeStaged(file);
  try {
    requireRoom(path, backup);
    work.begin('copied', backup.manifest.files[DATABASE_FILE].bytes);
    const sum = await copyInto(backup.database, path, (bytes) => work.advance(bytes));
    if (!isSameFile(sum, backup.manifest.files[DATABASE_FILE])) throw changed(backup.name, DATABASE_FILE);
    const database = sqliteServer(path).connect('migrate');
    try {
      const staged = await prepared(backup, { database, claim, now });
      // Merges the log into the file.
      await database.raw('PRAGMA journal_mode = DELETE');
      return { path, ...staged };
    } finally {
      await database.destroy();
      flush(path);
    }
  } catch (error) {
    removeStaged(file);
    throw explainedStage(path, backup, error);
  }
}

/** Removes the copy and SQLite's files beside it. */
export function removeStaged(file: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(stagedRestore(file) + ending, { force: true });
}

async function prepared(
  { name }: OpenBackup,
  { database, claim, now }: { database: Knex; claim: InstallationClaim; now: number },
): Promise<Omit<Staged, 'path'>> {
  const [found]: { quick_check: string }[] = await database.raw('PRAGMA quick_check(1)');
  if (found?.quick_check !== 'ok')
    throw refused(name, `${DATABASE_FILE} is damaged (${found?.quick_check}): take another backup`);
  const programs: string[] = await database('sqlite_master').whereIn('type', ['trigger', 'view']).pluck('name');
  if (programs.length > 0)
    throw refused(name, `${DATABASE_FILE} has ${programs[0]}, which no version of the connector makes`);
  const unread = await requireReadable(database, claim);
  const migrated = await migrate(database);
  const difference = await differenceOf(database, await tablesToMove());
  if (difference !== undefined) throw refused(name, `${DATABASE_FILE}: ${difference}`);
  await makeHarmless(database, now);
  return { migrated, unread };
}

function requireRoom(path: string, { name, manifest }: OpenBackup): void {
  const needed = manifest.files[DATABASE_FILE].bytes * ROOM_FACTOR + ROOM_MIN_BYTES;
  const { bavail, bsize } = statfsSync(dirname(path));
  const free = bavail * bsize;
  if (free >= needed) return;
  throw new StartError(
    `${name}: its database needs ${mebibytes(needed)} MiB in ${dirname(path)}, where ${mebibytes(free)} MiB are free: free space there; nothing was changed`,
  );
}

const mebibytes = (bytes: number): number => Math.ceil(bytes / MEBIBYTE);

function explainedStage(path: string, { name }: OpenBackup, error: unknown): unknown {
  if (error instanceof StartError) return error;
  if (error instanceof NewerDatabase || error instanceof HalfMoved) return refused(name, error.message);
  const explained = explainedKeys(name, error);
  if (explained !== error) return explained;
  if (['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(systemCodeOf(error) ?? '')) {
    return new StartError(onOneLine(`${dirname(path)}: the disk is full: free space there; nothing was changed`), {
      cause: error,
    });
  }
  return new StartError(onOneLine(`${name}: it could not be restored (${messageOf(error)}); nothing was changed`), {
    cause: error,
  });
}
