import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Clock } from '../../kernel/clock.ts';
import { EXIT_CONFIG, messageOf, StartError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Claim } from '../ports/claims.ts';
import { claimed, migrated, using } from './claimed.ts';
import type { Compacted } from './connect/compact.ts';
import { givesBack } from './connect/convert-to-steps.ts';
import { type DatabaseChoice, databaseServer } from './connect/index.ts';
import type { ConnectionsSeen, DatabaseServer } from './connect/server.ts';
import { rowsOf } from './dialect.ts';
import { type AccountSlotCounts, countAccountSlots } from './hold/account-slot-counts.ts';
import { databaseClock } from './hold/database-clock.ts';
import type { SharingSeen } from './hold/membership.ts';
import type { SlotKeeper } from './hold/slot-keeper.ts';
import { seeSharing } from './hold/who-is-there.ts';
import {
  type Installation,
  type InstallationClaim,
  readInstallation,
  requireOwnInstallation,
  WrongInstallation,
} from './installation.ts';
import { joined, type Sharing } from './join.ts';
import { HalfMoved, NewerDatabase, pendingMigrations } from './migrate.ts';

export type Database = Knex;

/** Longest time for statements under way when a process gives the database to others. */
const POOLS_END_MS = 500;
/** Longest wait for a heartbeat after steps of the schema. */
const HEARD_MS = 10_000;

export interface OpenDatabase {
  database: Database;
  /** Read-only connections; they see at once what `database` stored. May be the same connections. */
  readers: Database;
  /**
   * Calls `lost` with the reason when another process has taken the database, or may take it: writes must stop then.
   */
  onLost(lost: (why: string) => void): void;
  /** This process's claim, which lets it write while it is trusted. */
  claim: Claim;
  /** This process among those that share the database; undefined if only one can use it. */
  keeper: SlotKeeper | undefined;
  /** Id of this process among them. */
  processId: string | undefined;
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
  sharing: Sharing = {},
): Promise<OpenDatabase> {
  const server = databaseServer(choice);
  return explained(server, async () => {
    await requireFit(server);
    const shared = await joined(server, { clock, own, log, sharing });
    const claim: Claim = shared?.hold ?? (await claimed(server));
    try {
      if (own !== undefined) await using(server, (database) => requireOwnInstallation(database, own));
      const steps = await migrated(server, clock, { claim, log });
      if (steps.length > 0 && shared !== undefined) await heard(shared.keeper);
      if (log !== undefined) await using(server, async (database) => server.prepare?.(database, log));
      shared?.keeper.company.schemaIsCurrent();
      const database = server.connect('serve', claim);
      const readers = server.connectReaders?.() ?? database;
      return {
        database,
        readers,
        claim,
        keeper: shared?.keeper,
        processId: shared?.hold.fence?.processId,
        onLost: (lost) => claim.onLost(lost),
        close: async () => {
          const ended = Promise.allSettled([...new Set([readers, database])].map((pool) => pool.destroy()));
          // Statements that hang end with the claim, if another process waits for it.
          await (shared === undefined ? ended : Promise.race([ended, delay(POOLS_END_MS, undefined, { ref: false })]));
          await claim.release();
          await shared?.release();
          await ended;
        },
      };
    } catch (error) {
      await claim.release();
      await shared?.release();
      throw error;
    }
  });
}

/** Waits for the next answered heartbeat: steps of the schema may have kept them waiting, and the claim is in doubt then. */
async function heard(keeper: SlotKeeper): Promise<void> {
  const seen = keeper.seen();
  keeper.lookNow();
  await Promise.race([seen, delay(HEARD_MS, undefined, { ref: false })]);
}

/**
 * Brings the schema up to date and returns the names of the steps. No other process may use it meanwhile.
 * @throws StartError when the database can't be used
 */
export async function migrateDatabase(choice: DatabaseChoice, clock: Clock): Promise<string[]> {
  const server = databaseServer(choice);
  return explained(server, async () => {
    await requireFit(server);
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

/** Result of a look into a database that leaves it unchanged. */
export interface Inspection {
  /** Names of the migrations that its schema lacks. */
  pending: string[];
  /** Server times of the newest lines, milliseconds since 1970. */
  newestTimes: number[];
  /** Owner of the database, as far as it is known. */
  installation: Installation | undefined;
  /** Whether deletions make it smaller. */
  givesBack: boolean;
}

/** Number of newest lines that are examined. */
const NEWEST_LINES = 50;

/**
 * Looks into the database while another process may use it.
 * @throws StartError when it can't be used, or belongs to another installation than `own`
 */
export function inspectDatabase(choice: DatabaseChoice, own?: InstallationClaim): Promise<Inspection> {
  const server = databaseServer(choice);
  return explained(server, () =>
    using({ connect: () => server.inspect?.() ?? server.connect('migrate') }, async (database) => {
      const pending = await pendingMigrations(database, { acceptsAdditive: true });
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

/** Lists the processes that share the database, without changing it. @throws StartError when it can't be opened */
export function inspectSharing(choice: DatabaseChoice): Promise<SharingSeen> {
  const server = databaseServer(choice);
  return explained(server, () => using(server, seeSharing));
}

/** Counts the account slots of each process; undefined if the database has none yet. @throws StartError when it can't be opened */
export function inspectAccountSlots(choice: DatabaseChoice): Promise<AccountSlotCounts | undefined> {
  const server = databaseServer(choice);
  return explained(server, () => using(server, countAccountSlots));
}

/**
 * Reads how many connections the database's server has for this program; undefined for a file.
 * @throws StartError when it can't be opened, or is reached by a pooler that is not fit
 */
export function inspectConnections(choice: DatabaseChoice): Promise<ConnectionsSeen | undefined> {
  const server = databaseServer(choice);
  const { connections } = server;
  if (connections === undefined) return Promise.resolve(undefined);
  return explained(server, async () => {
    await requireFit(server);
    return using(server, connections);
  });
}

/**
 * Reads how far the clock here is ahead of the server's, at least, in milliseconds; undefined for a file.
 * @throws StartError when it can't be opened
 */
export function inspectClock(choice: DatabaseChoice, now: () => number): Promise<number | undefined> {
  const server = databaseServer(choice);
  if (server.join === undefined) return Promise.resolve(undefined);
  return explained(server, () =>
    using(server, async (database) => {
      // The first statement opens the connection, which takes longer.
      await database.raw('SELECT 1');
      const before = now();
      const [row] = rowsOf<{ now: number | string }>(await database.raw(`SELECT ${databaseClock(database)} AS now`));
      const after = now();
      const theirs = Number(row?.now);
      if (theirs >= before && theirs <= after) return 0;
      return theirs < before ? before - theirs : after - theirs;
    }),
  );
}

/** Size of a write that is rolled back: enough that a server needs room for it. */
const SCRATCH_BYTES = 256 * 1_024;
const SCRATCH_NAME_BYTES = 6;

/**
 * Writes into the database and rolls back, while another process may use it.
 * @throws StartError when it can't store data
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
        // Random, because a server compresses repetitions.
        await transaction(table).insert({ filler: randomBytes(SCRATCH_BYTES).toString('base64') });
      } finally {
        await transaction.rollback();
      }
    });
  });
}

/** Refuses an unfit server before any claim: a pooler would keep a lock that it is not fit for. @throws StartError */
async function requireFit(server: DatabaseServer): Promise<void> {
  const refusal = await using(server, async (database) => server.check?.(database));
  if (refusal !== undefined) throw startError(server, refusal);
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
