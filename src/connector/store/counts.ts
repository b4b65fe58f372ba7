import { type Counts, NOTHING, sumOf } from '../domain/unread-count.ts';
import type { Database } from './database.ts';

/** A channel of an account. */
export interface ChannelPlace {
  accountId: string;
  channel: string;
}

/** Client and session that sent an entry. A send without a session counts as sent by every session of its client. */
export interface Sender {
  clientId: string;
  sessionId: string | null;
}

interface CountRow {
  stored: number | string;
  gone: number | string;
}

interface ChannelCountRow extends CountRow {
  account_id: string;
  channel: string;
  received_row: number | string;
}

interface SendCountRow extends CountRow {
  account_id: string;
  channel: string;
  client_id: string;
  session_id: string;
}

// Running numbers of domain/unread-count.ts. All changes of them hold the account's arrival lock.

/**
 * Counts entries that got places in a channel. `receivedRow` is the newest received one; 0 if no entry was received.
 */
export async function countStored(
  database: Database,
  { accountId, channel }: ChannelPlace,
  { count, receivedRow }: { count: number; receivedRow: number },
): Promise<void> {
  await database<ChannelCountRow>('channel_counts')
    .insert({ account_id: accountId, channel, stored: count, gone: 0, received_row: receivedRow })
    .onConflict(['account_id', 'channel'])
    .merge({
      stored: database.raw('channel_counts.stored + excluded.stored'),
      received_row: database.raw(
        'CASE WHEN excluded.received_row > channel_counts.received_row THEN excluded.received_row ELSE channel_counts.received_row END',
      ),
    });
}

/** Records that the send at this row has reached the channel. */
export async function countReceived(
  database: Database,
  { accountId, channel }: ChannelPlace,
  row: number,
): Promise<void> {
  await database<ChannelCountRow>('channel_counts')
    .where({ account_id: accountId, channel })
    .where('received_row', '<', row)
    .update({ received_row: row });
}

/** Counts a send that got a place. */
export async function countSent(
  database: Database,
  { accountId, channel }: ChannelPlace,
  { clientId, sessionId }: Sender,
): Promise<void> {
  await database<SendCountRow>('send_counts')
    .insert({ account_id: accountId, channel, client_id: clientId, session_id: sessionId ?? '', stored: 1, gone: 0 })
    .onConflict(['account_id', 'channel', 'client_id', 'session_id'])
    .merge({ stored: database.raw('send_counts.stored + excluded.stored') });
}

/** Counts entries that lost their places. Returns the newest row that counted as received until now. */
export async function countGone(
  database: Database,
  { accountId, channel }: ChannelPlace,
  count: number,
): Promise<number> {
  const [left]: Pick<ChannelCountRow, 'received_row'>[] = await database<ChannelCountRow>('channel_counts')
    .where({ account_id: accountId, channel })
    .update({ gone: database.raw('gone + ?', [count]) })
    .returning('received_row');
  return Number(left?.received_row ?? 0);
}

/** Searches the newest received entry again, after the previous one lost its place. */
export async function findReceived(database: Database, { accountId, channel }: ChannelPlace): Promise<void> {
  const newest: { row: number | string } | undefined = await database('entries')
    .leftJoin('messages', 'messages.message_id', 'entries.message_id')
    .where({ 'entries.account_id': accountId, 'entries.channel': channel })
    .whereNot('entries.kind', 'gap')
    .whereNot('entries.timestamp_source', 'local')
    .where((living) => living.whereNull('messages.message_id').orWhereNot('messages.status', 'failed'))
    .orderBy('entries.row', 'desc')
    .first('entries.row');
  await database<ChannelCountRow>('channel_counts')
    .where({ account_id: accountId, channel })
    .update({ received_row: newest?.row ?? 0 });
}

/** Counts sends of one sender that lost their places. An ended session has no numbers any more. */
export async function countSendsGone(
  database: Database,
  { accountId, channel }: ChannelPlace,
  { clientId, sessionId }: Sender,
  count: number,
): Promise<void> {
  await database<SendCountRow>('send_counts')
    .where({ account_id: accountId, channel, client_id: clientId, session_id: sessionId ?? '' })
    .update({ gone: database.raw('gone + ?', [count]) });
}

/** Returns the numbers of these channels that a new session starts from; channels that never had an entry are missing. */
export async function channelCounts(
  database: Database,
  accountId: string,
  channels: readonly string[],
): Promise<Map<string, Counts>> {
  const rows = await database<ChannelCountRow>('channel_counts')
    .where({ account_id: accountId })
    .whereIn('channel', [...channels]);
  return new Map(rows.map((row) => [row.channel, countsOf(row)]));
}

/** Returns the numbers of the sends to these channels that count as the session's own. */
export async function ownCounts(
  database: Database,
  { accountId, clientId, sessionId }: { accountId: string; clientId: string; sessionId: string },
  channels: readonly string[],
): Promise<Map<string, Counts>> {
  const rows = await database<SendCountRow>('send_counts')
    .where({ account_id: accountId, client_id: clientId })
    .whereIn('channel', [...channels])
    .whereIn('session_id', ['', sessionId]);
  const ofChannels = Map.groupBy(rows, ({ channel }) => channel);
  return new Map([...ofChannels].map(([channel, own]) => [channel, own.map(countsOf).reduce(sumOf, NOTHING)]));
}

/** Deletes the send numbers of ended sessions: only these sessions read them. */
export async function forgetSends(database: Database, sessionIds: readonly string[]): Promise<void> {
  if (sessionIds.length === 0) return;
  await database<SendCountRow>('send_counts')
    .whereIn('session_id', [...sessionIds])
    .delete();
}

const countsOf = ({ stored, gone }: CountRow): Counts => ({ stored: Number(stored), gone: Number(gone) });
