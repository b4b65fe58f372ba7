import { phraseGrams } from '../domain/grams.ts';
import type { HistoryRange, PlacedEntry } from '../ports/history.ts';
import type { Database } from './database.ts';
import { inRange, newestFirst, type PlacedRow, placedEntryOf } from './history-range.ts';
import { textGramsOf } from './text-grams.ts';
import type { BlockRow } from './text-index.ts';

export interface SearchEffort {
  /** The newest entries are looked at one by one: what is said often is found there, sooner than by any index. */
  walkRows: number;
  /** Blocks looked into before it is decided whether more are needed. */
  blocks: number;
}

const USUAL_EFFORT: SearchEffort = { walkRows: 2_000, blocks: 64 };
/** So many times further it is walked, where that will fill the page: what is said now and then is in many blocks. */
const WALK_GROWTH = 5;
/** Each time more are needed, so many times as before. */
const BLOCKS_GROWTH = 4;
/** A statement has only so many values. */
const BLOCKS_MAX = 4_096;

export type PhraseRange = HistoryRange & { phrase: string };

/** Entries with the phrase, newest first: among the newest, then in the blocks that may have it and in what no block has yet. */
export async function searchNewestFirst(
  database: Database,
  accountId: string,
  range: PhraseRange,
  { walkRows, blocks: blocksFirst }: SearchEffort = USUAL_EFFORT,
): Promise<PlacedEntry[]> {
  let walked = await walk(database, accountId, range, walkRows);
  const isNear = walked.length < range.limit && walked.length * WALK_GROWTH >= range.limit;
  if (isNear) walked = await walk(database, accountId, range, walkRows * WALK_GROWTH);
  if (walked.length === range.limit) return walked.map(placedEntryOf);
  const found = new Map<number, PlacedRow>();
  const keep = (rows: readonly PlacedRow[]): void => {
    for (const row of rows) found.set(Number(row.row), row);
  };
  // The rest before the blocks: an entry that changes sides meanwhile is then found twice and not never.
  keep(await searchUnindexed(database, accountId, range));
  for (let [offset, count] = [0, blocksFirst]; ; offset += count, count = Math.min(count * BLOCKS_GROWTH, BLOCKS_MAX)) {
    const blocks = await candidates(database, accountId, range, { offset, count: count + 1 });
    const next = blocks[count];
    keep(await searchBlocks(database, accountId, range, blocks.slice(0, count)));
    const best = [...found.values()].sort(byPlace).slice(0, range.limit);
    const last = best[range.limit - 1];
    const isComplete = last !== undefined && next !== undefined && Number(last.event_at) > Number(next.newest_at);
    if (next === undefined || isComplete) return best.map(placedEntryOf);
  }
}

const byPlace = (a: PlacedRow, b: PlacedRow): number =>
  Number(b.event_at) - Number(a.event_at) || Number(b.row) - Number(a.row);

async function walk(database: Database, accountId: string, range: PhraseRange, rows: number): Promise<PlacedRow[]> {
  const newest = inRange(database('entries'), accountId, range).orderBy(newestFirst('entries')).limit(rows);
  const found = await database
    .from(newest.as('newest'))
    .whereRaw(...hasPhrase('newest', range.phrase))
    // Asked for an order, the database would look at all of them first; it keeps the one they come in.
    .limit(range.limit)
    .select<PlacedRow[]>('*');
  return found.sort(byPlace);
}

/** Channel by channel, so that none of them is looked at from its beginning. */
async function searchUnindexed(database: Database, accountId: string, range: PhraseRange): Promise<PlacedRow[]> {
  const marks: { channel: string; indexed_row: number }[] = await database('text_marks')
    .where('account_id', accountId)
    .whereIn('channel', [...range.channels]);
  const rests = range.channels.map((channel): PromiseLike<PlacedRow[]> => {
    const mark = marks.find((row) => row.channel === channel)?.indexed_row ?? 0;
    return inRange(database('entries'), accountId, { ...range, channels: [channel] })
      .where('entries.row', '>', mark)
      .whereRaw(...hasPhrase('entries', range.phrase))
      .orderByRaw(NO_INDEX_ORDER)
      .limit(range.limit);
  });
  return (await Promise.all(rests)).flat();
}

/** Blocks that have all grams of the phrase, those with the newest entries first. */
async function candidates(
  database: Database,
  accountId: string,
  { channels, before, since, phrase }: PhraseRange,
  { offset, count }: { offset: number; count: number },
): Promise<BlockRow[]> {
  const { sql, binding } = textGramsOf(database).condition(phraseGrams(phrase));
  const query = database('text_grams')
    // In this order, whatever the planner thinks: few blocks have the grams, and many are the account's.
    .joinRaw('CROSS JOIN text_blocks')
    .whereRaw('text_blocks.block = text_grams.rowid')
    .whereRaw(sql, [binding])
    .where('account_id', accountId)
    .whereIn('channel', [...channels])
    .orderBy([
      { column: 'newest_at', order: 'desc' },
      { column: 'block', order: 'desc' },
    ])
    .offset(offset)
    .limit(count)
    .select<BlockRow[]>('text_blocks.*');
  if (since !== undefined) query.where('newest_at', '>=', since);
  if (before !== undefined) query.where('oldest_at', '<=', before.eventAt);
  return query;
}

async function searchBlocks(
  database: Database,
  accountId: string,
  range: PhraseRange,
  blocks: readonly BlockRow[],
): Promise<PlacedRow[]> {
  if (blocks.length === 0) return [];
  const rows = database('text_blocks')
    .joinRaw('CROSS JOIN entries')
    .whereIn(
      'text_blocks.block',
      blocks.map(({ block }) => block),
    )
    .whereRaw('entries.channel = text_blocks.channel')
    .whereRaw('entries.?? BETWEEN first_row AND last_row', ['row'])
    .whereRaw(...hasPhrase('entries', range.phrase))
    .orderByRaw(NO_INDEX_ORDER)
    .limit(range.limit)
    .select<PlacedRow[]>('entries.*');
  return inRange(rows, accountId, range);
}

/** An index in this order would lead through all of the channel's entries. */
const NO_INDEX_ORDER = 'entries.event_at + 0 DESC, entries.row + 0 DESC';

/** Both databases compare folded texts alike; the characters that mean something to LIKE stand for themselves. */
const hasPhrase = (table: string, phrase: string): [sql: string, bindings: string[]] => [
  `${table}.text_folded LIKE ? ESCAPE '\\'`,
  [`%${phrase.replace(/[\\%_]/g, '\\$&')}%`],
];
