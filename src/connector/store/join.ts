import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { poll } from '../../kernel/poll.ts';
import { VERSION } from '../../kernel/version.ts';
import type { Hold } from '../ports/hold.ts';
import { newId } from '../random.ts';
import { CLAIM_WAIT, claimed, migrated, usedByAnother, using } from './claimed.ts';
import type { DatabaseServer } from './connect/server.ts';
import { EarlierVersion } from './hold/earlier-version.ts';
import { replaceProcess } from './hold/ended-process.ts';
import type { Ended } from './hold/membership.ts';
import type { OwnRow } from './hold/process-rows.ts';
import type { SlotKeeper } from './hold/slot-keeper.ts';
import { watchFitness } from './hold/standby-fitness.ts';
import { thisProcess } from './holder.ts';
import { type InstallationClaim, requireOwnInstallation, WrongInstallation } from './installation.ts';
import { NewerDatabase, pendingMigrations } from './migrate.ts';
import { stepsHaveEnded } from './others-steps.ts';

/** Deadline of the first heartbeat's answer, without the time in which another process does steps of the schema. */
const ANSWER_DEADLINE_MS = 20_000;
/** Interval of questions for such steps. */
const STEPS_LOOK_MS = 1_500;
/** Time after which a process without the database reports that it waits. */
const STANDBY_AFTER_MS = 1_500;
/** Interval at which a waiting process checks whether it could take over. */
const FITNESS_LOOK_MS = 60_000;

/** Options of sharing the database with other processes. */
export interface Sharing {
  /** Directory in which the previous run of the program has left its identity. */
  stateDirectory?: string;
  /**
   * Called when another process has the database: this one waits until it is free. Without this, a process does not
   * wait.
   */
  waits?(keeper: SlotKeeper): void;
}

export interface JoinParts {
  clock: Clock;
  own: InstallationClaim | undefined;
  log: Logger | undefined;
  sharing: Sharing;
}

/** This process as the holder of a shared database. */
export interface Shared {
  hold: Hold;
  keeper: SlotKeeper;
  release(): Promise<void>;
}

/**
 * Waits until this process has a database that can be shared; undefined for one that can't. A waiting process changes
 * only its own row in the database.
 * @throws StartError
 */
export async function joined(server: DatabaseServer, parts: JoinParts): Promise<Shared | undefined> {
  if (server.join === undefined) return undefined;
  const { clock, own: installation, log, sharing } = parts;
  await prepareToJoin(server, parts);
  const own = { processId: newId('prc'), name: thisProcess(), version: VERSION };
  const ended = await endedBefore(sharing, own.processId);
  const release = async () => ended?.release();
  const once = { clock, log, sharing, installation, ended: ended?.ended };
  try {
    const held = await poll(() => joinOnce(server, own, once), CLAIM_WAIT);
    if (held === undefined) throw await usedByAnother(server);
    return { ...held, release };
  } catch (error) {
    await release();
    throw error;
  }
}

interface JoinOnceParts extends Omit<JoinParts, 'own'> {
  installation: InstallationClaim | undefined;
  /** The previous run of the program. */
  ended: Ended | undefined;
}

/**
 * Returns undefined while the lock of earlier versions is taken: by one that may be about to end, or by this process
 * itself, which has just made the tables under it. The server frees it a little later than a connection closes here.
 */
async function joinOnce(
  server: DatabaseServer,
  own: OwnRow,
  { clock, log, sharing, installation, ended }: JoinOnceParts,
): Promise<Omit<Shared, 'release'> | undefined> {
  let failure: unknown;
  const keeper = server.join?.(own, {
    clock,
    ended,
    failed: (error) => {
      failure = error;
      log?.warn({ reason: reasonOf(server, error) }, 'the database has not answered a heartbeat');
    },
    takingFailed: (error) =>
      log?.warn({ reason: messageOf(error) }, 'the database could not be taken over yet; it is tried again and again'),
    waitsForOlder: ({ steps, processes }) =>
      log?.warn(
        { steps, processes: processes.map(({ name, version }) => `${name} (${version})`) },
        'this process waits: it would change the database so that processes of an earlier version can’t read it; end those, one after another, and it begins when the last one has ended',
      ),
    connectionsLeft: (reason) =>
      log?.warn(
        { reason },
        'connections of the process before stay open: a lock of theirs is waited for, half a minute at most; let the role end them by pg_terminate_backend',
      ),
    clockIsOff: (aheadMs) =>
      log?.error(
        { aheadMs: Math.round(aheadMs) },
        'the clock of this machine differs from that of the database: set it right; with more than 30 s this process acts for no account',
      ),
  });
  if (keeper === undefined) return undefined;
  try {
    const untilUnfit = (signal: AbortSignal): Promise<void> => watchOver(server, { installation, log }, signal);
    await firstAnswer(server, { keeper, failure: () => failure, log });
    return { hold: await taken(server, { keeper, untilUnfit }, sharing), keeper };
  } catch (error) {
    // The first failure is the one that counts.
    await keeper.release().catch(() => undefined);
    if (error instanceof EarlierVersion) return undefined;
    throw error;
  }
}

/**
 * Makes the tables as the first process, before others share them; each process checks that the database is its own.
 */
async function prepareToJoin(server: DatabaseServer, { clock, own, log }: JoinParts): Promise<void> {
  await using(server, (database) => requireUsable(database, own));
  if (await isShared(server)) return;
  const claim = await claimed(server).catch(async (error: unknown) => {
    await stepsHaveEnded(server, log);
    // Another process that started at the same time has made them, and has joined.
    if (!(await isShared(server))) throw error;
  });
  if (claim === undefined) return;
  try {
    await migrated(server, clock);
  } finally {
    await claim.release();
  }
}

/** @throws Error when this process could do nothing with the database */
async function requireUsable(database: Knex, own: InstallationClaim | undefined): Promise<void> {
  if (own !== undefined) await requireOwnInstallation(database, own);
  await pendingMigrations(database, { acceptsAdditive: true });
}

/** @throws Error when this process can never take over, as with a password or keys that were replaced since it started */
function watchOver(
  server: DatabaseServer,
  { installation, log }: { installation: InstallationClaim | undefined; log: Logger | undefined },
  signal: AbortSignal,
): Promise<void> {
  return watchFitness({
    everyMs: FITNESS_LOOK_MS,
    signal,
    // Uses connections of its own, as a takeover would; each statement has a deadline.
    look: async () => {
      const database = server.connect('serve');
      try {
        await requireUsable(database, installation);
      } finally {
        await database.destroy();
      }
    },
    isLasting: (error) =>
      error instanceof NewerDatabase ||
      error instanceof WrongInstallation ||
      server.refusal(error)?.isConfiguration === true,
    failed: (error) =>
      log?.warn(
        { reason: reasonOf(server, error) },
        'this standby could not take over now; it looks again every minute',
      ),
  });
}

/** Returns the remedy, if it is known: the message itself begins with the whole statement. */
const reasonOf = (server: DatabaseServer, error: unknown): string => server.refusal(error)?.message ?? messageOf(error);

const isShared = (server: DatabaseServer): Promise<boolean> =>
  using(server, (database) => database.schema.hasTable('slots'));

async function endedBefore({ stateDirectory }: Sharing, processId: string) {
  return stateDirectory === undefined ? undefined : replaceProcess(stateDirectory, processId);
}

const after = (ms: number): Promise<undefined> => delay(ms, undefined, { ref: false });

interface Asking {
  keeper: SlotKeeper;
  /** Returns why the last heartbeat was not answered. */
  failure(): unknown;
  log: Logger | undefined;
}

/**
 * Waits for the first heartbeat's answer. Steps of the schema, which may take minutes, can keep the table of processes
 * locked.
 * @throws Error when it does not come
 */
async function firstAnswer(server: DatabaseServer, { keeper, failure, log }: Asking): Promise<void> {
  const ends = new AbortController();
  const answer = Promise.race([keeper.seen().then(() => true), keeper.taken]).finally(() => ends.abort());
  for (let leftMs = ANSWER_DEADLINE_MS; leftMs > 0; ) {
    const began = performance.now();
    if ((await Promise.race([answer, after(STEPS_LOOK_MS)])) !== undefined) return;
    leftMs = (await stepsHaveEnded(server, log, ends.signal))
      ? ANSWER_DEADLINE_MS
      : leftMs - (performance.now() - began);
  }
  throw failure() ?? new Error('the database does not answer');
}

interface Waiting {
  keeper: SlotKeeper;
  /** @throws Error when this process can never take over */
  untilUnfit(signal: AbortSignal): Promise<void>;
}

async function taken(server: DatabaseServer, { keeper, untilUnfit }: Waiting, { waits }: Sharing): Promise<Hold> {
  const hold = await Promise.race([keeper.taken, after(waits === undefined ? CLAIM_WAIT.withinMs : STANDBY_AFTER_MS)]);
  if (hold !== undefined) return hold;
  if (waits === undefined) throw await usedByAnother(server);
  waits(keeper);
  const waited = new AbortController();
  const unfit = Promise.withResolvers<never>();
  untilUnfit(waited.signal).catch(unfit.reject);
  try {
    return await Promise.race([keeper.taken, unfit.promise]);
  } catch (error) {
    // Others use this keeper by now: the next run of the program starts afresh.
    throw error instanceof EarlierVersion ? await usedByAnother(server) : error;
  } finally {
    waited.abort();
  }
}
