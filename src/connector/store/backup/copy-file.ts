import { closeSync, existsSync, openSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Knex } from 'knex';
import { EXIT_CONFIG, messageOf, onOneLine, StartError, systemCodeOf } from '../../../kernel/errors.ts';
import type { DatabaseServer } from '../connect/server.ts';
import { explained } from '../database.ts';
import { pendingMigrations } from '../migrate.ts';
import { refusedPlace } from './draft.ts';
import type { LongWork } from './report.ts';

/** Interval of looks at the size of the copy: SQLite does not report its progress. */
const LOOK_MS = 500;
/** Room that the backup needs besides the content: less full pages of the copy, and the other files. */
const ROOM_MIN_BYTES = 4 * 2 ** 20;
const MEBIBYTE = 2 ** 20;
/** Most attempts: a program may open an unused file while it is read; then it is read again. */
const ATTEMPTS = 3;
/** Errors of the copy and its disk; all others come from the database. */
const OF_COPY: readonly string[] = ['SQLITE_FULL', 'SQLITE_IOERR'];

/**
 * Copies a file of SQLite as it is at one moment, while another process may write to it: its writes stay in the log
 * meanwhile.
 * @param to path of the copy, which must not exist yet @param place of the backup, for messages
 */
export async function copyFile(
  { file, server }: { file: string; server: DatabaseServer },
  { to, place }: { to: string; place: string },
  work: LongWork,
): Promise<void> {
  requireDatabase(file, server);
  // Created first with this mode: otherwise other accounts could read the copy.
  closeSync(openSync(to, 'wx', 0o600));
  for (let attempt = 1; ; attempt += 1) {
    const before = stateOf(file);
    const database = await explained(server, async () => connectToRead(server));
    try {
      await explained(server, async () => {
        await pendingMigrations(database);
      });
      const bytes = await sizeOfContent(server, database);
      requireRoom(place, bytes);
      await copied(database, { to, place, bytes, server }, work);
    } finally {
      await database.destroy();
    }
    // A file without a log is read as immutable; with a log SQLite guarantees the snapshot.
    const isOwnRead = process.getuid?.() === 0 && !before.hasLog;
    if (!isOwnRead || isSameState(before, stateOf(file))) return;
    if (attempt === ATTEMPTS) {
      throw new StartError(`${server.name}: it was changed each time while it was read: run this again`);
    }
    closeSync(openSync(to, 'w', 0o600));
  }
}

/** Opens for reading only as root, which must not write into files of another account. */
function connectToRead(server: DatabaseServer): Knex {
  const connect = process.getuid?.() === 0 ? server.inspect : server.connectToTry;
  if (connect === undefined) throw new Error('this database has no file');
  return connect();
}

function requireDatabase(file: string, server: DatabaseServer): void {
  let size: number;
  try {
    size = statSync(file).size;
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') {
      throw new StartError(onOneLine(`${server.name}: ${server.refusal(error)?.message ?? messageOf(error)}`));
    }
    size = 0;
  }
  if (size > 0) return;
  throw new StartError(`${server.name}: there is no database yet: the first start of the connector makes it`, {
    exitStatus: EXIT_CONFIG,
  });
}

interface FileState {
  size: number;
  changedAt: number;
  hasLog: boolean;
}

function stateOf(file: string): FileState {
  const real = realpathSync(file);
  const { size, mtimeMs } = statSync(real);
  return { size, changedAt: mtimeMs, hasLog: existsSync(`${real}-wal`) };
}

const isSameState = (one: FileState, other: FileState): boolean =>
  one.size === other.size && one.changedAt === other.changedAt && one.hasLog === other.hasLog;

/** Returns the bytes of the pages that are in use. */
async function sizeOfContent(server: DatabaseServer, database: Knex): Promise<number> {
  const number = async (name: string): Promise<number> => {
    const [row]: Record<string, number>[] = await database.raw(`PRAGMA ${name}`);
    return row?.[name] ?? 0;
  };
  return explained(
    server,
    async () => ((await number('page_count')) - (await number('freelist_count'))) * (await number('page_size')),
  );
}

function requireRoom(place: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(dirname(place));
  const [needed, free] = [bytes + ROOM_MIN_BYTES, bavail * bsize];
  if (free >= needed) return;
  throw new StartError(
    `--to: ${place}: the backup needs ${mebibytes(needed)} MiB, and ${mebibytes(free)} MiB are free there: free space, or name another place; nothing was left there`,
  );
}

const mebibytes = (bytes: number): number => Math.ceil(bytes / MEBIBYTE);

async function copied(
  database: Knex,
  { to, place, bytes, server }: { to: string; place: string; bytes: number; server: DatabaseServer },
  work: LongWork,
): Promise<void> {
  work.begin('copied', bytes);
  let seen = 0;
  const looking = setInterval(() => {
    const size = statSync(to, { throwIfNoEntry: false })?.size ?? 0;
    work.advance(size - seen);
    seen = size;
  }, LOOK_MS).unref();
  try {
    await database.raw('VACUUM INTO ?', [to]);
  } catch (error) {
    if (OF_COPY.includes(systemCodeOf(error) ?? '')) throw refusedCopy(place, error);
    throw await explained(server, () => Promise.reject(error)).catch((explanation: unknown) => explanation);
  } finally {
    clearInterval(looking);
  }
}

const refusedCopy = (place: string, error: unknown): unknown => {
  const refused = refusedPlace(place, error);
  if (refused instanceof StartError) return refused;
  return new StartError(
    onOneLine(`--to: ${place}: it could not be written (${messageOf(error)}); nothing was left there`),
    {
      cause: error,
    },
  );
};
