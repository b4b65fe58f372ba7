import type { Knex } from 'knex';
import type { Entry, EntryKind, GapReason, TimestampSource } from '../domain/entry.ts';
import type { Database } from './database.ts';
import { dialectOf } from './dialect.ts';
import { ENTRY_COLUMNS } from './entries.ts';

/** An entry with its number in the order of arrival. */
export interface NumberedEntry {
  row: number;
  entry: Entry;
}

/** Order of a table's rows. */
type Order = (table: string) => readonly { column: string; order: 'asc' | 'desc' }[];

const COLUMNS = ['entries.row', ...ENTRY_COLUMNS] as const;

/** Values of `COLUMNS`, in their order. */
type Values = [
  row: number,
  entryId: string,
  network: string,
  channel: string,
  kind: EntryKind,
  sender: string,
  text: string,
  target: string | null,
  eventAt: number,
  observedAt: number,
  timestampSource: TimestampSource,
  messageId: string | null,
  gapFrom: number,
  gapTo: number,
  gapReason: GapReason | null,
];

/**
 * Returns the entries of a query without columns, in this order. The database encodes them as one text: passing single
 * values would take a driver longer than all other work for a page of entries.
 */
export async function readEntries(
  database: Database,
  query: Knex.QueryBuilder,
  order: Order,
): Promise<NumberedEntry[]> {
  const found: { entries: string } = await selectEntries(database, query, order).first();
  return entriesIn(found.entries);
}

/** Selects the same as one row, so that other values can be selected beside the text. */
export function selectEntries(database: Database, query: Knex.QueryBuilder, order: Order): Knex.QueryBuilder {
  const found = query.orderBy([...order('entries')]).select(...COLUMNS);
  return database.from(found.as('found')).select(database.raw(`${entriesAsText(database, 'found', order)} AS entries`));
}

/** Decodes the text of `entriesAsText`. */
export const entriesIn = (text: string): NumberedEntry[] => (JSON.parse(text) as Values[]).map(numberedEntryOf);

/** Returns SQL that encodes all rows of a table with the columns of `entries` as one text. */
export function entriesAsText(database: Database, table: string, order: Order): string {
  const columns = COLUMNS.map((column) => column.replace(/^entries/, table)).join(', ');
  const by = order(table).map(({ column, order: direction }) => `${column} ${direction}`);
  return dialectOf(database) === 'sqlite'
    ? `json_group_array(json_array(${columns}) ORDER BY ${by.join(', ')})`
    : `coalesce(json_agg(json_build_array(${columns}) ORDER BY ${by.join(', ')}), '[]')::text`;
}

function numberedEntryOf([
  row,
  entryId,
  network,
  channel,
  kind,
  sender,
  text,
  target,
  eventAt,
  observedAt,
  timestampSource,
  messageId,
  gapFrom,
  gapTo,
  gapReason,
]: Values): NumberedEntry {
  const gap = gapReason === null ? null : { from: gapFrom, to: gapTo, reason: gapReason };
  const times = { eventAt, observedAt, timestampSource };
  return { row, entry: { entryId, network, channel, kind, sender, text, target, ...times, messageId, gap } };
}
