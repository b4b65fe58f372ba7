import { existsSync, linkSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Knex } from 'knex';
import { onOneLine, StartError, systemCodeOf } from '../../../kernel/errors.ts';
import type { DatabaseServer } from '../connect/server.ts';
import { explained } from '../database.ts';
import { contentOf } from './content.ts';
import { flush } from './files.ts';

/** Errors of a damaged file that can't be opened. */
const DAMAGED: readonly string[] = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];

/** The file that a backup replaces. */
export interface OldFile {
  /** Real path, without links. */
  file: string;
  state: 'missing' | 'empty' | 'filled' | 'damaged';
  /** Says in a message what the file contains. */
  holds: string;
}

/** Inspects the existing file without changing it. The caller must hold its claim. */
export async function oldFile(file: string, server: DatabaseServer): Promise<OldFile> {
  if (!existsSync(file) || statSync(file).size === 0) return { file: existing(file), state: 'missing', holds: '' };
  const real = realpathSync(file);
  try {
    const filled = await using(server, async (database) => (await contentOf(database)).filled);
    return filled === undefined
      ? { file: real, state: 'empty', holds: '' }
      : { file: real, state: 'filled', holds: `table ${filled} has rows` };
  } catch (error) {
    if (DAMAGED.includes(systemCodeOf(error) ?? '')) return { file: real, state: 'damaged', holds: 'it is damaged' };
    throw error;
  }
}

const existing = (file: string): string => (existsSync(file) ? realpathSync(file) : file);

async function using<T>(server: DatabaseServer, work: (database: Knex) => Promise<T>): Promise<T> {
  const database = server.connectToTry?.() ?? server.connect('migrate');
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}

/**
 * Replaces the old file by a prepared one, in one step; until then an interruption leaves it as it was.
 * @param aside path that keeps the old file, if that has content @returns whether it was kept
 */
export async function putFile(old: OldFile, staged: string, aside: string, server: DatabaseServer): Promise<boolean> {
  const { file, state } = old;
  const isKept = state === 'filled' || state === 'damaged';
  if (state === 'filled' || state === 'empty') await explained(server, () => withdrawLog(file, server));
  // A second name first, so that the file has one of the two contents at each moment.
  if (isKept) linkSync(file, aside);
  if (state === 'damaged' && existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${aside}-wal`);
  for (const ending of ['-wal', '-shm', '-journal']) rmSync(file + ending, { force: true });
  renameSync(staged, file);
  flush(dirname(file));
  return isKept;
}

/** Removes the write-ahead log: SQLite would apply it to the new file. */
async function withdrawLog(file: string, server: DatabaseServer): Promise<void> {
  const [row] = await using(
    server,
    (database) =>
      database.raw('PRAGMA journal_mode = DELETE').catch((error: unknown): { journal_mode: string }[] => {
        if (systemCodeOf(error) === 'SQLITE_BUSY') return [];
        throw error;
      }) as Promise<{ journal_mode: string }[]>,
  );
  if (row?.journal_mode === 'delete' && !existsSync(`${file}-wal`)) return;
  throw new StartError(
    onOneLine(
      `${server.name}: another program has it open: end it, for example sqlite3, and run this again; nothing was changed`,
    ),
  );
}
