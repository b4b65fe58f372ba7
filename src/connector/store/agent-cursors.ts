import { startOf } from '../domain/unread-count.ts';
import { sessionUnknown } from '../errors.ts';
import type { AgentCursorStore, CursorPosition, Reader, UnreadBatch } from '../ports/agent-cursor-store.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import { channelCounts, ownCounts } from './counts.ts';
import { type Position, Positions } from './cursor-positions.ts';
import type { Database } from './database.ts';
import { arrivalLock, greaterOf, lock } from './dialect.ts';
import { isFull } from './failures.ts';
import type { Forgotten } from './forgotten.ts';
import { entriesIn, type NumberedEntry, readEntries, selectEntries } from './read-entries.ts';
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
  return {
    nextBatch: async (reader, channel, asked) => {
      const position = await positions.known(reader, channel);
      if (position?.isBegun === true && position.unreadCount === 0) {
        return { entries: [], hasMore: false, isTruncated: false, hasGap: position.hasGap };
      }
      const bounds = { ...asked, forgottenTo: await forgotten.upTo(reader.accountId) };
      const again = await deliveredAgain(readers, reader, channel, bounds);
      // A session that has read everything polls often: loading its positions makes the next poll free of statements.
      if (again?.entries.length === 0) await positions.prepare(reader);
      if (again !== undefined) return again;
      try {
        return await moving(reader, (transaction) => deliverBatch(transaction, reader, channel, bounds));
      } catch (error) {
        // While the disk is full, reading continues: entries that can't be marked as delivered are delivered again.
        if (!isFull(error)) throw error;
        const cursor = await cursorOf(readers, reader, channel);
        return (await batchAfter(readers, reader, channel, { ...bounds, ...(cursor ?? START) })).batch;
      }
    },
    acknowledge: async (reader, channel, entryId) => {
      const row = await rowOf(readers, reader, channel, entryId);
      const cursor = await cursorOf(readers, reader, channel);
      if (row === undefined || cursor === undefined || cursor.deliveredRow < row) return false;
      if (cursor.acknowledgedRow >= row) return true;
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

async function rowOf(
  database: Database,
  { accountId }: Reader,
  channel: string,
  entryId: string,
): Promise<number | undefined> {
  const entry: { row: number | string } | undefined = await database('entries')
    .where({ account_id: accountId, channel, entry_id: entryId })
    .first('row');
  return entry === undefined ? undefined : Number(entry.row);
}

/** Moves the cursor forward, never back: the further of two concurrent calls wins. */
async function moveCursor(database: Database, reader: Reader, channel: string, entryId: string): Promise<boolean> {
  // Lock: removing entries changes the same numbers.
  await lock(database, arrivalLock(reader.accountId));
  const row = await rowOf(database, reader, channel, entryId);
  const cursor = await cursorOf(database, reader, channel);
  if (row === undefined || cursor === undefined || cursor.deliveredRow < row) return false;
  if (cursor.acknowledgedRow >= row) return true;
  const { entries, own } = await countBetween(database, reader, channel, {
    after: cursor.acknowledgedRow,
    upTo: row,
  });
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

type Asked = Parameters<AgentCursorStore['nextBatch']>[2];

/** `forgottenTo`: see `Forgotten`. */
type Bounds = Asked & { forgottenTo: number };

/**
 * Returns the batch that was delivered before, or an empty one: both without a write. Undefined if the cursor must
 * move.
 */
async function deliveredAgain(
  database: Database,
  reader: Reader,
  channel: string,
  bounds: Bounds,
): Promise<UnreadBatch | undefined> {
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
  const { batch, lastRow } = batchOf(entriesIn(found.entries), place, bounds);
  return lastRow <= place.deliveredRow ? batch : undefined;
}

async function deliverBatch(
  transaction: Database,
  reader: Reader,
  channel: string,
  bounds: Bounds,
): Promise<UnreadBatch> {
  const cursor = await lockedCursor(transaction, reader, channel);
  const { batch, lastRow } = await batchAfter(transaction, reader, channel, { ...bounds, ...cursor });
  await deliver(transaction, reader, channel, lastRow);
  return batch;
}

async function batchAfter(
  database: Database,
  reader: Reader,
  channel: string,
  { acknowledgedRow, deliveredRow, gapRow, ...bounds }: Bounds & Cursor,
): Promise<{ batch: UnreadBatch; lastRow: number }> {
  const { forgottenTo } = bounds;
  const cursor = await withLoss(database, reader, channel, { acknowledgedRow, deliveredRow, gapRow, forgottenTo });
  const query = unreadEntries(database, reader, channel)
    .where('entries.row', '>', Math.max(acknowledgedRow, forgottenTo))
    .limit(bounds.limit + 1);
  const found = await readEntries(database, query, byArrival);
  return batchOf(found, cursor, bounds);
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
  { limit, cut }: Asked,
): { batch: UnreadBatch; lastRow: number } {
  // Delivered entries come again until they are acknowledged; only then come new ones.
  const delivered = found.filter(({ row }) => row <= deliveredRow);
  const candidates = (delivered.length > 0 ? delivered : found).slice(0, limit);
  const fitting = cut(candidates.map(({ entry }) => entry));
  const taken = candidates.slice(0, fitting.length);
  return {
    lastRow: taken.at(-1)?.row ?? 0,
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
 * Returns the session's cursor, created if missing and locked against other calls until the transaction ends.
 * @throws ConnectorError session_unknown
 */
async function lockedCursor(database: Database, reader: Reader, channel: string): Promise<Cursor> {
  if ((await cursorOf(database, reader, channel)) === undefined) await createCursor(database, reader, channel);
  const row = await database<CursorRow>('agent_cursors')
    .where({ session_id: reader.sessionId, channel })
    .forUpdate()
    .first();
  if (row === undefined) throw sessionUnknown();
  return placeOf(row);
}

async function createCursor(
  database: Database,
  { accountId, clientId, sessionId }: Reader,
  channel: string,
): Promise<void> {
  // An entry that loses its place between these statements would be missed by the cursor.
  await lock(database, arrivalLock(accountId));
  // The session may have ended since the call was admitted; this lock keeps it until the transaction ends.
  const session = await database('agent_sessions').where({ session_id: sessionId }).forKeyShare().first('session_id');
  if (session === undefined) throw sessionUnknown();
  const place = { accountId, channel };
  const { passed, ownPassed } = startOf(
    await channelCounts(database, place),
    await ownCounts(database, place, { clientId, sessionId }),
  );
  await database<CursorRow>('agent_cursors')
    .insert({
      ...{ session_id: sessionId, account_id: accountId, client_id: clientId, channel },
      ...{ acknowledged_row: START.acknowledgedRow, delivered_row: START.deliveredRow, gap_row: START.gapRow },
      ...{ passed, own_passed: ownPassed },
    })
    .onConflict(['session_id', 'channel'])
    .ignore();
}

async function cursorOf(database: Database, { sessionId }: Reader, channel: string): Promise<Cursor | undefined> {
  const row = await database<CursorRow>('agent_cursors').where({ session_id: sessionId, channel }).first();
  return row === undefined ? undefined : placeOf(row);
}

const placeOf = (row: PlaceRow): Cursor => ({
  acknowledgedRow: Number(row.acknowledged_row),
  deliveredRow: Number(row.delivered_row),
  gapRow: Number(row.gap_row),
});

async function deliver(database: Database, { sessionId }: Reader, channel: string, row: number): Promise<void> {
  await database<CursorRow>('agent_cursors')
    .where({ session_id: sessionId, channel })
    .where('delivered_row', '<', row)
    .update({ delivered_row: row });
}
