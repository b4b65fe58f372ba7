import type { Knex } from 'knex';
import type { HistoryRange, PlacedEntry } from '../ports/history.ts';
import { ENTRY_COLUMNS, type EntryRow, entryOf } from './entries.ts';

export type PlacedRow = EntryRow & { row: number | string };

export const PLACED_COLUMNS = ['entries.row', ...ENTRY_COLUMNS] as const;

/** History is in the order of event times, and then of arrival. */
export const newestFirst = (table: string) => [
  { column: `${table}.event_at`, order: 'desc' },
  { column: `${table}.row`, order: 'desc' },
];

export const placedEntryOf = (row: PlacedRow): PlacedEntry => ({ ...entryOf(row), row: Number(row.row) });

/** Leaves the entries of the account that lie in the range, whatever their texts. */
export function inRange<Q extends Knex.QueryBuilder>(
  query: Q,
  accountId: string,
  { channels, before, since }: HistoryRange,
): Q {
  query.where('entries.account_id', accountId).whereIn('entries.channel', [...channels]);
  if (since !== undefined) query.where('entries.event_at', '>=', since);
  if (before !== undefined) {
    query.whereRaw('(??, ??) < (?, ?)', ['entries.event_at', 'entries.row', before.eventAt, before.row]);
  }
  return query;
}
