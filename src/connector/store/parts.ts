import type { MessageStatus } from '../domain/outgoing-message.ts';
import type { Database } from './database.ts';
import { failSend, placeAgain, type SendRow } from './places.ts';

/** One IRC line of a send. */
export interface PartRow {
  row: number;
  account_id: string;
  status: MessageStatus;
  message_id: string;
  number: number;
  channel: string;
  text: string;
  tag: string;
  /** Set by the echo, to recognize the line in a replay. */
  fingerprint: string | null;
  created_at: number | null;
  /** When it was written to the bouncer, milliseconds since 1970. */
  written_at: number | null;
  echoed_at: number | null;
  /** What others saw, where the server changed the text. */
  heard_text: string | null;
  /** When the echo was said, where only its place among the lines shows that it is the echo; null where its tag does. */
  heard_at: number | string | null;
  /** Since when a later line of the channel has come back without this one. */
  overtaken_at: number | null;
}

/** A send as a whole. */
export interface MessageRow extends SendRow {
  entry_id: string;
  /** Why it failed. */
  reason: string | null;
}

/**
 * The message's status follows from its parts: one failed fails it, all echoed echo it. Its entry loses its place when it
 * fails, and gets a new one when it does not any more. Call it under the account's arrival lock.
 * @returns the message as it then is; undefined when retention has removed it
 */
export async function settleMessage(
  database: Database,
  messageId: string,
  { now, failure }: { now: number; failure?: { number: number; reason: string } | undefined },
): Promise<MessageRow | undefined> {
  const message: MessageRow | undefined = await database('messages').where('message_id', messageId).first();
  if (message === undefined) return undefined;
  const parts: { status: MessageStatus }[] = await database('message_parts').where('message_id', messageId);
  const has = (status: MessageStatus): boolean => parts.some((part) => part.status === status);
  const status = has('failed') ? 'failed' : has('pending') ? 'pending' : has('queued') ? 'queued' : 'echoed';
  const change: Pick<MessageRow, 'status'> & Partial<MessageRow> = {
    status,
    ...reasonOf(status, parts.length, failure),
  };
  await database('messages').where('message_id', messageId).update(change);
  // The parts after a failed one are not sent: half a message is worse than none.
  if (status === 'failed') {
    await database('message_parts').where({ message_id: messageId, status: 'pending' }).update({ status });
  }
  if (status === 'failed' && message.status !== 'failed') await failSend(database, message);
  if (status !== 'failed' && message.status === 'failed') await placeAgain(database, message, now);
  return { ...message, ...change };
}

function reasonOf(
  status: MessageStatus,
  partCount: number,
  failure: { number: number; reason: string } | undefined,
): { reason?: string | null } {
  if (status !== 'failed') return { reason: null };
  if (failure === undefined) return {};
  return { reason: partCount > 1 ? `part ${failure.number} of ${partCount}: ${failure.reason}` : failure.reason };
}
