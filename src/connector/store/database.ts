import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Clock } from '../../kernel/clock.ts';
import { EXIT_CONFIG, messageOf, StartError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { VERSION } from '../../kernel/version.ts';
import type { Claim } from '../ports/claims.ts';
import type { Hold } from '../ports/hold.ts';
import { newId } from '../random.ts';
import type { Compacted } from './connect/compact.ts';
import { givesBack } from './connect/convert-to-steps.ts';
import { type DatabaseChoice, databaseServer } from './connect/index.ts';
import { CONNECTOR, type DatabaseServer } from './connect/server.ts';
import { replaceProcess } from './hold/ended-process.ts';
import type { OwnRow } from './hold/process-rows.ts';
import { EarlierVersion, type SlotKeeper } from './hold/slot-keeper.ts';
import { type SharingSeen, seeSharing } from './hold/who-is-there.ts';
import { readHolder, thisProcess, writeHolder } from './holder.ts';
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
/** A server that has answered before answers a heartbeat in this time. */
const ANSWER_DEADLINE_MS = 20_000;
/** A process that has not got the database after this time says that it waits. */
const STANDBY_AFTER_MS = 1_500;

export interface OpenDatabase {
  database: Database;
  /** For reading only; sees at once what `database` stored. May be the same connections. */
  readers: Database;
  /** Calls `lost` with the reason when another process has taken the database, or may take it: from then on nothing may be written. */
  onLost(lost: (why: string) => void): void;
  /** What this process alone may do, while it is trusted. */
  claim: Claim;
  /** Whether the process before has not ended, as far as is known: it may wake. */
  isTakenFromDead: boolean;
  /** This process among those that share the database; undefined where only one can use it. */
  keeper: SlotKeeper | undefined;
  close(): Promise<void>;
}

/** How this process shares the database with others, where that is possible. */
export interface Sharing {
  /** Where the run of the program before this one has left what it was. */
  stateDirectory?: string;
  /** Another process has the database: this one waits until it is free. Without this, a process does not wait. */
  waits?(keeper: SlotKeeper): void;
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
      await migrated(server, clock, claim);
      if (log !== undefined) await using(server, async (database) => server.prepare?.(database, log));
      const database = server.connect('serve', claim);
      const readers = server.connectReaders?.() ?? database;
      return {
        database,
        readers,
        claim,
        isTakenFromDead: shared?.hold.isTakenFromDead ?? false,
        keeper: shared?.keeper,
        onLost: (lost) => claim.onLost(lost),
        close: async () => {
          if (readers !== database) await readers.destroy();
          await database.destroy();
          await claim.release();
          await shared?.release();
        },
      };
    } catch (error) {
      await claim.release();
      await shared?.release();
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

/** Sees which processes share the database, and changes nothing. @throws StartError when it can't be opened */
export function inspectSharing(choice: DatabaseChoice): Promise<SharingSeen> {
  const server = databaseServer(choice);
  return explained(server, () => using(server, seeSharing));
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

/** Asked before anything is claimed: a pooler would keep a lock that it is not fit for. @throws StartError */
async function requireFit(server: DatabaseServer): Promise<void> {
  const refusal = await using(server, async (database) => server.check?.(database));
  if (refusal !== undefined) throw startError(server, refusal);
}

function migrated(server: DatabaseServer, clock: Clock, claim?: Claim): Promise<string[]> {
  return using({ connect: (purpose) => server.connect(purpose, claim) }, async (database) => {
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
  throw await usedByAnother(server);
}

async function usedByAnother(server: DatabaseServer): Promise<StartError> {
  const holder = await using(server, (database) => readHolder(database, server));
  return new StartError(
    `${server.name}: ${holder}; two at once would send everything twice: end that one, or give this one a database of its own`,
  );
}

interface JoinParts {
  clock: Clock;
  own: InstallationClaim | undefined;
  log: Logger | undefined;
  sharing: Sharing;
}

/** This process among those that share the database, once it has it. */
interface Shared {
  hold: Hold;
  keeper: SlotKeeper;
  release(): Promise<void>;
}

/**
 * Waits until this process has a database that several can share; undefined for one that they can't. A process that waits
 * changes nothing in the database but its own row. @throws StartError
 */
async function joined(server: DatabaseServer, parts: JoinParts): Promise<Shared | undefined> {
  if (server.join === undefined) return undefined;
  const { clock, own: installation, log, sharing } = parts;
  await prepareToJoin(server, clock, installation);
  const own = { processId: newId('prc'), name: thisProcess(), version: VERSION };
  const ended = await endedBefore(sharing, own.processId);
  const release = async () => ended?.release();
  const deadline = performance.now() + CLAIM_DEADLINE_MS;
  try {
    for (;;) {
      const held = await joinOnce(server, own, { clock, log, sharing, ended: ended?.processId });
      if (held !== undefined) return { ...held, release };
      if (performance.now() >= deadline) throw await usedByAnother(server);
      await delay(CLAIM_POLL_MS);
    }
  } catch (error) {
    await release();
    throw error;
  }
}

interface JoinOnceParts extends Omit<JoinParts, 'own'> {
  /** The process of the run before this one. */
  ended: string | undefined;
}

/**
 * Undefined where the lock of earlier versions is taken: by one that may be about to end, or by this process itself, which
 * made the tables under it a moment ago. The server frees it a little later than a connection closes here.
 */
async function joinOnce(
  server: DatabaseServer,
  own: OwnRow,
  { clock, log, sharing, ended }: JoinOnceParts,
): Promise<Omit<Shared, 'release'> | undefined> {
  let failure: unknown;
  const keeper = server.join?.(own, {
    clock,
    ended,
    failed: (error) => {
      failure = error;
      log?.warn({ reason: messageOf(error) }, 'the database has not answered a heartbeat');
    },
    clockIsOff: (aheadMs) =>
      log?.error(
        { aheadMs: Math.round(aheadMs) },
        'the clock of this machine differs from that of the database: set it right; with more than 30 s this process acts for nobody',
      ),
  });
  if (keeper === undefined) return undefined;
  try {
    return { hold: await taken(server, { keeper, failure: () => failure }, sharing), keeper };
  } catch (error) {
    await keeper.release().catch(() => undefined);
    if (error instanceof EarlierVersion) return undefined;
    throw error;
  }
}

/** The first process makes the tables, before there is anybody to share them with; each looks whether the database is its own. */
async function prepareToJoin(server: DatabaseServer, clock: Clock, own: InstallationClaim | undefined): Promise<void> {
  await using(server, async (database) => {
    if (own !== undefined) await requireOwnInstallation(database, own);
    await pendingMigrations(database);
  });
  if (await isShared(server)) return;
  const claim = await claimed(server).catch(async (error: unknown) => {
    // Another process that has started at the same time has made them, and has joined.
    if (!(await isShared(server))) throw error;
  });
  if (claim === undefined) return;
  try {
    await migrated(server, clock);
  } finally {
    await claim.release();
  }
}

const isShared = (server: DatabaseServer): Promise<boolean> =>
  using(server, (database) => database.schema.hasTable('slots'));

async function endedBefore({ stateDirectory }: Sharing, processId: string) {
  return stateDirectory === undefined ? undefined : replaceProcess(stateDirectory, processId);
}

/** @param failure why the last heartbeat was not answered */
async function taken(
  server: DatabaseServer,
  { keeper, failure }: { keeper: SlotKeeper; failure: () => unknown },
  { waits }: Sharing,
): Promise<Hold> {
  const after = (ms: number) => delay(ms, undefined, { ref: false });
  const isAnswered = await Promise.race([keeper.seen().then(() => true), keeper.taken, after(ANSWER_DEADLINE_MS)]);
  if (isAnswered === undefined) throw failure() ?? new Error('the database does not answer');
  const hold = await Promise.race([keeper.taken, after(waits === undefined ? CLAIM_DEADLINE_MS : STANDBY_AFTER_MS)]);
  if (hold !== undefined) return hold;
  if (waits === undefined) throw await usedByAnother(server);
  waits(keeper);
  return await keeper.taken;
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
