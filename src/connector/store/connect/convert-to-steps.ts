import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Knex } from 'knex';
import type { Logger } from '../../../kernel/log.ts';
import { dialectOf } from '../dialect.ts';

/**
 * Largest file that a start converts: the whole file is written three times, for which a slow disk (10 MB/s) already
 * needs as long as systemd waits for a start.
 */
const CONVERTED_MAX_BYTES = 256 * 2 ** 20;
/** Room for a temporary copy of the file and a write-ahead log of the same size. */
const ROOM_FACTOR = 2.2;
const INCREMENTAL = 2;

/**
 * Converts a file of an earlier version, so that it can give pages back in steps. SQLite converts it wholly or not at
 * all. If it can't, the file stays as it is: deleted texts are overwritten there, too, and their room is used again.
 */
export async function convertToSteps(
  database: Knex,
  file: string,
  log: Logger,
  maxBytes = CONVERTED_MAX_BYTES,
): Promise<void> {
  if (await givesBack(database)) return;
  const { size } = statSync(file);
  const obstacle = obstacleOf(file, size, maxBytes);
  if (obstacle !== undefined) {
    log.warn(
      { file, bytes: size },
      `the database does not become smaller by deletions, because ${obstacle}: stop the service and run homeport-connector compact, as the guide to backups says`,
    );
    return;
  }
  log.info({ file, bytes: size }, 'converting the database, so that it becomes smaller by deletions');
  try {
    await database.raw('PRAGMA auto_vacuum = INCREMENTAL');
    await database.raw('VACUUM');
    await database.raw('PRAGMA wal_checkpoint(TRUNCATE)');
    log.info({ file, bytes: statSync(file).size }, 'the database is converted');
  } catch (error) {
    log.warn(
      { err: error, file },
      'the database could not be converted, and does not become smaller by deletions; the next start tries again',
    );
  }
}

/** Whether the database gives pages back in steps; true for PostgreSQL, which has no pages to give back. */
export async function givesBack(database: Knex): Promise<boolean> {
  if (dialectOf(database) !== 'sqlite') return true;
  const [row]: { auto_vacuum: number }[] = await database.raw('PRAGMA auto_vacuum');
  return row?.auto_vacuum === INCREMENTAL;
}

function obstacleOf(file: string, size: number, maxBytes: number): string | undefined {
  if (size > maxBytes) return 'it is too large to be converted at a start';
  const { bavail, bsize } = statfsSync(dirname(file));
  if (bavail * bsize < ROOM_FACTOR * size) return 'its disk has no room to convert it';
  return undefined;
}
