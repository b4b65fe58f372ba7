import type { Knex } from 'knex';
import { DAY_MS } from '../../domain/limits.ts';
import { rowsOf } from '../dialect.ts';
import { breakingSteps } from '../migrate.ts';
import { databaseClock } from './database-clock.ts';
import { DEAD_AFTER_MS } from './observation.ts';

/** The only slot: its holder does all work for all accounts. */
export const SLOT = 0;

/** Deadline of a heartbeat's statement; after a failure the next one is sent on a connection of its own. */
export const BEAT_DEADLINE_MS = 3_000;
/** Age at which rows of processes are deleted that crashed while they waited. */
const FORGET_AFTER_MS = DAY_MS;

/** Identity of a process, as it writes it. */
export interface OwnRow {
  processId: string;
  /** The process and its machine, for people. */
  name: string;
  version: string;
}

/** Process that has the slot. */
export interface Occupant {
  processId: string;
  name: string | undefined;
  seenAt: number | undefined;
  /** Whether its program knows steps of the schema that this one does not know, and can't ignore. */
  isNewer: boolean;
}

/** The slot at one moment. */
export interface Slot {
  /** Undefined while no process has it. */
  holder: Occupant | undefined;
  /** Whether another live process waits for the slot. */
  isAwaited: boolean;
  fence: number;
  /** Number of the schema's newest step; another one means that the schema has changed. */
  steps: number;
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
  steps: number;
  schema: string | null;
  now: number;
}

export interface BeatOptions {
  /** Time since the start of the process. A row that was deleted meanwhile gets the same time of the start again. */
  ageMs?: number;
  /** Whether the table has a column for what the program knows of the schema. */
  hasSchema?: boolean;
}

/**
 * Sends a heartbeat: this process cannot count as dead for the next nine seconds.
 * @param clockAheadMs of its own clock
 */
export async function beat(
  database: Knex,
  own: OwnRow,
  clockAheadMs: number,
  { ageMs = 0, hasSchema = true }: BeatOptions = {},
): Promise<void> {
  const now = databaseClock(database);
  const [column, value, update] = hasSchema ? [', schema', ', ?', ', schema = excluded.schema'] : ['', '', ''];
  const known = hasSchema ? [(await breakingSteps()).at(-1) ?? null] : [];
  await database
    .raw(
      `INSERT INTO processes (process_id, name, version, started_at, seen_at, clock_ahead_ms${column})
       VALUES (?, ?, ?, ${now} - ?, ${now}, ?${value})
       ON CONFLICT (process_id) DO UPDATE SET seen_at = ${now}, clock_ahead_ms = excluded.clock_ahead_ms${update}`,
      [own.processId, own.name, own.version, Math.round(ageMs), Math.round(clockAheadMs), ...known],
    )
    .options({ query_timeout: BEAT_DEADLINE_MS });
}

/** Whether the table of processes has a column for what their programs know of the schema: earlier versions made none. */
export const hasSchemaColumn = (database: Knex): Promise<boolean> => database.schema.hasColumn('processes', 'schema');

/**
 * Reads the slot. Call it after the heartbeat, as a statement of its own: one that waited for a lock would see the
 * state from before.
 * @param hasSchema see `BeatOptions`; without it, no holder counts as newer
 */
export async function readSlot(database: Knex, hasSchema = false): Promise<Slot> {
  const now = databaseClock(database);
  const result: unknown = await database
    .raw(
      `SELECT slots.process_id, slots.fence, slots.taken_at, processes.name, processes.seen_at, ${now} AS now,
         (SELECT count(*) FROM processes AS other
          WHERE other.process_id <> coalesce(slots.process_id, '') AND abs(other.seen_at - ${now}) < ${DEAD_AFTER_MS}) AS others,
         (SELECT max(id) FROM knex_migrations) AS steps, ${hasSchema ? 'processes.schema' : 'NULL AS schema'}
       FROM slots LEFT JOIN processes ON processes.process_id = slots.process_id WHERE slots.slot = ?`,
      [SLOT],
    )
    .options({ query_timeout: BEAT_DEADLINE_MS });
  const [row] = rowsOf<SlotRow>(result);
  if (row === undefined) throw new Error('slots: expected row 0, which the migration makes, found none');
  const { process_id: processId, name, seen_at: seenAt, schema } = row;
  return {
    holder:
      processId === null
        ? undefined
        : {
            processId,
            name: name ?? undefined,
            seenAt: seenAt === null ? undefined : Number(seenAt),
            isNewer: schema !== null && !(await breakingSteps()).includes(schema),
          },
    isAwaited: Number(row.others) > 0,
    fence: Number(row.fence),
    steps: Number(row.steps),
    takenAt: Number(row.taken_at),
    databaseNow: Number(row.now),
  };
}

/**
 * Releases the slot, if the process has it, so that the next one takes it at once, and deletes the process's row, which
 * frees its account slots. Selects by the process alone, because the answer with the fence may have been lost.
 */
export async function leave(database: Knex, processId: string): Promise<void> {
  const inTime = { query_timeout: BEAT_DEADLINE_MS };
  await database('slots').where({ slot: SLOT, process_id: processId }).update({ process_id: null }).options(inTime);
  await forget(database, processId);
}

/** Deletes the row of a process that has ended, which frees its account slots. */
export async function forget(database: Knex, processId: string): Promise<void> {
  await database('processes').where('process_id', processId).delete().options({ query_timeout: BEAT_DEADLINE_MS });
}

/**
 * Deletes at most `limit` rows of processes that crashed long ago, and returns how many. Rows dated ahead are from before
 * the database's clock was set back. A step of that clock makes each process look silent until its next heartbeat, so
 * rows of processes that serve stay: only `bury` deletes those, once it has ended the process's connections.
 */
export function removeSilent(database: Knex, limit: number): Promise<number> {
  const silent = database('processes')
    .whereRaw(`abs(seen_at - ${databaseClock(database)}) > ?`, [FORGET_AFTER_MS])
    .whereNull('reads_since')
    .whereNotExists(database('slots').whereRaw('slots.process_id = processes.process_id'))
    .limit(limit)
    .select('process_id');
  return database('processes').whereIn('process_id', silent).delete();
}
