import { chmodSync, chownSync, closeSync, existsSync, openSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import knex, { type Knex } from 'knex';
import { systemCodeOf } from '../../../kernel/errors.ts';
import { SILENT, SqliteClient } from './clients.ts';
import type { Claim, DatabaseServer, Refusal } from './server.ts';

/** How long a statement waits for another program that writes. */
const BUSY_TIMEOUT_MS = 5_000;
/** All that changes something goes over one connection; a statement that waits longer for its turn is told so. */
const TURN_DEADLINE_MS = 20_000;
/** Reading goes on beside the one that writes; each of these has a cache of its own. */
const READERS = 2;

/** Run on every connection: readers beside one writer, and rows that point somewhere. */
const PRAGMAS = [
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = NORMAL',
  'PRAGMA foreign_keys = ON',
  `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`,
  // In KiB. The upper pages of all indexes stay in memory; by default it is a quarter of this.
  'PRAGMA cache_size = -8192',
];

const READER_PRAGMAS = [...PRAGMAS, 'PRAGMA query_only = ON'];

interface SqliteConnection {
  exec(sql: string, done: (error: Error | null) => void): void;
}

/** The embedded database in one file. */
export function sqliteServer(file: string): DatabaseServer {
  return {
    name: `database.sqlite.file: ${file}`,
    connect: () => {
      keepPrivate(file);
      return open(file, PRAGMAS);
    },
    connectReaders: () => open(file, READER_PRAGMAS, READERS),
    claim: () => claim(`${realFile(file)}.lock`),
    refusal: (error) => refusalOf(error),
  };
}

function open(file: string, pragmas: readonly string[], connections = 1): Knex {
  return knex({
    client: SqliteClient,
    connection: { filename: file },
    useNullAsDefault: true,
    // Else an error's message has the values in it, and what was said would reach the log.
    compileSqlOnError: false,
    log: SILENT,
    acquireConnectionTimeout: TURN_DEADLINE_MS,
    pool: {
      min: 1,
      max: connections,
      afterCreate: (connection: SqliteConnection, done: (error: Error | null) => void) =>
        connection.exec(pragmas.join(';'), done),
    },
  });
}

/** What SQLite makes beside the file has the file's mode and owner. */
function keepPrivate(file: string): void {
  const isNew = !existsSync(file);
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  // Root may migrate for the account that owns the directory.
  if (!isNew || process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(file));
  chownSync(file, uid, gid);
}

/** However the file is named, the lock is beside the file itself. */
function realFile(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return join(realpathSync(dirname(file)), basename(file));
  }
}

/** A lock of the kernel's on a file of its own: it ends with the process, however that ends, and backups may still read the database. */
async function claim(file: string): Promise<Claim | undefined> {
  keepPrivate(file);
  const lock = open(file, ['PRAGMA busy_timeout = 0']);
  try {
    await lock.raw('BEGIN EXCLUSIVE');
  } catch (error) {
    await lock.destroy();
    if (systemCodeOf(error) === 'SQLITE_BUSY') return undefined;
    throw error;
  }
  return { onLost: () => undefined, release: () => lock.destroy() };
}

const REFUSALS: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: 'is not a SQLite database: name another file, or restore it from a backup',
  SQLITE_CORRUPT: 'is damaged: restore it from a backup',
  SQLITE_CANTOPEN: 'can’t be opened: see that its directory exists and that the connector’s account may write there',
  SQLITE_READONLY: 'can’t be written: give the file and its directory to the connector’s account',
  SQLITE_BUSY: 'is locked by another program: end it, for example a backup that hangs, and start again',
  SQLITE_FULL: 'has no room: free space on its disk',
  ENOENT: 'can’t be made: its directory does not exist',
  ENOTDIR: 'can’t be made: its directory is a file',
  EACCES: 'may not be opened: give the file and its directory to the connector’s account',
  EPERM: 'may not be opened: give the file and its directory to the connector’s account',
  EROFS: 'is on a file system that can’t be written: choose another place',
  EISDIR: 'is a directory: name a file',
  ENOSPC: 'has no room: free space on its disk',
};

function refusalOf(error: unknown): Refusal | undefined {
  const message = REFUSALS[systemCodeOf(error) ?? ''];
  return message === undefined ? undefined : { message, isConfiguration: false };
}
