import type { Knex } from 'knex';
import { LOOKED_AT_FOR_KINDS } from '../domain/limits.ts';
import type { HistoryRange, Place, PlacedEntry } from '../ports/history-store.ts';
import type { Database } from './database.ts';
import { type EntryRow, entryOf } from './entries.ts';
import { readEntries } from './read-entries.ts';

export type PlacedRow = EntryRow & { row: number | string };

/** Returns the order of history: by event time, then by arrival. */
export const newestFirst = (table: string) =>
  [
    { column: `${table}.event_at`, order: 'desc' },
    { column: `${table}.row`, order: 'desc' },
  ] as const;

export const placedEntryOf = (row: PlacedRow): PlacedEntry => ({ ...entryOf(row), row: Number(row.row) });

/** Returns the entries of a query without columns, newest first. */
export async function readNewestFirst(database: Database, query: Knex.QueryBuilder): Promise<PlacedEntry[]> {
  const entries = await readEntries(database, query, newestFirst);
  return entries.map(({ row, entry }) => ({ ...entry, row }));
}

/** Range of history without deleted entries. */
export interface ReadRange extends HistoryRange {
  /** See `Forgotten`. */
  forgottenTo?: number | undefined;
}

/** Restricts a query to the account's entries in the range; it does not look at texts. */
export const inRange = <Q extends Knex.QueryBuilder>(query: Q, accountId: string, range: ReadRange): Q => {
  inTime(query, accountId, range).whereIn('entries.channel', [...range.channels]);
  return query;
};

/** Restricts a query like `inRange`, in all channels. */
export function inTime<Q extends Knex.QueryBuilder>(
  query: Q,
  accountId: string,
  {
    before,
    after,
    since,
    until,
    earlierThan,
    forgottenTo = 0,
  }: Omit<ReadRange, 'channels' | 'limit' | 'phrase' | 'kinds'>,
): Q {
  query.where('entries.account_id', accountId);
  if (forgottenTo > 0) query.where('entries.row', '>', forgottenTo);
  if (since !== undefined) query.where('entries.event_at', '>=', since);
  if (until !== undefined) query.where('entries.event_at', '<=', until);
  if (earlierThan !== undefined) query.where('entries.event_at', '<', earlierThan);
  if (after !== undefined) {
    query.whereRaw('(??, ??) > (?, ?)', ['entries.event_at', 'entries.row', after.eventAt, after.row]);
  }
  if (before !== undefined) {
    query.whereRaw('(??, ??) < (?, ?)', ['entries.event_at', 'entries.row', before.eventAt, before.row]);
  }
  return query;
}

/** Selects the entries of the kinds among the newest of the range. */
export function ofKinds(
  database: Database,
  accountId: string,
  range: ReadRange & { kinds: NonNullable<ReadRange['kinds']> },
): Knex.QueryBuilder {
  const newest = newestOf(database, accountId, range).select('entries.row', 'entries.kind').limit(LOOKED_AT_FOR_KINDS);
  const numbers = database
    .from(newest.as('newest'))
    .whereIn('newest.kind', [...range.kinds])
    // Without ORDER BY: the rows keep their order, and reading ends with the last wanted one.
    .limit(range.limit)
    .select('newest.row');
  return database('entries').whereIn('entries.row', numbers);
}

/** Returns the place of the last of the newest entries of the range; undefined if there are fewer. */
export async function lastOfNewest(
  database: Database,
  accountId: string,
  range: ReadRange,
): Promise<Place | undefined> {
  const row: { event_at: number | string; row: number | string } | undefined = await newestOf(
    database,
    accountId,
    range,
  )
    .offset(LOOKED_AT_FOR_KINDS - 1)
    .first('entries.event_at', 'entries.row');
  return row === undefined ? undefined : { eventAt: Number(row.event_at), row: Number(row.row) };
}

const newestOf = (database: Database, accountId: string, range: ReadRange): Knex.QueryBuilder =>
  inRange(database('entries'), accountId, range).orderBy([...newestFirst('entries')]);
