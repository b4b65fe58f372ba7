import type { Knex } from 'knex';
import { DAY_MS } from '../../domain/limits.ts';
import type { Fence } from '../../ports/claims.ts';
import { databaseClock } from './database-clock.ts';
import { DEAD_AFTER_MS } from './observation.ts';
import { lockSlot } from './slot-lock.ts';

/** The only slot: everything that one process does for all accounts. */
export const SLOT = 0;

/** A statement of a heartbeat that is not answered in this time has failed: the next one is sent on a connection of its own. */
export const BEAT_DEADLINE_MS = 3_000;
/** Rows of processes that ended without a word. */
const FORGET_AFTER_MS = DAY_MS;

/** What a process writes of itself. */
export interface OwnRow {
  processId: string;
  /** The process and its machine, for people. */
  name: string;
  version: string;
}

/** The slot at one moment. */
export interface Slot {
  /** Undefined while no process has it. */
  holder: { processId: string; name: string | undefined; seenAt: number | undefined } | undefined;
  fence: number;
  /** By the database's clock, as `databaseNow`. */
  takenAt: number;
  databaseNow: number;
}

interface SlotRow {
  process_id: string | null;
  fence: number;
  taken_at: number;
  name: string | null;
  seen_at: number | null;
  now: number;
}

/** A pool gives rows of a raw statement in the form of its driver. */
const rowsOf = <Row>(result: unknown): Row[] =>
  Array.isArray(result) ? (result as Row[]) : (result as { rows: Row[] }).rows;

/** Says that this process lives; it cannot count as dead for the next nine seconds. @param clockAheadMs of its own clock */
export async function beat(database: Knex, own: OwnRow, clockAheadMs: number): Promise<void> {
  const now = databaseClock(database);
  await database
    .raw(
      `INSERT INTO processes (process_id, name, version, started_at, seen_at, clock_ahead_ms)
       VALUES (?, ?, ?, ${now}, ${now}, ?)
       ON CONFLICT (process_id) DO UPDATE SET seen_at = ${now}, clock_ahead_ms = excluded.clock_ahead_ms`,
      [own.processId, own.name, own.version, Math.round(clockAheadMs)],
    )
    .options({ query_timeout: BEAT_DEADLINE_MS });
}

/** Call it after the heartbeat, as a statement of its own: one that waited for a lock would see what was before. */
export async function readSlot(database: Knex): Promise<Slot> {
  const result: unknown = await database
    .raw(
      `SELECT slots.process_id, slots.fence, slots.taken_at, processes.name, processes.seen_at, ${databaseClock(database)} AS now
       FROM slots LEFT JOIN processes ON processes.process_id = slots.process_id WHERE slots.slot = ?`,
      [SLOT],
    )
    .options({ query_timeout: BEAT_DEADLINE_MS });
  const [row] = rowsOf<SlotRow>(result);
  if (row === undefined) throw new Error('slots: expected row 0, which the migration makes, found none');
  const { process_id: processId, name, seen_at: seenAt } = row;
  return {
    holder:
      processId === null
        ? undefined
        : { processId, name: name ?? undefined, seenAt: seenAt === null ? undefined : Number(seenAt) },
    fence: Number(row.fence),
    takenAt: Number(row.taken_at),
    databaseNow: Number(row.now),
  };
}

/**
 * Takes the slot from the one that had it, if that is still so and it is still silent, or has ended; undefined if not.
 * The row of the silent one is locked first: a heartbeat that comes meanwhile waits, and then finds the slot taken.
 */
export function takeSlot(
  database: Knex,
  own: OwnRow,
  seen: Slot,
  { isEnded = false } = {},
): Promise<Fence | undefined> {
  const { processId } = own;
  return database.transaction(async (transaction) => {
    await lockSlot(transaction);
    const before = seen.holder?.processId;
    if (before !== undefined) {
      await transaction('processes').where('process_id', before).forUpdate().first('process_id');
      const slot = await readSlot(transaction);
      if (!isEnded && isFresh(slot, seen)) return undefined;
    }
    const taken = await transaction('slots')
      .where({ slot: SLOT, process_id: before ?? null, fence: seen.fence })
      .update({
        process_id: processId,
        fence: seen.fence + 1,
        taken_at: transaction.raw(databaseClock(transaction)),
      });
    if (taken === 0) return undefined;
    if (before !== undefined) await transaction('processes').where('process_id', before).delete();
    return { processId, fence: seen.fence + 1 };
  });
}

/** Whether the process that has the slot was heard of lately, or since it was seen. */
function isFresh({ holder, databaseNow }: Slot, seen: Slot): boolean {
  const seenAt = holder?.seenAt;
  if (seenAt === undefined || databaseNow - seenAt >= DEAD_AFTER_MS) return false;
  // In the future, and the same as before: the database's clock was set back since.
  return seenAt <= databaseNow || seenAt !== seen.holder?.seenAt;
}

/** Gives the slot back; the next process takes it at once. Nothing may be written under it any more. */
export async function releaseSlot(database: Knex, { processId, fence }: Fence): Promise<void> {
  await database('slots').where({ slot: SLOT, process_id: processId, fence }).update({ process_id: null });
}

/** The process ends; also forgets those that ended long ago without a word. */
export async function leave(database: Knex, processId: string): Promise<void> {
  await database('processes')
    .where('process_id', processId)
    .orWhere('seen_at', '<', database.raw(`${databaseClock(database)} - ${FORGET_AFTER_MS}`))
    .delete();
}
