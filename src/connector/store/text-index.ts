import { channelGram, gramsOf } from '../domain/grams.ts';
import type { IndexBacklog, TextIndexStore } from '../ports/store.ts';
import { channelsWithEntries } from './channels-with-entries.ts';
import type { Database } from './database.ts';
import { arrivalLock, lock, noteGrowth } from './dialect.ts';
import { type TextGrams, textGramsOf } from './text-grams.ts';

/** Entries of one block; a search reads all of them when the block may match. Smaller blocks need more room for grams. */
export const BLOCK_ROWS = 16;
/** Most blocks made in one transaction: few, so that others need not wait long. */
const BLOCKS_AT_ONCE = 64;
/** Most entries counted by one statement: even a slow disk reads them in a fraction of its deadline. */
const COUNT_STEP_ROWS = 10_000;
/** Tables that a search joins. Their statistics are renewed each time they have doubled. */
const SEARCHED_TABLES = ['entries', 'text_blocks', 'text_grams', 'text_marks'];
const FIRST_GROWTH_ENTRIES = 2_000;

interface IndexedRow {
  row: number;
  event_at: number;
  text_folded: string;
}

export interface BlockRow {
  block: number;
  channel: string;
  first_row: number;
  last_row: number;
  oldest_at: number;
  newest_at: number;
}

/**
 * Creates the index of texts. Neighbouring entries of a channel share a block; a search finds blocks by the grams they
 * share with the phrase.
 */
export function createTextIndexStore(database: Database, readers: Database): TextIndexStore {
  const grams = textGramsOf(database);
  let extendedBy = 0;
  let nextGrowth = FIRST_GROWTH_ENTRIES;
  return {
    backlog: async (accountId) => {
      const backlog: IndexBacklog[] = [];
      for (const channel of await channelsWithEntries(readers, accountId)) {
        backlog.push({ accountId, channel, entryCount: await countUnindexed(readers, accountId, channel) });
      }
      return backlog;
    },
    extend: async (accountId, channel) => {
      const count = await database.transaction((transaction) => extend(transaction, grams, accountId, channel));
      extendedBy += count;
      if (extendedBy >= nextGrowth) {
        nextGrowth = 2 * extendedBy;
        await noteGrowth(database, SEARCHED_TABLES);
      }
      return count;
    },
  };
}

async function countUnindexed(database: Database, accountId: string, channel: string): Promise<number> {
  const key = { account_id: accountId, channel };
  const mark: { indexed_row: number } | undefined = await database('text_marks').where(key).first('indexed_row');
  let entryCount = 0;
  for (let after = Number(mark?.indexed_row ?? 0); ; ) {
    const step = database('entries')
      .where(key)
      .where('row', '>', after)
      .orderBy('row')
      .limit(COUNT_STEP_ROWS)
      .select('row');
    const counted: { entries: number; last: number | null } = await database
      .from(step.as('step'))
      .count('* as entries')
      .max('row as last')
      .first();
    entryCount += Number(counted.entries);
    if (Number(counted.entries) < COUNT_STEP_ROWS) return entryCount;
    after = Number(counted.last);
  }
}

/** Makes full blocks only; the few remaining entries are searched without the index. */
async function extend(database: Database, grams: TextGrams, accountId: string, channel: string): Promise<number> {
  // Lock: an entry with a number that is not visible yet would never be indexed.
  await lock(database, arrivalLock(accountId));
  const key = { account_id: accountId, channel };
  const mark: { indexed_row: number } | undefined = await database('text_marks').where(key).first('indexed_row');
  const rows: IndexedRow[] = await database('entries')
    .where(key)
    .where('row', '>', Number(mark?.indexed_row ?? 0))
    .orderBy('row')
    .limit(BLOCK_ROWS * BLOCKS_AT_ONCE)
    .select('row', 'event_at', 'text_folded');
  const blockCount = Math.floor(rows.length / BLOCK_ROWS);
  const parts = Array.from({ length: blockCount }, (_, at) => rows.slice(at * BLOCK_ROWS, (at + 1) * BLOCK_ROWS));
  const last = rows[blockCount * BLOCK_ROWS - 1];
  if (last === undefined) return 0;
  const inserted: { block: number; first_row: number }[] = await database('text_blocks')
    .insert(parts.map((part) => ({ ...key, ...extentOf(part) })))
    .returning(['block', 'first_row']);
  const blockAt = new Map(inserted.map((row) => [Number(row.first_row), Number(row.block)]));
  await grams.put(
    database,
    parts.map((part) => [blockAt.get(Number(part[0]?.row)) ?? 0, gramsOfBlock(accountId, channel, part)]),
  );
  await database('text_marks')
    .insert({ ...key, indexed_row: last.row })
    .onConflict(['account_id', 'channel'])
    .merge();
  return blockCount * BLOCK_ROWS;
}

/** Removes pruned entries from the index completely. */
export async function pruneBlocks(
  database: Database,
  accountId: string,
  channel: string,
  pruned: readonly number[],
): Promise<void> {
  const grams = textGramsOf(database);
  const blocks = await blocksAround(database, { accountId, channel }, Math.min(...pruned), Math.max(...pruned));
  const emptied: number[] = [];
  for (const { block, first_row, last_row } of blocks) {
    if (!pruned.some((row) => row >= Number(first_row) && row <= Number(last_row))) continue;
    const left: IndexedRow[] = await database('entries')
      .where({ account_id: accountId, channel })
      .whereBetween('row', [first_row, last_row])
      .select('row', 'event_at', 'text_folded');
    if (left.length === 0) emptied.push(Number(block));
    else await grams.put(database, [[Number(block), gramsOfBlock(accountId, channel, left)]]);
  }
  if (emptied.length === 0) return;
  await grams.remove(database, emptied);
  await database('text_blocks').whereIn('block', emptied).delete();
}

/**
 * Returns exactly the channel's blocks that have rows of this range. Blocks are in order and disjoint, so the first one
 * that ends at or after the range's end is the last: the others need not be read.
 */
function blocksAround(
  database: Database,
  { accountId, channel }: { accountId: string; channel: string },
  first: number,
  last: number,
): Promise<BlockRow[]> {
  const blocks = () => database('text_blocks').where({ account_id: accountId, channel });
  const lastBlock = blocks()
    .where('last_row', '>=', last)
    .select(database.raw('coalesce(min(last_row), ?)', [last]));
  return blocks().where('last_row', '>=', first).where('last_row', '<=', lastBlock).where('first_row', '<=', last);
}

/** Extends the times of a block when one of its entries gets another time. */
export async function widenBlock(
  database: Database,
  { accountId, channel, row, eventAt }: { accountId: string; channel: string; row: number; eventAt: number },
): Promise<void> {
  await database('text_blocks')
    .where({ account_id: accountId, channel })
    .where('last_row', '>=', row)
    .where('first_row', '<=', row)
    .update({
      newest_at: database.raw('CASE WHEN newest_at < ? THEN ? ELSE newest_at END', [eventAt, eventAt]),
      oldest_at: database.raw('CASE WHEN oldest_at > ? THEN ? ELSE oldest_at END', [eventAt, eventAt]),
    });
}

const gramsOfBlock = (accountId: string, channel: string, rows: readonly IndexedRow[]): number[] => [
  channelGram(accountId, channel),
  ...gramsOf(rows.map((row) => row.text_folded)),
];

function extentOf(rows: readonly IndexedRow[]): Omit<BlockRow, 'block' | 'channel'> {
  const times = rows.map((row) => Number(row.event_at));
  return {
    first_row: rows[0]?.row ?? 0,
    last_row: rows.at(-1)?.row ?? 0,
    oldest_at: Math.min(...times),
    newest_at: Math.max(...times),
  };
}
