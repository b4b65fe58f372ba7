import type { Knex } from 'knex';
import { channelGram, phraseGrams } from '../domain/grams.ts';
import type { PlacedEntry } from '../ports/history-store.ts';
import type { Database } from './database.ts';
import { hasPhrase, lookUpEach } from './dialect.ts';
import { inRange, inTime, newestFirst, type ReadRange, readNewestFirst } from './history-range.ts';
import { entriesAsText, entriesIn } from './read-entries.ts';
import { textGramsOf } from './text-grams.ts';

export interface SearchEffort {
  /** Newest entries that are read one by one: a frequent phrase is found there faster than by any index. */
  walkRows: number;
  /** Blocks to read before deciding whether more are needed. */
  blocks: number;
}

const WALK_ROWS_MIN = 256;
/** If at least a quarter of the entries contain the phrase, one statement fills the page. */
const WALK_ROWS_PER_ENTRY = 4;
/**
 * Most entries of the account that are read for each wanted entry of the channels. Without a bound, a search of quiet
 * channels would read all of a busy one that it leaves out.
 */
const PASSED_PER_ROW = 4;
/**
 * If at least one in this many entries has the phrase, reading on is faster than the index: most blocks may match, and
 * the index only adds to the work of reading them.
 */
const WALK_ONE_IN = 48;
/** Factor by which a little more is read than the findings suggest: another round is rarely needed then. */
const MARGIN = 1.25;
/** Factor by which a round without findings enlarges the next one. */
const BLOCKS_GROWTH = 4;
/** Largest factor of other rounds, which grow as their findings suggest. */
const BLOCKS_GROWTH_MAX = 16;
/** Fewer blocks would not be worth a statement. */
const BLOCKS_MIN = 32;
/** More blocks would occupy a connection for too long. */
const BLOCKS_MAX = 4_096;

export type PhraseRange = ReadRange & { phrase: string };

/**
 * Returns entries with the phrase, newest first: from the newest entries, then from entries without a block and from
 * blocks that may match.
 */
export async function searchNewestFirst(
  database: Database,
  accountId: string,
  range: PhraseRange,
  { walkRows, blocks: blocksFirst }: SearchEffort = defaultEffort(range.limit),
): Promise<PlacedEntry[]> {
  let walked = await walk(database, accountId, range, walkRows);
  const isFrequent = walked.length > 0 && walked.length * WALK_ONE_IN >= walkRows;
  if (isFrequent && walked.length < range.limit)
    walked = await walk(database, accountId, range, enough(range.limit, walked.length, walkRows));
  if (walked.length === range.limit) return walked;
  const found = new Map<number, PlacedEntry>();
  let best: PlacedEntry[] = [];
  let upTo: number | undefined;
  let read = 0;
  for (let count = blocksFirst; ; ) {
    const since = best[range.limit - 1]?.eventAt ?? range.since;
    const { entries, next } = await searchIndexed(database, accountId, { ...range, since }, { upTo, count });
    for (const entry of entries) found.set(entry.row, entry);
    best = [...found.values()].sort(byPlace).slice(0, range.limit);
    if (next === undefined) return best;
    upTo = next;
    read += count;
    count = nextCount(count, { missing: range.limit - best.length, found: found.size, read });
  }
}

/** Returns the default effort: usually a block that the index finds has the phrase at least once. */
const defaultEffort = (limit: number): SearchEffort => ({
  walkRows: Math.max(WALK_ROWS_MIN, WALK_ROWS_PER_ENTRY * limit),
  blocks: limit,
});

/** Estimates how many to read for the wanted hits, from the share of hits so far. */
const enough = (wanted: number, hits: number, read: number): number => Math.ceil((MARGIN * wanted * read) / hits);

/** Returns how many blocks the next round reads. */
function nextCount(count: number, { missing, found, read }: { missing: number; found: number; read: number }): number {
  if (found === 0) return Math.min(count * BLOCKS_GROWTH, BLOCKS_MAX);
  // The page is full: only a few blocks are left that may have entries as new as those.
  if (missing <= 0) return count;
  return Math.min(Math.max(enough(missing, found, read), BLOCKS_MIN), count * BLOCKS_GROWTH_MAX, BLOCKS_MAX);
}

const byPlace = (a: PlacedEntry, b: PlacedEntry): number => b.eventAt - a.eventAt || b.row - a.row;

async function walk(database: Database, accountId: string, range: PhraseRange, rows: number): Promise<PlacedEntry[]> {
  const newest = newestOf(database, accountId, range, rows);
  const numbers = database
    .from(newest.as('newest'))
    .whereRaw(...hasPhrase(database, 'newest', range.phrase))
    // Without ORDER BY: with it the database would read all rows first; without it they keep their order.
    .limit(range.limit)
    .select('newest.row');
  // Read by a second query, so that the walk above need not read all columns of each entry.
  return readNewestFirst(database, database('entries').whereIn('row', numbers));
}

/**
 * Selects at most `rows` newest entries. One channel uses its index; several channels filter the account's newest
 * entries.
 */
function newestOf(database: Database, accountId: string, range: PhraseRange, rows: number): Knex.QueryBuilder {
  const columns = ['entries.row', 'entries.text_folded'];
  const ordered = (query: Knex.QueryBuilder): Knex.QueryBuilder => query.orderBy([...newestFirst('entries')]);
  if (range.channels.length === 1) {
    return ordered(inRange(database('entries'), accountId, range))
      .limit(rows)
      .select(columns);
  }
  const passed = ordered(inTime(database('entries'), accountId, range))
    .limit(PASSED_PER_ROW * rows)
    .select(...columns, 'entries.channel');
  return database
    .from(passed.as('passed'))
    .whereIn('passed.channel', [...range.channels])
    .limit(rows)
    .select('passed.row', 'passed.text_folded');
}

interface Found {
  looked_into: number | string;
  lowest: number | string | null;
  next: number | string | null;
  entries: string;
}

/**
 * Returns entries with the phrase from the next blocks, and the block from which older ones may still belong on the
 * page. The first call also reads entries without a block; in one statement, because such entries may get a block
 * meanwhile.
 */
async function searchIndexed(
  database: Database,
  accountId: string,
  range: PhraseRange,
  { upTo, count }: { upTo: number | undefined; count: number },
): Promise<{ entries: PlacedEntry[]; next: number | undefined }> {
  const arrived = database('blocks')
    .joinRaw(lookUpEach(database, 'entries', 'arrived', '"row"', ARRIVED_IN_BLOCK))
    .select('arrived.row');
  if (upTo === undefined) arrived.unionAll(unindexed(database));
  const page = inRange(database('arrived').joinRaw(wholeEntries(database, 'arrived')), accountId, range)
    .whereRaw(...hasPhrase(database, 'entries', range.phrase))
    .orderBy([...newestFirst('entries')])
    .limit(range.limit)
    .select('entries.row', 'entries.event_at');
  const places = range.channels.map(() => '(?, ?)').join(', ');
  const pairs = range.channels.flatMap((channel) => [accountId, channel]);
  const texts = database('page')
    .joinRaw(wholeEntries(database, 'page'))
    .select(database.raw(entriesAsText(database, 'entries', newestFirst)));
  const bounds: Found = await database
    .with('wanted', ['account_id', 'channel'], database.raw(`VALUES ${places}`, pairs))
    .with('blocks', candidates(database, accountId, range, { upTo, count }))
    .with('arrived', arrived)
    .with('page', page)
    .from(database('blocks').min('block as lowest').count('* as looked_into').as('bounds'))
    .first('bounds.*', laterBlock(database, accountId, range).as('next'), texts.as('entries'));
  const entries = entriesIn(bounds.entries).map(({ row, entry }) => ({ ...entry, row }));
  if (Number(bounds.looked_into) < count) return { entries, next: undefined };
  if (entries.length < range.limit) return { entries, next: Number(bounds.lowest) - 1 };
  return { entries, next: bounds.next === null ? undefined : Number(bounds.next) };
}

/** Selects entries without a block, channel by channel, so that no channel is read from its beginning. */
const unindexed = (database: Database): Knex.QueryBuilder =>
  database('wanted')
    .leftJoin('text_marks', (join) =>
      join.on('text_marks.account_id', 'wanted.account_id').andOn('text_marks.channel', 'wanted.channel'),
    )
    .joinRaw(lookUpEach(database, 'entries', 'arrived', '"row"', ARRIVED_BEHIND_MARK))
    .select('arrived.row');

/** Selects blocks that have all grams of the phrase, newest block first. */
function candidates(
  database: Database,
  accountId: string,
  { channels, before, since, phrase, forgottenTo = 0 }: PhraseRange,
  { upTo, count }: { upTo: number | undefined; count: number },
): Knex.QueryBuilder {
  const oneOf = channels.map((channel) => channelGram(accountId, channel));
  const candidates = textGramsOf(database).blocks(database, { oneOf, allOf: phraseGrams(phrase), upTo });
  const query = database
    .from(candidates.as('candidates'))
    .joinRaw(lookUpEach(database, 'text_blocks', 'text_blocks', '*', 'text_blocks.block = candidates.block'))
    .where('account_id', accountId)
    .whereIn('channel', [...channels])
    .orderBy('candidates.block', 'desc')
    .limit(count)
    .select('text_blocks.*');
  if (forgottenTo > 0) query.where('text_blocks.last_row', '>', forgottenTo);
  if (since !== undefined) query.where('newest_at', '>=', since);
  if (before !== undefined) query.where('oldest_at', '<=', before.eventAt);
  return query;
}

/**
 * Selects the last earlier block that has an entry as new as the oldest on the page. Blocks are not in order of time:
 * late lines, and lines of other channels, are in blocks made earlier or later.
 */
const laterBlock = (database: Database, accountId: string, { channels }: PhraseRange): Knex.QueryBuilder =>
  database('text_blocks')
    .where('account_id', accountId)
    .whereIn('channel', [...channels])
    .where('newest_at', '>=', database('page').min('event_at'))
    .where('block', '<', database('blocks').min('block'))
    // The sum keeps the database from walking back by block number; it uses the index by time.
    .select(database.raw('max(block + 0)'));

/** Uses the index by arrival, without reading rows: only then PostgreSQL does not read the rows of all accounts. */
const ARRIVED_IN_BLOCK = `arrived.account_id = blocks.account_id AND arrived.channel = blocks.channel
  AND arrived."row" BETWEEN blocks.first_row AND blocks.last_row`;

const ARRIVED_BEHIND_MARK = `arrived.account_id = wanted.account_id AND arrived.channel = wanted.channel
  AND arrived."row" > coalesce(text_marks.indexed_row, 0)`;

const wholeEntries = (database: Database, named: string): string =>
  lookUpEach(database, 'entries', 'entries', '*', `entries."row" = ${named}."row"`);
