import type { Knex } from 'knex';
import { databaseClock } from './database-clock.ts';
import { DEAD_AFTER_MS } from './observation.ts';
import { SLOT } from './process-rows.ts';
import { hasSession } from './who-is-there.ts';

/** Most processes of which slots are counted. */
const COUNTED_MAX = 64;

/** A process that serves, or has account slots though it does not, and how many. */
export interface AccountSlotCount {
  /** Undefined if the database knows no such process any more. */
  name: string | undefined;
  slots: number;
  /** Accounts in these slots. */
  accounts: number;
  /** Whether it has sent heartbeats lately, has a session at the server, and serves. */
  isLive: boolean;
  /** Milliseconds since it was entered as one that serves, or infinite if it has the database. */
  servesForMs: number;
  /** Milliseconds for which it has taken no more slots; undefined if it takes some. */
  declinesForMs: number | undefined;
}

/** Account slots of all processes, at one moment. */
export interface AccountSlotCounts {
  processes: AccountSlotCount[];
  /** Milliseconds since a slot has passed from one process to another. */
  unmovedForMs: number;
}

interface CountRow {
  process_id: string | null;
  slots: number | string;
  accounts: number | string;
  taken_at: number | string;
}

interface ProcessRow {
  process_id: string;
  name: string;
  seen_at: number | string;
  reads_since: number | string | null;
  has_database: boolean | number;
  declines_since: number | string | null;
  has_session: boolean | number;
  now: number | string;
}

/** Counts the account slots of each process, without changing them; undefined if the database has none yet. */
export async function countAccountSlots(database: Knex): Promise<AccountSlotCounts | undefined> {
  if (!(await database.schema.hasTable('account_slots'))) return undefined;
  const counts: CountRow[] = await database('account_slots')
    .leftJoin(
      database('accounts').select('slot').count({ accounts: '*' }).groupBy('slot').as('counted'),
      'counted.slot',
      'account_slots.slot',
    )
    .groupBy('process_id')
    .orderBy('process_id')
    .limit(COUNTED_MAX)
    .select('process_id')
    .count({ slots: '*' })
    .sum({ accounts: database.raw('coalesce(counted.accounts, 0)') })
    .max({ taken_at: 'taken_at' });
  const rows: ProcessRow[] = await database('processes')
    .orderBy(['started_at', 'process_id'])
    .select('process_id', 'name', 'seen_at', 'reads_since', 'declines_since', {
      has_database: database.raw(
        `EXISTS (SELECT 1 FROM slots WHERE slots.slot = ${SLOT} AND slots.process_id = processes.process_id)`,
      ),
      has_session: hasSession(database),
      now: database.raw(databaseClock(database)),
    });
  const now = Number(rows[0]?.now ?? 0);
  const known = rows
    .map((row) => ofProcess(row, counts))
    .filter(({ slots, isLive }) => isLive || slots > 0)
    .slice(0, COUNTED_MAX);
  const isKnown = (id: string | null): boolean => rows.some(({ process_id: each }) => each === id);
  const unknown = counts.filter(({ process_id: id }) => !isKnown(id)).map(ofNone);
  const movedAt = Math.max(...counts.map(({ taken_at: takenAt }) => Number(takenAt)));
  return { processes: [...known, ...unknown], unmovedForMs: Math.max(0, now - movedAt) };
}

function ofProcess(row: ProcessRow, counts: readonly CountRow[]): AccountSlotCount {
  const own = counts.find(({ process_id: id }) => id === row.process_id);
  const now = Number(row.now);
  const hasDatabase = Boolean(row.has_database);
  const isHeard = Math.abs(now - Number(row.seen_at)) < DEAD_AFTER_MS;
  return {
    name: row.name,
    slots: Number(own?.slots ?? 0),
    accounts: Number(own?.accounts ?? 0),
    isLive: isHeard && (hasDatabase || row.reads_since !== null) && Boolean(row.has_session),
    servesForMs: hasDatabase ? Number.POSITIVE_INFINITY : now - Number(row.reads_since ?? now),
    declinesForMs: row.declines_since === null ? undefined : Math.max(0, now - Number(row.declines_since)),
  };
}

const ofNone = ({ slots, accounts }: CountRow): AccountSlotCount => ({
  name: undefined,
  slots: Number(slots),
  accounts: Number(accounts),
  isLive: false,
  servesForMs: 0,
  declinesForMs: undefined,
});
