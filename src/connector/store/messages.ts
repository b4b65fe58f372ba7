import type { Clock } from '../../kernel/clock.ts';
import type { MessagePart, MessageStatus, OutgoingMessage } from '../domain/outgoing-message.ts';
import { isDoubtful } from '../errors.ts';
import type { Invalidations, Subject } from '../ports/invalidations.ts';
import type { Accepted, Admit, Hold, KeyedMessage, MessageStore, SendToAccept } from '../ports/message-store.ts';
import { acceptSend, Held } from './accept-send.ts';
import { Cache } from './cache.ts';
import type { Database } from './database.ts';
import { arrivalLock, lock } from './dialect.ts';
import { type MessageRow, type PartRow, settleMessage } from './parts.ts';
import { findByKey, messageOf } from './sends.ts';
import { invalidating } from './shared-invalidations.ts';

/** Cache size: a send is repeated soon or never, and its text may be long. */
const KEYED_MAX = 2_000;

export interface MessageStoreParts {
  database: Database;
  /** See `OpenDatabase`: reading a send does not wait for writes. */
  readers: Database;
  clock: Clock;
  invalidations: Invalidations;
}

export function createMessageStore({ database, readers, clock, invalidations }: MessageStoreParts): MessageStore {
  const find = async (which: Partial<MessageRow>): Promise<OutgoingMessage | undefined> => {
    const row = await readers<MessageRow>('messages').where(which).first();
    return row === undefined ? undefined : messageOf(row);
  };
  // Serves clients that repeat a send. Each change of a send invalidates its account's entries.
  const byKey = new Cache<KeyedMessage, 'entries'>(invalidations, ['entries'], { max: KEYED_MAX, isStrict: true });
  /** Runs a transaction that may change a message's place, under the account's arrival lock. */
  const settling = <T>(messageId: string, work: (transaction: Database) => Promise<T>): Promise<T> => {
    const subjects: Subject[] = [];
    return invalidating(invalidations, subjects, () =>
      database.transaction(async (transaction) => {
        const accountId = await lockArrivals(transaction, messageId);
        if (accountId !== undefined) subjects.push(['entries', accountId]);
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
    accept: (send, admit) => acceptOnce({ database, clock, invalidations }, send, admit),
    forgetPost: async (messageId) => {
      await database<MessageRow>('messages').where('message_id', messageId).update({ posted_at: null });
    },
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
    setPartStatus: ({ messageId, number }, status, reason, pacedUntil) =>
      settling(messageId, async (transaction) => {
        const now = clock.now();
        // PostgreSQL refuses a fraction: the pace is computed from a clock that has one.
        const until = pacedUntil === undefined ? null : Math.ceil(pacedUntil);
        const writing = {
          pending: { written_at: null, paced_until: null },
          queued: { written_at: now, paced_until: until },
        };
        await transaction('message_parts')
          .where({ message_id: messageId, number })
          .update({ status, ...(status === 'pending' || status === 'queued' ? writing[status] : {}) });
        const failure = reason === undefined ? undefined : { number, reason };
        const message = await settleMessage(transaction, messageId, { now, failure });
        return message === undefined ? undefined : messageOf(message);
      }),
    // Reads the partial index of the lines that wait.
    accountsWaiting: () =>
      readers('accounts')
        .whereNotNull('online_since')
        .whereExists(
          readers('message_parts').whereRaw("message_parts.account_id = accounts.account_id AND status = 'pending'"),
        )
        .pluck('account_id'),
    outstanding: async (accountId, since) => {
      // Selected by status, in the order of an index: otherwise all messages that the account ever sent would be read,
      // or all that were silently dropped.
      const parts = (status: MessageStatus) => database('message_parts').where({ account_id: accountId, status });
      const byTime = ['created_at', 'row'];
      const awaited = parts('queued').where('created_at', '>=', since).whereNull('overtaken_at').orderBy(byTime);
      // Uses a partial index; the database uses it only if the status is part of the statement.
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

async function acceptOnce(
  { database, clock, invalidations }: Pick<MessageStoreParts, 'database' | 'clock' | 'invalidations'>,
  send: SendToAccept,
  admit: Admit,
): Promise<Accepted | Hold> {
  const subjects: Subject[] = [['entries', send.accountId]];
  const outcome = await invalidating(invalidations, subjects, async () => {
    try {
      return await database.transaction((transaction) =>
        acceptSend(transaction, send, admit, { now: clock.now(), invalidate: (subject) => subjects.push(subject) }),
      );
    } catch (error) {
      if (error instanceof Held) return error.hold;
      // A refusal has stored nothing, so there is no later change to expect.
      if (!isDoubtful(error)) return { refusal: error };
      throw error;
    }
  });
  if ('refusal' in outcome) throw outcome.refusal;
  return outcome;
}

/**
 * Locks the account before a message changes: its entry may get or lose its place, and the message itself may end
 * meanwhile. Returns the account.
 */
async function lockArrivals(database: Database, messageId: string): Promise<string | undefined> {
  const message: Pick<MessageRow, 'account_id'> | undefined = await database('messages')
    .where('message_id', messageId)
    .first('account_id');
  if (message !== undefined) await lock(database, arrivalLock(message.account_id));
  return message?.account_id;
}

function partOf(row: PartRow): MessagePart {
  const { message_id: messageId, number, channel, text, tag, network } = row;
  return { messageId, number, channel, text, tag, network };
}
