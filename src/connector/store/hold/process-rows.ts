import type { Knex } from 'knex';
import { DAY_MS } from '../../domain/limits.ts';
import { rowsOf } from '../dialect.ts';
import { databaseClock } from './database-clock.ts';
import { DEAD_AFTER_MS } from './observation.ts';

/** The only slot: its holder does all work for all accounts. */
export const SLOT = 0;

/** Deadline of a heartbeat's statement; after a failure the next one is sent on a connection of its own. */
export const BEAT_DEADLINE_MS = 3_000;
/** Age at which rows of crashed processes are deleted. */
const FORGET_AFTER_MS = DAY_MS;

/** Identity of a process, as it writes it. */
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
  /** Whether another live process waits for the slot. */
  isAwaited: boolean;
  fence: number;
  /** Time by the database's clock, as `databaseNow`. */
  takenAt: number;
  databaseNow: number;
}

interface SlotRow {
  process_id: string | null;
  fence: number;
  taken_at: number;
  name: string | null;
  seen_at: number | null;
  others: number;
  now: number;
}

/**
 * Sends a heartbeat: this process cannot count as dead for the next nine seconds.
 * @param clockAheadMs of its own clock
 */
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

/**
 * Reads the slot. Call it after the heartbeat, as a statement of its own: one that waited for a lock would see the
 * state from before.
 */
export async function readSlot(database: Knex): Promise<Slot> {
  const now = databaseClock(database);
  const result: unknown = await database
    .raw(
      `SELECT slots.process_id, slots.fence, slots.taken_at, processes.name, processes.seen_at, ${now} AS now,
         (SELECT count(*) FROM processes AS other
          WHERE other.process_id <> coalesce(slots.process_id, '') AND abs(other.seen_at - ${now}) < ${DEAD_AFTER_MS}) AS others
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
    isAwaited: Number(row.others) > 0,
    fence: Number(row.fence),
    takenAt: Number(row.taken_at),
    databaseNow: Number(row.now),
  };
}

/**
 * Releases the slot, if the process has it, so that the next one takes it at once, and deletes the process's row, which
 * frees its account slots. Selects by the process alone, because the answer with the fence may have been lost. Also
 * deletes rows of processes that crashed long ago.
 */
export async function leave(database: Knex, processId: string): Promise<void> {
  const inTime = { query_timeout: BEAT_DEADLINE_MS };
  await database('slots').where({ slot: SLOT, process_id: processId }).update({ process_id: null }).options(inTime);
  await database('processes')
    .where('process_id', processId)
    .orWhereRaw(...longAgo(database))
    .delete()
    .options(inTime);
}

/** Deletes the row of a process that has ended, which frees its account slots. */
export async function forget(database: Knex, processId: string): Promise<void> {
  await database('processes').where('process_id', processId).delete().options({ query_timeout: BEAT_DEADLINE_MS });
}

/** Deletes at most `limit` rows of processes that crashed long ago, and returns how many. */
export function removeSilent(database: Knex, limit: number): Promise<number> {
  const silent = database('processes')
    .whereRaw(...longAgo(database))
    .limit(limit)
    .select('process_id');
  return database('processes').whereIn('process_id', silent).delete();
}

/** Rows dated ahead are from before the database's clock was set back. */
const longAgo = (database: Knex): [string, number[]] => [
  `abs(seen_at - ${databaseClock(database)}) > ?`,
  [FORGET_AFTER_MS],
];
