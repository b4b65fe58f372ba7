import { NOTHING, startOf } from '../domain/unread-count.ts';
import { sessionUnknown } from '../errors.ts';
import type {
  AgentCursorStore,
  BatchBounds,
  CursorPosition,
  Reader,
  UnreadBatch,
} from '../ports/agent-cursor-store.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import { channelCounts, ownCounts } from './counts.ts';
import { type Position, Positions } from './cursor-positions.ts';
import type { Database } from './database.ts';
import { arrivalLock, greaterOf, lock } from './dialect.ts';
import { isFull } from './failures.ts';
import type { Forgotten } from './forgotten.ts';
import { entriesIn, type NumberedEntry, readEntries, selectEntries } from './read-entries.ts';
import { groupsOf } from './rows-at-once.ts';
import { invalidating } from './shared-invalidations.ts';
import { unreadEntries } from './unread-entries.ts';

interface CursorRow {
  session_id: string;
  account_id: string;
  client_id: string;
  channel: string;
  acknowledged_row: number | string;
  acknowledged_entry_id: string | null;
  delivered_row: number | string;
  passed: number | string;
  own_passed: number | string;
  gap_row: number | string;
}

type PlaceRow = Pick<CursorRow, 'acknowledged_row' | 'delivered_row' | 'gap_row'>;

/** A session's position in a channel, by order of arrival, so that a late line is unread too. */
interface Cursor {
  acknowledgedRow: number;
  deliveredRow: number;
  /** Newest entry that retention removed before the session acknowledged it; 0 if retention removed no such entry. */
  gapRow: number;
}

/** A session that has not read the channel yet. */
const START: Cursor = { acknowledgedRow: 0, deliveredRow: 0, gapRow: 0 };

export interface AgentCursorStoreParts {
  database: Database;
  /** See `OpenDatabase`. */
  readers: Database;
  invalidations: Invalidations;
  forgotten: Forgotten;
}

export function createAgentCursorStore({
  database,
  readers,
  invalidations,
  forgotten,
}: AgentCursorStoreParts): AgentCursorStore {
  const positions = new Positions(readers, invalidations, forgotten);
  const moving = <T>(reader: Reader, work: (transaction: Database) => Promise<T>): Promise<T> =>
    invalidating(invalidations, [['cursors', reader.sessionId]], () => database.transaction(work));

  const nextBatches: AgentCursorStore['nextBatches'] = async (reader, channels, boundsOf) => {
    const forgottenTo = await forgotten.upTo(reader.accountId);
    const batches: UnreadBatch[] = [];
    const delivered = new Map<string, number>();
    for (const [index, channel] of channels.entries()) {
      const asked = boundsOf(index, batches.at(-1));
      if (asked === undefined) break;
      const bounds = { ...asked, forgottenTo };
      const read =
        (await readBatch(readers, reader, channel, bounds)) ?? (await begin(reader, channels, bounds, channel));
      batches.push(read.batch);
      if (read.lastRow > read.deliveredRow) delivered.set(channel, read.lastRow);
    }
    await unlessFull(() => noteDelivered(database, reader, delivered));
    return batches;
  };

  /** Begins the cursors of these channels, and reads the first batch of one of them. */
  const begin = async (reader: Reader, channels: readonly string[], bounds: Bounds, channel: string): Promise<Read> => {
    const isBegun = await unlessFull(() =>
      moving(reader, (transaction) => createCursors(transaction, reader, channels)),
    );
    if (!isBegun) return readFromStart(readers, reader, channel, bounds);
    const read = await readBatch(readers, reader, channel, bounds);
    if (read === undefined) throw sessionUnknown();
    return read;
  };

  return {
    nextBatch: async (reader, channel, asked) => {
      const position = await positions.known(reader, channel);
      if (position?.isBegun === true && position.unreadCount === 0) {
        return { entries: [], hasMore: false, isTruncated: false, hasGap: position.hasGap };
      }
      const [batch] = await nextBatches(reader, [channel], () => asked);
      if (batch === undefined) throw new Error('a channel that is read gives a batch');
      // A session that has read everything polls often: loading its positions makes the next poll free of statements.
      if (batch.entries.length === 0) await positions.prepare(reader);
      return batch;
    },
    nextBatches,
    acknowledge: async (reader, channel, entryId) => {
      const step = await stepTo(readers, reader, channel, entryId);
      if (step === undefined || isDone(step)) return step !== undefined;
      return moving(reader, (transaction) => moveCursor(transaction, reader, channel, entryId));
    },
    positions: async (reader, channels) => {
      const found = await positions.of(reader);
      return new Map(channels.map((channel) => [channel, cursorPosition(found.get(channel))]));
    },
    waiting: async (reader, channels) => {
      const found = await positions.of(reader);
      return channels
        .map((channel) => ({ channel, acknowledgedRow: 0, unreadCount: 0, ...found.get(channel) }))
        .filter(({ unreadCount }) => unreadCount > 0)
        .sort((a, b) => a.acknowledgedRow - b.acknowledgedRow)
        .map(({ channel, unreadCount }) => ({ channel, unreadCount }));
    },
  };
}

/** Returns a channel's position; a channel that never had an entry has no unread ones. */
const cursorPosition = (position: Position | undefined): CursorPosition => ({
  unreadCount: position?.unreadCount ?? 0,
  lastAcknowledgedEntryId: position?.lastAcknowledgedEntryId ?? null,
});

/** A session's way to an entry that was delivered to it. */
interface Step {
  row: number;
  acknowledgedRow: number;
}

const isDone = ({ row, acknowledgedRow }: Step): boolean => acknowledgedRow >= row;

/** Returns the way to an entry; undefined if it was not delivered to the session. */
async function stepTo(
  database: Database,
  { accountId, sessionId }: Reader,
  channel: string,
  entryId: string,
): Promise<Step | undefined> {
  const found: { row: number | string; acknowledged_row: number | string } | undefined = await database('entries')
    .join('agent_cursors', (join) =>
      join.on('agent_cursors.channel', 'entries.channel').andOnVal('agent_cursors.session_id', sessionId),
    )
    .where({ 'entries.account_id': accountId, 'entries.channel': channel, 'entries.entry_id': entryId })
    .whereRaw('entries.row <= agent_cursors.delivered_row')
    .first('entries.row', 'agent_cursors.acknowledged_row');
  return found && { row: Number(found.row), acknowledgedRow: Number(found.acknowledged_row) };
}

/** Moves the cursor forward, never back: the further of two concurrent calls wins. */
async function moveCursor(database: Database, reader: Reader, channel: string, entryId: string): Promise<boolean> {
  // Lock: removing entries changes the same numbers.
  await lock(database, arrivalLock(reader.accountId));
  const step = await stepTo(database, reader, channel, entryId);
  if (step === undefined || isDone(step)) return step !== undefined;
  const { row } = step;
  const { entries, own } = await countBetween(database, reader, channel, { after: step.acknowledgedRow, upTo: row });
  await database<CursorRow>('agent_cursors')
    .where({ session_id: reader.sessionId, channel })
    .update({
      acknowledged_row: row,
      acknowledged_entry_id: entryId,
      passed: database.raw('passed + ?', [entries]),
      own_passed: database.raw('own_passed + ?', [own]),
    });
  return true;
}

/** Counts entries between two rows. Each entry is counted once in the life of a cursor: when it is acknowledged. */
async function countBetween(
  database: Database,
  { accountId, clientId, sessionId }: Reader,
  channel: string,
  { after, upTo }: { after: number; upTo: number },
): Promise<{ entries: number; own: number }> {
  const [counted]: { entries: number | string; own: number | string | null }[] = await database('entries')
    .leftJoin('messages', 'messages.message_id', 'entries.message_id')
    .where({ 'entries.account_id': accountId, 'entries.channel': channel })
    .where('entries.row', '>', after)
    .where('entries.row', '<=', upTo)
    .where((living) => living.whereNull('messages.message_id').orWhereNot('messages.status', 'failed'))
    .select(
      database.raw('count(*) AS entries'),
      database.raw(
        'sum(CASE WHEN messages.client_id = ? AND (messages.session_id IS NULL OR messages.session_id = ?) THEN 1 ELSE 0 END) AS own',
        [clientId, sessionId],
      ),
    );
  return { entries: Number(counted?.entries ?? 0), own: Number(counted?.own ?? 0) };
}

/** `forgottenTo`: see `Forgotten`. */
type Bounds = BatchBounds & { forgottenTo: number };

/** What was read of a channel. */
interface Read {
  batch: UnreadBatch;
  /** Row of the batch's last entry; 0 for an empty one. */
  lastRow: number;
  /** Row of the last entry that was delivered before. */
  deliveredRow: number;
}

/** Returns the next batch; undefined if the session has no cursor there. */
async function readBatch(
  database: Database,
  reader: Reader,
  channel: string,
  bounds: Bounds,
): Promise<Read | undefined> {
  const cursor = (column: keyof PlaceRow) =>
    database('agent_cursors').where({ session_id: reader.sessionId, channel }).select(column);
  const { forgottenTo } = bounds;
  const acknowledged = cursor('acknowledged_row');
  const query = unreadEntries(database, reader, channel)
    .where('entries.row', '>', forgottenTo === 0 ? acknowledged : greaterOf(database, acknowledged, forgottenTo))
    .limit(bounds.limit + 1);
  // One statement, because agents make this call most often.
  const found: { entries: string } & (PlaceRow | Record<keyof PlaceRow, null>) = await selectEntries(
    database,
    query,
    byArrival,
  )
    .select(
      cursor('acknowledged_row').as('acknowledged_row'),
      cursor('delivered_row').as('delivered_row'),
      cursor('gap_row').as('gap_row'),
    )
    .first();
  if (found.acknowledged_row === null) return undefined;
  const place = await withLoss(database, reader, channel, { ...placeOf(found), forgottenTo });
  return batchOf(entriesIn(found.entries), place, bounds);
}

/** Returns the first batch of a session whose cursor could not be stored, because the disk is full. */
async function readFromStart(database: Database, reader: Reader, channel: string, bounds: Bounds): Promise<Read> {
  const { forgottenTo } = bounds;
  const cursor = await withLoss(database, reader, channel, { ...START, forgottenTo });
  const query = unreadEntries(database, reader, channel)
    .where('entries.row', '>', Math.max(START.acknowledgedRow, forgottenTo))
    .limit(bounds.limit + 1);
  return batchOf(await readEntries(database, query, byArrival), cursor, bounds);
}

/**
 * Does the work; false if the disk is full. Reading continues then: entries that can't be marked as delivered are
 * delivered again.
 */
async function unlessFull(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isFull(error)) return false;
    throw error;
  }
}

/** Returns the cursor with the gap that the current deletion will make. */
async function withLoss(
  database: Database,
  reader: Reader,
  channel: string,
  { forgottenTo, ...cursor }: Cursor & { forgottenTo: number },
): Promise<Cursor> {
  if (forgottenTo <= cursor.acknowledgedRow) return cursor;
  const newest: { row: number | string } | undefined = await unreadEntries(database, reader, channel)
    .where('entries.row', '<=', forgottenTo)
    .orderBy('entries.row', 'desc')
    .first('entries.row');
  return { ...cursor, gapRow: Math.max(cursor.gapRow, Number(newest?.row ?? 0)) };
}

/** @param found one more than the limit, if that many exist */
function batchOf(
  found: readonly NumberedEntry[],
  { acknowledgedRow, deliveredRow, gapRow }: Cursor,
  { limit, cut }: BatchBounds,
): Read {
  // Delivered entries come again until they are acknowledged; only then come new ones.
  const delivered = found.filter(({ row }) => row <= deliveredRow);
  const candidates = (delivered.length > 0 ? delivered : found).slice(0, limit);
  const fitting = cut(candidates.map(({ entry }) => entry));
  const taken = candidates.slice(0, fitting.length);
  return {
    ...{ lastRow: taken.at(-1)?.row ?? 0, deliveredRow },
    batch: {
      entries: [...fitting],
      hasMore: found.length > taken.length,
      isTruncated: taken.length < candidates.length,
      hasGap: gapRow > acknowledgedRow,
    },
  };
}

const byArrival = (table: string) => [{ column: `${table}.row`, order: 'asc' }] as const;

/**
 * Creates the cursors that are missing in these channels.
 * @throws ConnectorError session_unknown
 */
async function createCursors(database: Database, reader: Reader, channels: readonly string[]): Promise<void> {
  const { accountId, clientId, sessionId } = reader;
  // An entry that loses its place between these statements would be missed by the cursor.
  await lock(database, arrivalLock(accountId));
  await keepSession(database, reader);
  const stored = await channelCounts(database, accountId, channels);
  const own = await ownCounts(database, reader, channels);
  const rows = channels.map((channel) => {
    const { passed, ownPassed } = startOf(stored.get(channel) ?? NOTHING, own.get(channel) ?? NOTHING);
    return {
      ...{ session_id: sessionId, account_id: accountId, client_id: clientId, channel },
      ...{ acknowledged_row: START.acknowledgedRow, delivered_row: START.deliveredRow, gap_row: START.gapRow },
      ...{ passed, own_passed: ownPassed },
    };
  });
  for (const group of groupsOf(rows)) {
    await database<CursorRow>('agent_cursors').insert(group).onConflict(['session_id', 'channel']).ignore();
  }
}

/**
 * Keeps the session until the transaction ends: it may have ended since the call was admitted.
 * @throws ConnectorError session_unknown
 */
async function keepSession(database: Database, { sessionId }: Reader): Promise<void> {
  const session = await database('agent_sessions').where({ session_id: sessionId }).forKeyShare().first('session_id');
  if (session === undefined) throw sessionUnknown();
}

const placeOf = (row: PlaceRow): Cursor => ({
  acknowledgedRow: Number(row.acknowledged_row),
  deliveredRow: Number(row.delivered_row),
  gapRow: Number(row.gap_row),
});

/** Notes for each channel the row of the last entry that was delivered; the further of two calls at once counts. */
async function noteDelivered(database: Database, reader: Reader, rows: ReadonlyMap<string, number>): Promise<void> {
  const [first, second] = rows;
  if (first === undefined) return;
  if (second === undefined) return deliver(database, reader, ...first);
  await database.transaction(async (transaction) => {
    // Other transactions that change several cursors, or end the session with all of them, wait for one of these two.
    await lock(transaction, arrivalLock(reader.accountId));
    await keepSession(transaction, reader);
    const cases = [...rows].flat();
    const rowOfChannel = `CASE channel ${'WHEN ? THEN CAST(? AS bigint) '.repeat(rows.size)}END`;
    const { sessionId } = reader;
    await transaction<CursorRow>('agent_cursors')
      .where({ session_id: sessionId })
      .whereIn('channel', [...rows.keys()])
      .where('delivered_row', '<', transaction.raw(rowOfChannel, cases))
      .update({ delivered_row: transaction.raw(rowOfChannel, cases) });
  });
}

async function deliver(database: Database, { sessionId }: Reader, channel: string, row: number): Promise<void> {
  await database<CursorRow>('agent_cursors')
    .where({ session_id: sessionId, channel })
    .where('delivered_row', '<', row)
    .update({ delivered_row: row });
}
