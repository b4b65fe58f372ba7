import type { MessageStatus } from '../domain/outgoing-message.ts';
import type { Database } from './database.ts';
import { failSend, placeAgain, type SendRow } from './send-places.ts';

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
  network: string | null;
  /** See `Pacing`; null until it is written. */
  paced_until: number | string | null;
  /** Set with the echo, to recognize the line in a replay. */
  fingerprint: string | null;
  created_at: number | null;
  /** Time at which it was written to the bouncer, milliseconds since 1970. */
  written_at: number | null;
  echoed_at: number | null;
  /** Text that others saw, if the server changed it. */
  heard_text: string | null;
  /** Time of the echo, if only its place among the lines identifies it; null if its tag does. */
  heard_at: number | string | null;
  /** Time since which a later line of the channel has come back without this one. */
  overtaken_at: number | null;
}

/** A send as a whole. */
export interface MessageRow extends SendRow {
  entry_id: string;
  /** Reason of its failure. */
  reason: string | null;
  /** Time at which it was posted, by the database's clock; null if it is no post. */
  posted_at: number | string | null;
}

/**
 * Derives the message's status from its parts: one failed part fails it, and it is echoed when all parts are. Its entry
 * loses its place when it fails, and gets a new one when it no longer fails. Call it under the account's arrival lock.
 * @returns the changed message; undefined if retention has removed it
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

/** Fails all lines of an account that wait to be written. Call it under the account's arrival lock. */
export async function failWaiting(
  database: Database,
  accountId: string,
  { now, reason }: { now: number; reason: string },
): Promise<void> {
  const waiting: Pick<PartRow, 'row' | 'message_id' | 'number'>[] = await database('message_parts')
    .where({ account_id: accountId, status: 'pending' })
    .orderBy('row')
    .select('row', 'message_id', 'number');
  const failed = new Set<string>();
  for (const { row, message_id: messageId, number } of waiting) {
    // The first failed part of a message also fails its later waiting parts.
    if (failed.has(messageId)) continue;
    failed.add(messageId);
    await database('message_parts').where('row', row).update({ status: 'failed' });
    await settleMessage(database, messageId, { now, failure: { number, reason } });
  }
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
