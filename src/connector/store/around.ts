import type { Knex } from 'knex';
import type { EntriesAround, PlacedEntry } from '../ports/history-store.ts';
import type { Database } from './database.ts';
import { ENTRY_COLUMNS } from './entries.ts';
import { inRange, type PlacedRow, placedEntryOf } from './history-range.ts';

/** Kinds of entries that are part of the conversation: joins and parts say little about it. */
const SAID = ['message', 'action'] as const;
/** Most entries that are examined on each side: where people only join and part, it would be the whole channel. */
const NEAR_ROWS = 100;

const COLUMNS = ['entries.row', ...ENTRY_COLUMNS] as const;
const NAMES = COLUMNS.map((column) => column.replace('entries.', 'near.'));

interface Around {
  count: number;
  forgottenTo: number;
}

/**
 * Returns the messages right before and after each of these entries in its channel, by the entries' `row`, with one
 * statement.
 */
export async function readAround(
  database: Database,
  accountId: string,
  entries: readonly PlacedEntry[],
  { count, forgottenTo }: Around,
): Promise<Map<number, EntriesAround>> {
  const around = new Map(entries.map(({ row }) => [row, { before: [], after: [] } as EntriesAround]));
  const sides = entries.flatMap((entry) => [
    side(database, accountId, entry, { count, forgottenTo, isBefore: true }),
    side(database, accountId, entry, { count, forgottenTo, isBefore: false }),
  ]);
  const [first, ...others] = sides;
  if (first === undefined) return around;
  const rows: (PlacedRow & { around: number | string; is_before: number })[] = await first.unionAll(others);
  for (const row of rows) {
    const found = around.get(Number(row.around));
    (row.is_before === 1 ? found?.before : found?.after)?.push(placedEntryOf(row));
  }
  for (const { before, after } of around.values()) for (const found of [before, after]) found.sort(byPlace);
  return around;
}

function side(
  database: Database,
  accountId: string,
  { row, eventAt, channel }: PlacedEntry,
  { count, forgottenTo, isBefore }: Around & { isBefore: boolean },
): Knex.QueryBuilder {
  const place = { eventAt, row };
  const range = {
    channels: [channel],
    limit: NEAR_ROWS,
    forgottenTo,
    ...(isBefore ? { before: place } : { after: place }),
  };
  const order = isBefore ? 'desc' : 'asc';
  const near = inRange(database('entries'), accountId, range)
    .orderBy([
      { column: 'entries.event_at', order },
      { column: 'entries.row', order },
    ])
    .limit(NEAR_ROWS)
    .select(...COLUMNS);
  const said = database
    .from(near.as('near'))
    .whereIn('near.kind', [...SAID])
    .orderBy([
      { column: 'near.event_at', order },
      { column: 'near.row', order },
    ])
    .limit(count)
    .select(
      ...NAMES,
      database.raw('CAST(? AS bigint) AS around', [row]),
      database.raw(`${isBefore ? 1 : 0} AS is_before`),
    );
  return database.from(said.as('said')).select('said.*');
}

const byPlace = (a: PlacedEntry, b: PlacedEntry): number => a.eventAt - b.eventAt || a.row - b.row;
