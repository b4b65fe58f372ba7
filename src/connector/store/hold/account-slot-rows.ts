import type { Knex } from 'knex';
import type { Fence } from '../../ports/claims.ts';
import { owePasswords } from '../owed-passwords.ts';
import { CLOCK_OFF_MS } from './clock-difference.ts';
import { databaseClock } from './database-clock.ts';
import { DEAD_AFTER_MS } from './observation.ts';
import { BEAT_DEADLINE_MS, type OwnRow, SLOT } from './process-rows.ts';
import { hasLockNow, lockProcess, lockSlotInTime, shareProcess, shareSlotInTime } from './slot-lock.ts';

/** Longest silence of a process that gets account slots: it sends a heartbeat every two seconds. */
const FRESH_MS = 5_000;

const inTime = { query_timeout: BEAT_DEADLINE_MS };

/** A process, and its account slots. */
export interface Share {
  processId: string;
  name: string | undefined;
  accountSlots: readonly number[];
}

/** Account slots at one moment. */
export interface AccountSlotsSeen {
  /** Those of this process. */
  own: readonly number[];
  /** Whether some belong to no process that may write. */
  hasFree: boolean;
  /** This process and all that are fit to get some, sorted by id. */
  shares: readonly Share[];
  /** Whether this process is recorded as one that gets no more. */
  declines: boolean;
}

/** How a process proves that it may write: by the slot, or by its entry as one that serves beside it. */
export type OwnRight = { fence: Fence } | { readsSince: number };

/**
 * Returns a condition for processes that may get account slots: they are heard, their clocks are right, they want some,
 * and they have the slot, or have been entered for so long that they serve.
 */
const isFit = (database: Knex): string => {
  const now = databaseClock(database);
  return `abs(processes.seen_at - ${now}) < ${FRESH_MS} AND abs(processes.clock_ahead_ms) <= ${CLOCK_OFF_MS}
    AND processes.declines_since IS NULL
    AND (abs(${now} - processes.reads_since) >= ${DEAD_AFTER_MS}
      OR EXISTS (SELECT 1 FROM slots WHERE slots.slot = ${SLOT} AND slots.process_id = processes.process_id))`;
};

/**
 * Condition for account slots that belong to no process that may write: neither the one that has the slot, which asks,
 * nor one that is entered. The rows of processes are read once and not for each slot: a backup, or another long transaction,
 * keeps the old versions of all, of which each heartbeat leaves one.
 */
const IS_FREE = `(account_slots.process_id IS NULL OR account_slots.process_id NOT IN (
  SELECT processes.process_id FROM processes WHERE processes.reads_since IS NOT NULL))`;

/** Whether the database has account slots: one of an earlier version has none. */
const hasAccountSlots = (database: Knex): Promise<boolean> => database.schema.hasTable('account_slots');

/** Reads which account slots this process has, and who could get some. */
export async function readAccountSlots(database: Knex, { processId }: OwnRow): Promise<AccountSlotsSeen> {
  const rows: { slot: number; process_id: string | null; is_free: boolean | number }[] = await database('account_slots')
    .select('slot', 'process_id', database.raw(`${IS_FREE} AS is_free`))
    .options(inTime);
  const processes: { process_id: string; name: string; declines_since: number | string | null }[] = await database(
    'processes',
  )
    .whereRaw(`(processes.process_id = ? OR (${isFit(database)}))`, [processId])
    .orderBy('process_id')
    .select('process_id', 'name', 'declines_since')
    .options(inTime);
  const own = rows.filter((row) => row.process_id === processId).map(({ slot }) => slot);
  return {
    own: own.sort((one, other) => one - other),
    hasFree: rows.some((row) => row.process_id !== processId && Boolean(row.is_free)),
    shares: processes.map(({ process_id: id, name }) => ({
      processId: id,
      name,
      accountSlots: rows.filter((row) => row.process_id === id).map(({ slot }) => slot),
    })),
    declines: processes.some((each) => each.process_id === processId && each.declines_since !== null),
  };
}

/**
 * Reads the same after a transaction of this process that moved an account slot has ended, whose answer was lost.
 * @throws Error while it has not ended
 */
export function readAccountSlotsAfter(database: Knex, own: OwnRow): Promise<AccountSlotsSeen> {
  return database.transaction(async (transaction) => {
    await shareProcess(transaction, own.processId);
    return readAccountSlots(transaction, own);
  });
}

/**
 * Takes the free account slots for the process that has the slot.
 * @throws Error when it has the slot no more, or a former owner's transaction has not ended in time
 */
export function adoptAccountSlots(database: Knex, fence: Fence): Promise<void> {
  return database.transaction(async (transaction) => {
    await shareSlotInTime(transaction);
    await requireSlot(transaction, fence);
    await takeFree(transaction, fence.processId, (owner) => lockProcess(transaction, owner).then(() => true));
  });
}

/**
 * Takes the account slots of the process from which the slot is taken, and the free ones, in the transaction that takes
 * it. Those whose former owner still has a transaction under way are left free.
 * @param dead its lock is taken
 * @param owes whether it may have written lines that the accounts do not know of
 */
export async function succeedInAccountSlots(
  transaction: Knex,
  processId: string,
  { dead, owes }: { dead: string | undefined; owes: boolean },
): Promise<void> {
  if (!(await hasAccountSlots(transaction))) return owes ? owePasswords(transaction) : undefined;
  if (owes) await owePasswords(transaction, await slotsOf(transaction, [null, dead ?? null]));
  if (dead !== undefined) await moveAll(transaction, dead, processId);
  await takeFree(transaction, processId, (owner) => hasLockNow(transaction, owner));
}

/** @param mayTake takes the lock of a former owner */
async function takeFree(
  transaction: Knex,
  processId: string,
  mayTake: (owner: string) => Promise<boolean>,
): Promise<void> {
  const owners: (string | null)[] = await transaction('account_slots')
    .whereRaw(IS_FREE)
    .distinct('process_id')
    .pluck('process_id');
  for (const owner of owners.toSorted()) {
    if (owner !== processId && (owner === null || (await mayTake(owner)))) {
      await moveAll(transaction, owner, processId);
    }
  }
}

async function moveAll(transaction: Knex, from: string | null, to: string): Promise<number> {
  return transaction('account_slots')
    .where('process_id', from)
    .update({ process_id: to, taken_at: transaction.raw(databaseClock(transaction)) });
}

const slotsOf = async (transaction: Knex, owners: readonly (string | null)[]): Promise<number[]> => {
  const rows: { slot: number; process_id: string | null }[] = await transaction('account_slots').select(
    'slot',
    'process_id',
  );
  return rows.filter((row) => owners.includes(row.process_id)).map(({ slot }) => slot);
};

/**
 * Ends a dead process that serves without the slot, unless it has sent a heartbeat since it was seen: the process that
 * has the slot takes its account slots, and its row is deleted. Then it can store nothing before it is entered anew.
 * @param hasConnections whether it has connections that may not be ended. They may read, so its row stays; its entry is
 * changed, so that its transactions are refused
 * @returns whether its row is deleted
 */
export function buryReader(
  database: Knex,
  dead: { processId: string; seenAt: number },
  { fence, hasConnections }: { fence: Fence; hasConnections: boolean },
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await shareSlotInTime(transaction);
    await requireSlot(transaction, fence);
    // Of an account slot that it has, a transaction may be under way.
    await lockProcess(transaction, dead.processId);
    const row = () =>
      transaction('processes').where({ process_id: dead.processId, seen_at: dead.seenAt }).whereNotNull('reads_since');
    if ((await row().forUpdate().first('process_id')) === undefined) return false;
    await owePasswords(transaction, await slotsOf(transaction, [dead.processId]));
    const moved = await moveAll(transaction, dead.processId, fence.processId);
    if (!hasConnections) return (await row().delete()) > 0;
    if (moved > 0) {
      const later = transaction.raw(`reads_since + 1 + abs(${databaseClock(transaction)} - reads_since)`);
      await row().update({ reads_since: later });
    }
    return false;
  });
}

/**
 * Gives an account slot to another process, when no transaction of this one is under way, and none that it doubts.
 * @param stored called before the commit, whose answer may get lost
 * @returns false if this process does not have it, or the other one is not fit to get it
 */
export function giveAccountSlot(
  database: Knex,
  { processId, slot, to }: { processId: string; slot: number; to: string },
  right: OwnRight,
  stored: () => void,
): Promise<boolean> {
  return database.transaction(async (transaction) => {
    if ('fence' in right) {
      await lockSlotInTime(transaction);
      await requireSlot(transaction, right.fence);
    }
    await lockProcess(transaction, processId);
    if ('readsSince' in right && (await entryOf(transaction, processId)) !== right.readsSince) return false;
    // Its row can't be deleted meanwhile, as when it counts as dead.
    const receiver = await transaction('processes')
      .where('process_id', to)
      .whereRaw(isFit(transaction))
      .forKeyShare()
      .first('process_id');
    if (receiver === undefined) return false;
    const given = await transaction('account_slots')
      .where({ slot, process_id: processId })
      .update({ process_id: to, taken_at: transaction.raw(databaseClock(transaction)) });
    if (given > 0) stored();
    return given > 0;
  });
}

/** Records whether the process gets no more account slots. */
export async function declineAccountSlots(database: Knex, processId: string, declines: boolean): Promise<void> {
  const since = declines ? database.raw(`coalesce(declines_since, ${databaseClock(database)})`) : null;
  await database('processes').where('process_id', processId).update({ declines_since: since }).options(inTime);
}

/** Returns since when the process is entered as one that serves without the slot; undefined if it is not. */
export async function entryOf(database: Knex, processId: string): Promise<number | undefined> {
  const row: { reads_since: number | string | null } | undefined = await database('processes')
    .where('process_id', processId)
    .first('reads_since');
  return row === undefined || row.reads_since === null ? undefined : Number(row.reads_since);
}

/** @throws Error unless the process still has the slot */
async function requireSlot(transaction: Knex, { processId, fence }: Fence): Promise<void> {
  const row: unknown = await transaction('slots').where({ slot: SLOT, process_id: processId, fence }).first('slot');
  if (row === undefined) throw new Error('another process has taken the database');
}
