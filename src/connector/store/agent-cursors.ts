import type { AgentCursorStore, Reader, UnreadBatch } from '../ports/agent-cursors.ts';
import type { Database } from './database.ts';
import { ENTRY_COLUMNS, type EntryRow, entryOf } from './entries.ts';
import { isFull } from './failures.ts';
import { prunedRowOf } from './pruned-channels.ts';

interface CursorRow {
  session_id: string;
  channel: string;
  acknowledged_row: number | string;
  acknowledged_entry_id: string | null;
  delivered_row: number | string;
}

type NumberedRow = EntryRow & { row: number | string };

/** A session's position in a channel, by order of arrival, so that a late line is unread too. */
interface Cursor {
  acknowledgedRow: number;
  deliveredRow: number;
}

/** @param readers see `OpenDatabase` */
export function createAgentCursorStore(database: Database, readers: Database): AgentCursorStore {
  return {
    nextBatch: async (reader, channel, bounds) => {
      const again = await deliveredAgain(readers, reader, channel, bounds);
      if (again !== undefined) return again;
      try {
        return await database.transaction((transaction) => deliverBatch(transaction, reader, channel, bounds));
      } catch (error) {
        // While nothing can be stored, reading continues: entries that can't be marked as delivered are delivered again.
        if (!isFull(error)) throw error;
        const prunedRow = await prunedRowOf(readers, reader.accountId, channel);
        const cursor = await cursorOf(readers, reader, channel);
        return (await batchAfter(readers, reader, channel, { ...bounds, prunedRow, ...(cursor ?? startAt(prunedRow)) }))
          .batch;
      }
    },
    acknowledge: async (reader, channel, entryId) => {
      const entry: Pick<NumberedRow, 'row'> | undefined = await readers('entries')
        .where({ account_id: reader.accountId, channel, entry_id: entryId })
        .first('row');
      if (entry === undefined) return false;
      const cursor = () => database<CursorRow>('agent_cursors').where({ session_id: reader.sessionId, channel });
      // One statement decides, so that of two calls at once the further position stays.
      const moved = await cursor()
        .where('delivered_row', '>=', entry.row)
        .where('acknowledged_row', '<', entry.row)
        .update({ acknowledged_row: entry.row, acknowledged_entry_id: entryId });
      if (moved === 1) return true;
      const known = await cursor().where('acknowledged_row', '>=', entry.row).first();
      return known !== undefined;
    },
    positions: async (reader, channels) => {
      const cursors = await readers<CursorRow>('agent_cursors')
        .where('session_id', reader.sessionId)
        .whereIn('channel', [...channels]);
      const positions = channels.map(async (channel) => {
        const cursor = cursors.find((row) => row.channel === channel);
        const unreadCount = await countUnread(readers, reader, channel, Number(cursor?.acknowledged_row ?? 0));
        return [channel, { unreadCount, lastAcknowledgedEntryId: cursor?.acknowledged_entry_id ?? null }] as const;
      });
      return new Map(await Promise.all(positions));
    },
  };
}

type Bounds = Parameters<AgentCursorStore['nextBatch']>[2];

/** The batch that was delivered before, or an empty one; neither needs a write. */
async function deliveredAgain(
  database: Database,
  reader: Reader,
  channel: string,
  bounds: Bounds,
): Promise<UnreadBatch | undefined> {
  const cursor = await cursorOf(database, reader, channel);
  if (cursor === undefined) return undefined;
  const prunedRow = await prunedRowOf(database, reader.accountId, channel);
  const { batch, lastRow } = await batchAfter(database, reader, channel, { ...bounds, prunedRow, ...cursor });
  return lastRow <= cursor.deliveredRow ? batch : undefined;
}

async function deliverBatch(
  transaction: Database,
  reader: Reader,
  channel: string,
  bounds: Bounds,
): Promise<UnreadBatch> {
  const prunedRow = await prunedRowOf(transaction, reader.accountId, channel);
  const cursor = await lockedCursor(transaction, reader, channel, prunedRow);
  const { batch, lastRow } = await batchAfter(transaction, reader, channel, { ...bounds, prunedRow, ...cursor });
  await deliver(transaction, reader, channel, lastRow);
  return batch;
}

async function batchAfter(
  database: Database,
  reader: Reader,
  channel: string,
  { limit, cut, prunedRow, acknowledgedRow, deliveredRow }: Bounds & Cursor & { prunedRow: number },
): Promise<{ batch: UnreadBatch; lastRow: number }> {
  const found: NumberedRow[] = await unread(database, reader)
    .where('entries.channel', channel)
    .where('entries.row', '>', acknowledgedRow)
    .orderBy('entries.row')
    .limit(limit + 1)
    .select('entries.row', ...ENTRY_COLUMNS);
  // Delivered entries come again until they are acknowledged; only then come new ones.
  const delivered = found.filter(({ row }) => Number(row) <= deliveredRow);
  const candidates = (delivered.length > 0 ? delivered : found).slice(0, limit);
  const taken = candidates.slice(0, cut(candidates.map(entryOf)).length);
  return {
    lastRow: Number(taken.at(-1)?.row ?? 0),
    batch: {
      entries: taken.map(entryOf),
      hasMore: found.length > taken.length,
      isTruncated: taken.length < candidates.length,
      hasGap: prunedRow > acknowledgedRow,
    },
  };
}

/** Entries that can be unread for the reader: not its own sends, and none that failed. */
function unread(database: Database, { accountId, clientId, sessionId }: Reader) {
  return database('entries')
    .leftJoin('messages', 'messages.message_id', 'entries.message_id')
    .where('entries.account_id', accountId)
    .where((others) =>
      others.whereNull('messages.message_id').orWhere((sent) =>
        sent
          .whereNot('messages.status', 'failed')
          // A send without a session counts as sent by every session of its client.
          .where((foreign) =>
            foreign
              .whereNot('messages.client_id', clientId)
              .orWhere((named) => named.whereNotNull('messages.session_id').whereNot('messages.session_id', sessionId)),
          ),
      ),
    );
}

async function countUnread(database: Database, reader: Reader, channel: string, afterRow: number): Promise<number> {
  const [counted]: { entries: number | string }[] = await unread(database, reader)
    .where('entries.channel', channel)
    .where('entries.row', '>', afterRow)
    .count({ entries: '*' });
  return Number(counted?.entries ?? 0);
}

/** The session's cursor, created if missing, and locked against other calls until the transaction ends. */
async function lockedCursor(
  database: Database,
  { sessionId }: Reader,
  channel: string,
  prunedRow: number,
): Promise<Cursor> {
  await database<CursorRow>('agent_cursors')
    .insert({ session_id: sessionId, channel, acknowledged_row: prunedRow, delivered_row: prunedRow })
    .onConflict(['session_id', 'channel'])
    .ignore();
  const row = await database<CursorRow>('agent_cursors').where({ session_id: sessionId, channel }).forUpdate().first();
  if (row === undefined) throw new Error('the cursor vanished');
  return placeOf(row);
}

async function cursorOf(database: Database, { sessionId }: Reader, channel: string): Promise<Cursor | undefined> {
  const row = await database<CursorRow>('agent_cursors').where({ session_id: sessionId, channel }).first();
  return row === undefined ? undefined : placeOf(row);
}

const placeOf = (row: CursorRow): Cursor => ({
  acknowledgedRow: Number(row.acknowledged_row),
  deliveredRow: Number(row.delivered_row),
});

const startAt = (row: number): Cursor => ({ acknowledgedRow: row, deliveredRow: row });

async function deliver(database: Database, { sessionId }: Reader, channel: string, row: number): Promise<void> {
  await database<CursorRow>('agent_cursors')
    .where({ session_id: sessionId, channel })
    .where('delivered_row', '<', row)
    .update({ delivered_row: row });
}
