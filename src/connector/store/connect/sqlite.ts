import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import knex, { type Knex } from 'knex';
import { systemCodeOf } from '../../../kernel/errors.ts';
import type { ProvableClaim } from '../../ports/claims.ts';
import { BUSY_TIMEOUT_MS, SILENT, SqliteClient } from './clients.ts';
import { compactFile, copyOf } from './compact.ts';
import { convertToSteps } from './convert-to-steps.ts';
import { CONNECTOR, type DatabaseServer, type Refusal } from './server.ts';

/** Longest wait of a statement for the one connection that all writes use. */
const TURN_DEADLINE_MS = 20_000;
/** Connections that read while another one writes; each has a cache of its own. */
const READERS = 2;

/** Run on every connection: for readers beside one writer, and to enforce foreign keys. */
const PRAGMAS = [
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = NORMAL',
  'PRAGMA foreign_keys = ON',
  `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`,
  // Size in KiB: enough to keep the upper pages of all indexes in memory. The default is a quarter of this.
  'PRAGMA cache_size = -8192',
  // Overwrites deleted content.
  'PRAGMA secure_delete = ON',
];

/**
 * Settings of a new file, which can give pages back in steps; an old file is converted at a start: `convertToSteps`.
 */
const NEW_FILE_PRAGMAS = ['PRAGMA auto_vacuum = INCREMENTAL', ...PRAGMAS];

/** Settings that leave the file unchanged. */
const INSPECTION_PRAGMAS = [`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`];

const READER_PRAGMAS = [...PRAGMAS, 'PRAGMA query_only = ON'];

interface SqliteConnection {
  exec(sql: string, done: (error: Error | null) => void): void;
}

/** Creates a server for the embedded database in one file. */
export function sqliteServer(file: string): DatabaseServer {
  return {
    name: `database.sqlite.file: ${file}`,
    connect: () => {
      const { size } = keepPrivate(file);
      return open(file, size === 0 ? NEW_FILE_PRAGMAS : PRAGMAS);
    },
    prepare: (database, log) => {
      // Interrupted commands have left these files.
      rmSync(copyOf(realFile(file)), { force: true });
      for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(stagedRestore(file) + ending, { force: true });
      return convertToSteps(database, file, log);
    },
    compact: () => compactFile(realFile(file), open),
    inspect: () => inspect(file),
    connectToTry: () => open(file, INSPECTION_PRAGMAS),
    requireRoom: () => requireRoom(file),
    connectReaders: () => open(file, READER_PRAGMAS, READERS),
    claim: (name) => claim(lockFile(file, name)),
    refusal: (error) => refusalOf(error),
  };
}

/** Returns the path at which a backup is prepared that is to replace a file: beside it, so that one step suffices. */
export const stagedRestore = (file: string): string => `${realFile(file)}.restore`;

/** Opens an empty database in memory. */
export const memoryDatabase = (): Knex => open(':memory:', []);

function open(file: string, pragmas: readonly string[], connections = 1, flags: string[] = []): Knex {
  return knex({
    client: SqliteClient,
    connection: { filename: file, flags },
    useNullAsDefault: true,
    // Otherwise an error's message would contain the values, and people's texts would reach the log.
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

/** Opens the file and leaves it and its directory as they are. */
function inspect(file: string): Knex {
  const isRoot = process.getuid?.() === 0;
  const found = isRoot ? lstatSync(file) : statSync(file);
  // Opening a pipe would block forever.
  if (!found.isFile()) throw failure('ENXIO', 'it is not a regular file');
  // The connector's account may have put a link to any file there.
  if (isRoot && found.uid !== statSync(dirname(file)).uid) throw failure('EPERM', 'it belongs to another account');
  // Without a log beside the file no program has it open. A normal read would create a log and leave it there.
  const isClosed = !existsSync(`${realFile(file)}-wal`);
  const name = `${pathToFileURL(file).href}?mode=ro${isClosed ? '&immutable=1' : ''}`;
  return open(name, INSPECTION_PRAGMAS, 1, ['OPEN_URI']);
}

const PROBE_NAME_BYTES = 6;
/** Room that the file and its log need at least. */
const ROOM_BYTES = 256 * 1_024;

/**
 * Writes an unlinked file beside the database, so that no file is left when the process is killed. A rolled back write
 * would not show the room: it stays in SQLite's memory, and its log may reuse room.
 */
function requireRoom(file: string): void {
  const probe = `${realFile(file)}.${randomBytes(PROBE_NAME_BYTES).toString('hex')}.probe`;
  // Fails for an existing file or a link.
  const opened = openSync(probe, 'wx', 0o600);
  try {
    unlinkSync(probe);
    // Writes until all of it is written: one write returns without an error if some room is left.
    writeFileSync(opened, randomBytes(ROOM_BYTES));
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/**
 * Makes the file private; SQLite gives the files beside the database the same mode.
 * @param flags further flags of open(2)
 */
function keepPrivate(file: string, flags = 0): Stats {
  // Opening a pipe would block forever.
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;
  const opened = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | flags, 0o600);
  try {
    const found = fstatSync(opened);
    if (!found.isFile()) throw failure('ENXIO', 'it is not a regular file');
    fchmodSync(opened, 0o600);
    return found;
  } finally {
    closeSync(opened);
  }
}

/** Builds an error like the system's own. */
const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/** Resolves links, so that the lock is always beside the file itself. */
function realFile(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // The file is not there yet.
    return join(realpathSync(dirname(file)), basename(file));
  }
}

/**
 * Returns the path of a claim's lock. The lock of the whole database has the same name as in versions that had no
 * other.
 */
function lockFile(file: string, name: string): string {
  const suffix = name === CONNECTOR ? 'lock' : `${encodeURIComponent(name)}.lock`;
  return `${realFile(file)}.${suffix}`;
}

/**
 * Takes a kernel lock on a separate file: it ends with the process in every case, and backups can still read the
 * database.
 */
async function claim(file: string): Promise<ProvableClaim | undefined> {
  // A link there is not ours. Root would change the mode of a file that another account has chosen.
  keepPrivate(file, constants.O_NOFOLLOW);
  const lock = open(file, ['PRAGMA busy_timeout = 0']);
  try {
    await lock.raw('BEGIN EXCLUSIVE');
  } catch (error) {
    await lock.destroy();
    if (systemCodeOf(error) === 'SQLITE_BUSY') return undefined;
    throw error;
  }
  // The kernel keeps the lock as long as this process lives.
  return {
    onLost: () => undefined,
    isTrusted: () => true,
    onDoubt: () => undefined,
    wasHeld: async () => true,
    release: () => lock.destroy(),
  };
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
  ENXIO: 'is not a regular file: name another one',
  ELOOP: 'or its lock (the same name with .lock) is a link that is not followed: remove the link',
  ENOSPC: 'has no room: free space on its disk',
};

function refusalOf(error: unknown): Refusal | undefined {
  const message = REFUSALS[systemCodeOf(error) ?? ''];
  return message === undefined ? undefined : { message, isConfiguration: false };
}
