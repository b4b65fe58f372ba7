import type { Clock } from '../../kernel/clock.ts';
import { foldText } from '../domain/fold.ts';
import type { MessagePart, MessageStatus, OutgoingMessage } from '../domain/outgoing-message.ts';
import type { Invalidations, Subject } from '../ports/invalidations.ts';
import type { KeyedMessage, MessageStore, NewMessage, NewPart } from '../ports/messages.ts';
import { newId } from '../random.ts';
import { Cache } from './cache.ts';
import { countSent } from './counts.ts';
import type { Database } from './database.ts';
import { arrivalLock, lock } from './dialect.ts';
import { type PlacedRow, placedEntryOf } from './history-range.ts';
import { telling } from './invalidations.ts';
import { type MessageRow, type PartRow, settleMessage } from './parts.ts';
import { react } from './reactions.ts';
import type { Stored } from './stored.ts';

/** A send is repeated soon or never, and its text may be long. */
const KEYED_MAX = 2_000;

/** Of a line that is to be said once more. */
const NOT_ECHOED = { echoed_at: null, heard_text: null, heard_at: null, overtaken_at: null } as const;

export interface MessageStoreParts {
  database: Database;
  /** See `OpenDatabase`: a question about a send does not wait for what is being stored. */
  readers: Database;
  clock: Clock;
  invalidations: Invalidations;
}

export function createMessageStore({ database, readers, clock, invalidations }: MessageStoreParts): MessageStore {
  const find = async (which: Partial<MessageRow>): Promise<OutgoingMessage | undefined> => {
    const row = await readers<MessageRow>('messages').where(which).first();
    return row === undefined ? undefined : messageOf(row);
  };
  // For clients that repeat a send. Whatever changes a send tells of its account's entries.
  const byKey = new Cache<KeyedMessage, 'entries'>(invalidations, ['entries'], { max: KEYED_MAX });
  /** Runs a transaction that may change a message's place: `work` gets it in turn with others that do. */
  const settling = <T>(messageId: string, work: (transaction: Database) => Promise<T>): Promise<T> => {
    const told: Subject[] = [];
    return telling(invalidations, told, () =>
      database.transaction(async (transaction) => {
        const accountId = await lockArrivals(transaction, messageId);
        if (accountId !== undefined) told.push(['entries', accountId]);
        return work(transaction);
      }),
    );
  };
  return {
    find: (messageId) => find({ message_id: messageId }),
    findOf: (accountId, messageId) => find({ message_id: messageId, account_id: accountId }),
    findByKey: (accountId, clientId, key) =>
      byKey.read(JSON.stringify([accountId, clientId, key]), { entries: accountId }, () =>
        findByKey(readers, { accountId, clientId, key }),
      ),
    create: (message) => {
      const told: Subject[] = [['entries', message.accountId]];
      return telling(invalidations, told, () =>
        database.transaction((transaction) =>
          insertMessage(transaction, message, { now: clock.now(), tell: (subject) => told.push(subject) }),
        ),
      );
    },
    countFailedParts: (messageId) => countParts(database, { message_id: messageId, status: 'failed' }),
    renew: (messageId, newTag) =>
      settling(messageId, (transaction) => renewMessage(transaction, { messageId, newTag, now: clock.now() })),
    countWrittenParts: async (accountId, since, limit) => {
      const newest = (status: MessageStatus): Promise<(number | string | null)[]> =>
        database('message_parts')
          .where({ account_id: accountId, status })
          .orderBy('row', 'desc')
          .limit(limit)
          .pluck('written_at');
      const times = [...(await newest('queued')), ...(await newest('echoed'))];
      return times.filter((at) => at !== null && Number(at) >= since).length;
    },
    setPartStatus: ({ messageId, number }, status, reason) =>
      settling(messageId, async (transaction) => {
        const now = clock.now();
        await transaction('message_parts')
          .where({ message_id: messageId, number })
          .update({ status, ...(status === 'queued' ? { written_at: now } : {}) });
        const failure = reason === undefined ? undefined : { number, reason };
        const message = await settleMessage(transaction, messageId, { now, failure });
        return message === undefined ? undefined : messageOf(message);
      }),
    outstanding: async (accountId, since) => {
      // Each by its status, in the order of an index: otherwise everything that the account ever said would be read, or all
      // that was dropped without a word.
      const parts = (status: MessageStatus) => database('message_parts').where({ account_id: accountId, status });
      const byTime = ['created_at', 'row'];
      const awaited = parts('queued').where('created_at', '>=', since).whereNull('overtaken_at').orderBy(byTime);
      // An index of just these; the database sees that only where the status is part of the statement.
      const heard = database('message_parts')
        .where('account_id', accountId)
        .whereRaw("status = 'queued' AND echoed_at IS NOT NULL")
        .orderBy('row');
      const rows: PartRow[] = await database
        .from(parts('pending').orderBy('row').as('pending'))
        .union([awaited.as('awaited'), heard.as('heard')].map((each) => database.from(each).select('*')))
        .select('*')
        .orderBy('row');
      return rows.map((row) => ({
        ...partOf(row),
        createdAt: Number(row.created_at),
        writtenAt: row.written_at === null ? null : Number(row.written_at),
        echoedAt: row.echoed_at === null ? null : Number(row.echoed_at),
      }));
    },
  };
}

async function findByKey(
  database: Database,
  { accountId, clientId, key }: { accountId: string; clientId: string; key: string },
): Promise<KeyedMessage | undefined> {
  // The entry has what others saw; the lines together are what was to be said.
  const rows: (MessageRow & { text: string })[] = await database('messages')
    .join('message_parts', 'message_parts.message_id', 'messages.message_id')
    .where({ 'messages.account_id': accountId, client_id: clientId, idempotency_key: key })
    .orderBy('message_parts.number')
    .select('messages.*', 'message_parts.text');
  const [row] = rows;
  return row === undefined ? undefined : { message: messageOf(row), text: rows.map(({ text }) => text).join('') };
}

async function insertMessage(
  database: Database,
  message: NewMessage,
  { now, tell }: Pick<Stored, 'now' | 'tell'>,
): Promise<OutgoingMessage> {
  const [messageId, entryId] = [newId('msg'), newId('ent')];
  await lock(database, arrivalLock(message.accountId));
  const inserted: PlacedRow[] = await database('entries')
    .insert({
      entry_id: entryId,
      account_id: message.accountId,
      fingerprint: `local:${messageId}`,
      network: message.network,
      channel: message.channel,
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
  await database('messages').insert({
    message_id: messageId,
    account_id: message.accountId,
    client_id: message.clientId,
    session_id: message.sessionId ?? null,
    idempotency_key: message.idempotencyKey ?? null,
    channel: message.channel,
    entry_id: entryId,
    status: 'pending',
    created_at: now,
  });
  await insertParts(
    database,
    { messageId, accountId: message.accountId, channel: message.channel, now },
    message.parts,
  );
  const { accountId, network, channel, clientId } = message;
  await countSent(database, { accountId, channel }, { clientId, sessionId: message.sessionId ?? null });
  await react({ transaction: database, accountId, network, now, entries: inserted.map(placedEntryOf), tell });
  return { messageId, entryId, channel: message.channel, status: 'pending', reason: null };
}

async function renewMessage(
  database: Database,
  { messageId, newTag, now }: { messageId: string; newTag: () => string; now: number },
): Promise<OutgoingMessage> {
  const failed: PartRow[] = await database('message_parts').where({ message_id: messageId, status: 'failed' });
  for (const { row } of failed) {
    await database('message_parts')
      .where('row', row)
      .update({ status: 'pending', tag: newTag(), created_at: now, written_at: null, ...NOT_ECHOED });
  }
  const message = await settleMessage(database, messageId, { now });
  if (message === undefined) throw new Error('the message vanished');
  return messageOf(message);
}

/** Before a message changes: its entry may get or lose its place, and the message itself may end, while this waits. Gives its account. */
async function lockArrivals(database: Database, messageId: string): Promise<string | undefined> {
  const message: Pick<MessageRow, 'account_id'> | undefined = await database('messages')
    .where('message_id', messageId)
    .first('account_id');
  if (message !== undefined) await lock(database, arrivalLock(message.account_id));
  return message?.account_id;
}

async function countParts(database: Database, which: Partial<PartRow>): Promise<number> {
  const [found] = await database<PartRow>('message_parts')
    .where(which)
    .count<{ parts: number | string }[]>({ parts: '*' });
  return Number(found?.parts);
}

async function insertParts(
  database: Database,
  { messageId, accountId, channel, now }: { messageId: string; accountId: string; channel: string; now: number },
  parts: readonly NewPart[],
): Promise<void> {
  await database('message_parts').insert(
    parts.map((part, index) => ({
      message_id: messageId,
      account_id: accountId,
      number: index + 1,
      channel,
      ...part,
      status: 'pending',
      created_at: now,
    })),
  );
}

function messageOf(row: MessageRow): OutgoingMessage {
  return {
    messageId: row.message_id,
    entryId: row.entry_id,
    channel: row.channel,
    status: row.status,
    reason: row.reason,
  };
}

function partOf(row: PartRow): MessagePart {
  return { messageId: row.message_id, number: row.number, channel: row.channel, text: row.text, tag: row.tag };
}
