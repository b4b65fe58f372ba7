import { foldText } from '../domain/fold.ts';
import type { OutgoingMessage } from '../domain/outgoing-message.ts';
import type { KeyedMessage, NewMessage } from '../ports/message-store.ts';
import { newId } from '../random.ts';
import { countSent } from './counts.ts';
import type { Database } from './database.ts';
import { type PlacedRow, placedEntryOf } from './history-range.ts';
import { databaseClock } from './hold/database-clock.ts';
import { type MessageRow, type PartRow, settleMessage } from './parts.ts';
import { react } from './reactions.ts';
import type { Stored } from './stored.ts';

/** Columns of a line that is to be sent again. */
const NOT_ECHOED = { echoed_at: null, heard_text: null, heard_at: null, overtaken_at: null } as const;

export async function findByKey(
  database: Database,
  { accountId, clientId, key }: { accountId: string; clientId: string; key: string },
): Promise<KeyedMessage | undefined> {
  // The entry has the text that others saw; the parts together are the original text.
  const rows: (MessageRow & { text: string })[] = await database('messages')
    .join('message_parts', 'message_parts.message_id', 'messages.message_id')
    .where({ 'messages.account_id': accountId, client_id: clientId, idempotency_key: key })
    .orderBy('message_parts.number')
    .select('messages.*', 'message_parts.text');
  const [row] = rows;
  return row === undefined ? undefined : { message: messageOf(row), text: rows.map(({ text }) => text).join('') };
}

/** Ids of a message that is about to be stored. */
export interface NewIds {
  messageId: string;
  entryId: string;
}

/** Stores the message's own row; undefined if its client has a message under the same key. */
export async function insertMessageRow(
  database: Database,
  message: Omit<NewMessage, 'network' | 'nick' | 'text' | 'parts'>,
  now: number,
): Promise<NewIds | undefined> {
  const [messageId, entryId] = [newId('msg'), newId('ent')];
  const inserted: unknown[] = await database('messages')
    .insert({
      message_id: messageId,
      account_id: message.accountId,
      client_id: message.clientId,
      session_id: message.sessionId ?? null,
      idempotency_key: message.idempotencyKey ?? null,
      channel: message.channel,
      entry_id: entryId,
      status: 'pending',
      created_at: now,
      posted_at: message.isPost === true ? database.raw(databaseClock(database)) : null,
    })
    .onConflict(['account_id', 'client_id', 'idempotency_key'])
    .ignore()
    .returning('message_id');
  return inserted.length === 0 ? undefined : { messageId, entryId };
}

/** Stores the entry and the parts of a message; call it under the account's arrival lock. */
export async function insertLines(
  database: Database,
  message: NewMessage,
  { messageId, entryId }: NewIds,
  { now, invalidate }: Pick<Stored, 'now' | 'invalidate'>,
): Promise<OutgoingMessage> {
  const { accountId, network, channel, clientId } = message;
  const inserted: PlacedRow[] = await database('entries')
    .insert({
      entry_id: entryId,
      account_id: accountId,
      fingerprint: `local:${messageId}`,
      network,
      channel,
      kind: 'message',
      sender: message.nick,
      text: message.text,
      text_folded: foldText(message.text),
      event_at: now,
      observed_at: now,
      timestamp_source: 'local',
      message_id: messageId,
    })
    .returning('*');
  await database('message_parts').insert(
    message.parts.map((part, index) => ({
      message_id: messageId,
      account_id: accountId,
      number: index + 1,
      channel,
      ...part,
      network,
      status: 'pending',
      created_at: now,
    })),
  );
  await countSent(database, { accountId, channel }, { clientId, sessionId: message.sessionId ?? null });
  await react({ transaction: database, accountId, network, now, entries: inserted.map(placedEntryOf), invalidate });
  return { messageId, entryId, channel, status: 'pending', reason: null };
}

/** Makes the failed lines of a message pending again. @param network for which they are accepted */
export async function renewMessage(
  database: Database,
  { messageId, newTag, network, now }: { messageId: string; newTag: () => string; network: string; now: number },
): Promise<OutgoingMessage> {
  const failed: PartRow[] = await database('message_parts').where({ message_id: messageId, status: 'failed' });
  for (const { row } of failed) {
    await database('message_parts')
      .where('row', row)
      .update({
        status: 'pending',
        tag: newTag(),
        created_at: now,
        written_at: null,
        paced_until: null,
        ...NOT_ECHOED,
        network,
      });
  }
  const message = await settleMessage(database, messageId, { now });
  if (message === undefined) throw new Error('the message vanished');
  return messageOf(message);
}

export function messageOf(row: MessageRow): OutgoingMessage {
  return {
    messageId: row.message_id,
    entryId: row.entry_id,
    channel: row.channel,
    status: row.status,
    reason: row.reason,
  };
}
