import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Clock } from '../../kernel/clock.ts';
import { EXIT_CONFIG, messageOf, StartError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Claim } from '../ports/claims.ts';
import type { Compacted } from './connect/compact.ts';
import { givesBack } from './connect/convert-to-steps.ts';
import { type DatabaseChoice, databaseServer } from './connect/index.ts';
import { CONNECTOR, type DatabaseServer } from './connect/server.ts';
import { readHolder, writeHolder } from './holder.ts';
import {
  type Installation,
  type InstallationClaim,
  readInstallation,
  requireOwnInstallation,
  WrongInstallation,
} from './installation.ts';
import { HalfMoved, migrate, NewerDatabase, pendingMigrations } from './migrate.ts';

export type Database = Knex;

/** How long a process that starts waits for another one that migrates or is about to end. */
const CLAIM_DEADLINE_MS = 5_000;
const CLAIM_POLL_MS = 200;

export interface OpenDatabase {
  database: Database;
  /** For reading only; sees at once what `database` stored. May be the same connections. */
  readers: Database;
  /** Calls `lost` when another process has taken the database: from then on nothing may be written. */
  onLost(lost: () => void): void;
  close(): Promise<void>;
}

/**
 * Claims the database for this process, brings its schema up to date, and opens it.
 * @param own refuses a database of another installation before anything in it changes
 * @param log without one, the database is not converted
 * @throws StartError when it can't be used, or another process uses it
 */
export async function openDatabase(
  choice: DatabaseChoice,
  clock: Clock,
  own?: InstallationClaim,
  log?: Logger,
): Promise<OpenDatabase> {
  const server = databaseServer(choice);
  return explained(server, async () => {
    const claim = await claimed(server);
    try {
      if (own !== undefined) await using(server, (database) => requireOwnInstallation(database, own));
      await migrated(server, clock);
      if (log !== undefined) await using(server, async (database) => server.prepare?.(database, log));
      const database = server.connect('serve', claim);
      const readers = server.connectReaders?.() ?? database;
      return {
        database,
        readers,
        onLost: (lost) => claim.onLost(lost),
        close: async () => {
          if (readers !== database) await readers.destroy();
          await database.destroy();
          await claim.release();
        },
      };
    } catch (error) {
      await claim.release();
      throw error;
    }
  });
}

/**
 * Brings the schema up to date and returns the names of the steps. No other process may use it meanwhile.
 * @throws StartError when the database can't be used
 */
export async function migrateDatabase(choice: DatabaseChoice, clock: Clock): Promise<string[]> {
  const server = databaseServer(choice);
  return explained(server, async () => {
    if ((await using(server, pendingMigrations)).length === 0) return [];
    const claim = await claimed(server);
    try {
      return await migrated(server, clock);
    } finally {
      await claim.release();
    }
  });
}

/**
 * Makes the file of a database smaller. No other process may use it meanwhile.
 * @returns undefined for a database that becomes smaller by itself @throws StartError when it can't be done
 */
export async function compactDatabase(choice: DatabaseChoice): Promise<Compacted | undefined> {
  const server = databaseServer(choice);
  const { compact } = server;
  if (compact === undefined) return undefined;
  return explained(server, async () => {
    const claim = await claimed(server);
    try {
      return await compact();
    } finally {
      await claim.release();
    }
  });
}

/** What a look into a database shows without changing it. */
export interface Inspection {
  /** Names of the steps its schema lacks. */
  pending: string[];
  /** Server times of the newest lines, milliseconds since 1970. */
  newestTimes: number[];
  /** To whom it belongs, as far as it is known. */
  installation: Installation | undefined;
  /** Whether deletions make it smaller. */
  givesBack: boolean;
}

/** How many lines to look at. */
const NEWEST_LINES = 50;

/**
 * Looks into the database while another process may use it.
 * @throws StartError when it can't be used, or belongs to another installation than `own`
 */
export function inspectDatabase(choice: DatabaseChoice, own?: InstallationClaim): Promise<Inspection> {
  const server = databaseServer(choice);
  return explained(server, () =>
    using({ connect: () => server.inspect?.() ?? server.connect('migrate') }, async (database) => {
      const pending = await pendingMigrations(database);
      if (own !== undefined) await requireOwnInstallation(database, own);
      const times: (number | string)[] =
        pending.length > 0
          ? []
          : await database('entries')
              .where('timestamp_source', 'server')
              .orderBy('row', 'desc')
              .limit(NEWEST_LINES)
              .pluck('event_at');
      const installation = await readInstallation(database);
      return { pending, newestTimes: times.map(Number), installation, givesBack: await givesBack(database) };
    }),
  );
}

/** Written and rolled back: enough that a server needs room for it. */
const SCRATCH_BYTES = 256 * 1_024;
const SCRATCH_NAME_BYTES = 6;

/**
 * Writes into the database while another process may use it, and leaves nothing behind.
 * @throws StartError when nothing can be stored
 */
export function requireWritable(choice: DatabaseChoice): Promise<void> {
  const server = databaseServer(choice);
  return explained(server, async () => {
    server.requireRoom?.();
    const connect = (): Knex => server.connectToTry?.() ?? server.connect('migrate');
    await using({ connect }, async (database) => {
      const table = `scratch_${randomBytes(SCRATCH_NAME_BYTES).toString('hex')}`;
      const transaction = await database.transaction();
      try {
        await transaction.schema.createTable(table, (columns) => void columns.text('filler'));
        // Random, because a server compresses what repeats.
        await transaction(table).insert({ filler: randomBytes(SCRATCH_BYTES).toString('base64') });
      } finally {
        await transaction.rollback();
      }
    });
  });
}

function migrated(server: DatabaseServer, clock: Clock): Promise<string[]> {
  return using(server, async (database) => {
    const refusal = await server.check?.(database);
    if (refusal !== undefined) throw startError(server, refusal);
    const names = await migrate(database);
    await writeHolder(database, clock);
    return names;
  });
}

async function claimed(server: DatabaseServer): Promise<Claim> {
  const deadline = performance.now() + CLAIM_DEADLINE_MS;
  for (;;) {
    const claim = await server.claim(CONNECTOR);
    if (claim !== undefined) return claim;
    if (performance.now() >= deadline) break;
    await delay(CLAIM_POLL_MS);
  }
  const holder = await using(server, (database) => readHolder(database, server));
  throw new StartError(
    `${server.name}: ${holder}; two at once would send everything twice: end that one, or give this one a database of its own`,
  );
}

async function using<T>(server: Pick<DatabaseServer, 'connect'>, work: (database: Database) => Promise<T>): Promise<T> {
  const database = server.connect('migrate');
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}

/** Turns every failure into one line: which database, what is wrong, what to do. */
export async function explained<T>(server: DatabaseServer, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (error instanceof NewerDatabase || error instanceof HalfMoved || error instanceof WrongInstallation) {
      throw startError(server, { message: error.message, isConfiguration: true });
    }
    throw startError(
      server,
      server.refusal(error) ?? { message: `can’t be used (${messageOf(error)})`, isConfiguration: false },
      error,
    );
  }
}

function startError(
  { name }: DatabaseServer,
  { message, isConfiguration }: { message: string; isConfiguration: boolean },
  cause?: unknown,
): StartError {
  return new StartError(`${name}: ${message}`, { cause, ...(isConfiguration ? { exitStatus: EXIT_CONFIG } : {}) });
}
