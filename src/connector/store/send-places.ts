import type { MessageStatus } from '../domain/outgoing-message.ts';
import { countSent, countStored } from './counts.ts';
import type { Database } from './database.ts';
import { depart } from './departures.ts';
import type { EntryRow } from './entries.ts';
import { isReceived } from './reactions.ts';
import { pruneBlocks } from './text-index.ts';

/** Columns of a send that determine its place. */
export interface SendRow {
  message_id: string;
  account_id: string;
  channel: string;
  client_id: string;
  session_id: string | null;
  status: MessageStatus;
}

const senderOf = ({ client_id, session_id }: SendRow) => ({ clientId: client_id, sessionId: session_id });

/** Removes the place of a failed send: its entry stays in history, but is not unread for any session. */
export async function failSend(database: Database, message: SendRow): Promise<void> {
  const place = { accountId: message.account_id, channel: message.channel };
  const entry: { row: number | string } | undefined = await database('entries')
    .where('message_id', message.message_id)
    .first('row');
  if (entry === undefined) return;
  const departure = { row: Number(entry.row), sender: senderOf(message) };
  await depart(database, place, [departure], { isLoss: false });
}

/**
 * Gives a send that failed, and is sent again or was said after all, a new place: its entry is unread for sessions that
 * have acknowledged later ones. Its id and its text stay.
 */
export async function placeAgain(database: Database, message: SendRow, now: number): Promise<void> {
  const place = { accountId: message.account_id, channel: message.channel };
  const left: (EntryRow & { row: number | string }) | undefined = await database('entries')
    .where('message_id', message.message_id)
    .first();
  if (left === undefined) return;
  const { row: leftRow, ...entry } = left;
  const time = entry.timestamp_source === 'local' ? { event_at: now, observed_at: now } : {};
  await database('entries').where('row', leftRow).delete();
  const [placed]: { row: number | string }[] = await database('entries')
    .insert({ ...entry, ...time })
    .returning('row');
  const wasReceived = isReceived({ kind: entry.kind, timestampSource: entry.timestamp_source });
  await countStored(database, place, { count: 1, receivedRow: wasReceived ? Number(placed?.row) : 0 });
  await countSent(database, place, senderOf(message));
  await pruneBlocks(database, place.accountId, place.channel, [Number(leftRow)]);
}
