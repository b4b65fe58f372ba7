import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Knex } from 'knex';
import { StartError, systemCodeOf } from '../../../kernel/errors.ts';
import { BUSY_TIMEOUT_MS } from './clients.ts';

/** Sizes of a file, in bytes. */
export interface Compacted {
  before: number;
  after: number;
}

/** Room for less full pages of the copy, and for other writes to the disk meanwhile. */
const ROOM_MIN_BYTES = 8 * 2 ** 20;
const ROOM_FACTOR = 1.1;
const MEBIBYTE = 2 ** 20;

/** Returns the path of the copy: beside the file, so that it can replace it in one step. */
export const copyOf = (file: string): string => `${file}.compact`;

/**
 * Rewrites a file without free pages, so that it can give pages back in steps. The copy replaces the file when it is
 * complete and on the disk: until then an interruption leaves the file as it was. The caller must hold the connector's
 * claim.
 * @param file without links @param connect connects to a file with these statements first
 * @throws StartError if the disk has no room for the copy, or another program has the file open
 */
export async function compactFile(
  file: string,
  connect: (file: string, statements: readonly string[]) => Knex,
): Promise<Compacted> {
  if (!existsSync(file))
    throw new StartError(`database.sqlite.file: ${file}: there is none yet: the first start makes it`);
  const copy = copyOf(file);
  // Removes what an interrupted run has left.
  rmSync(copy, { force: true });
  const database = connect(file, [`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`]);
  try {
    await withdrawLog(database, file);
    const before = statSync(file).size;
    await requireRoomForCopy(database, file);
    // Created first with this mode: otherwise other accounts could read the copy.
    closeSync(openSync(copy, 'wx', 0o600));
    await database.raw('PRAGMA auto_vacuum = INCREMENTAL');
    await database.raw('VACUUM INTO ?', [copy]);
    await requireSound(connect(copy, []), copy);
    await database.destroy();
    flush(copy);
    renameSync(copy, file);
    flush(dirname(file));
    return { before, after: statSync(file).size };
  } catch (error) {
    rmSync(copy, { force: true });
    throw error;
  } finally {
    await database.destroy();
  }
}

/**
 * Removes the write-ahead log: SQLite would apply it to the copy. Without a log another program may read on in the old
 * file; the connector makes a new log when it starts.
 */
async function withdrawLog(database: Knex, file: string): Promise<void> {
  const [row] = await withdrawn(database);
  if (row?.journal_mode === 'delete' && !existsSync(`${file}-wal`)) return;
  throw new StartError(
    `database.sqlite.file: ${file}: another program has it open: end it, for example a backup or sqlite3, and run this again`,
  );
}

async function withdrawn(database: Knex): Promise<{ journal_mode: string }[]> {
  try {
    return await database.raw('PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (systemCodeOf(error) === 'SQLITE_BUSY') return [];
    throw error;
  }
}

async function requireRoomForCopy(database: Knex, file: string): Promise<void> {
  const number = async (name: string): Promise<number> => {
    const [row]: Record<string, number>[] = await database.raw(`PRAGMA ${name}`);
    return row?.[name] ?? 0;
  };
  const used = ((await number('page_count')) - (await number('freelist_count'))) * (await number('page_size'));
  const needed = ROOM_MIN_BYTES + ROOM_FACTOR * used;
  const { bavail, bsize } = statfsSync(dirname(file));
  const free = bavail * bsize;
  if (free >= needed) return;
  throw new StartError(
    `database.sqlite.file: ${file}: its copy needs ${mebibytes(needed)} MiB in ${dirname(file)}, where ${mebibytes(free)} MiB are free: free space there, and run this again`,
  );
}

const mebibytes = (bytes: number): number => Math.ceil(bytes / MEBIBYTE);

/** Checks the copy, because it replaces the only file. */
async function requireSound(database: Knex, copy: string): Promise<void> {
  try {
    const found: { quick_check: string }[] = await database.raw('PRAGMA quick_check(1)');
    const verdict = found[0]?.quick_check;
    if (verdict !== 'ok') throw new Error(`the copy ${copy} is not sound (${verdict}), so the file stays as it was`);
  } finally {
    await database.destroy();
  }
}

/** Flushes a file or directory, because a power failure must not leave a name without its content. */
function flush(path: string): void {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
