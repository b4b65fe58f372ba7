import type { Clock } from '../../kernel/clock.ts';
import { OUTSTANDING_MAX_MS } from '../domain/limits.ts';
import type { MessageStatus } from '../domain/outgoing-message.ts';
import type { Invalidations, Subject } from '../ports/invalidations.ts';
import type { RetentionStore } from '../ports/store.ts';
import type { Sender } from './counts.ts';
import type { Database } from './database.ts';
import { depart } from './departures.ts';
import { arrivalLock, lock } from './dialect.ts';
import { forgetStored } from './forget-stored.ts';
import { noteDeleted, owedDeletions } from './owed-deletions.ts';
import { moveBorders, type Removed } from './retention-borders.ts';
import { invalidating } from './shared-invalidations.ts';
import { pruneBlocks } from './text-index.ts';

interface Doomed extends Removed {
  row: number | string;
  /** Null unless the entry is a send. */
  message_id: string | null;
  client_id: string | null;
  session_id: string | null;
  status: MessageStatus | null;
}

/** Bound by row, except for sends that are still on their way: pending ones, and those written since a time. */
interface SettledUpTo {
  row: number;
  writtenBefore: number;
}

const OLDEST_FIRST = ['entries.event_at', 'entries.row'];
/** Order for removing everything: whole blocks of the search index at once. */
const CHANNEL_BY_CHANNEL = ['entries.channel', 'entries.row'];

interface Bounds {
  order: typeof OLDEST_FIRST;
  before?: number;
  upTo?: SettledUpTo;
  limit: number;
}

export interface RetentionStoreParts {
  database: Database;
  /** See `OpenDatabase`. */
  readers: Database;
  clock: Clock;
  invalidations: Invalidations;
}

export function createRetentionStore({ database, readers, clock, invalidations }: RetentionStoreParts): RetentionStore {
  const pruning = (accountId: string, bounds: Bounds): Promise<number> =>
    invalidating(invalidations, [['entries', accountId]], () => prune(database, accountId, bounds));
  /** Removes deleted entries of an account that stays. */
  const removeForgotten = async (accountId: string, row: number, limit: number): Promise<number> => {
    const upTo = { row, writtenBefore: clock.now() - OUTSTANDING_MAX_MS };
    const count = await pruning(accountId, { order: CHANNEL_BY_CHANNEL, upTo, limit });
    if (count === 0) {
      // Sends that were on their way become readable again.
      await invalidating(invalidations, readingOf(accountId), () => noteDeleted(database, accountId, row));
    }
    return count;
  };
  /** Removes all entries of an account that is being removed: no client waits for its sends any more. */
  const removeAll = async (accountId: string, limit: number): Promise<number> => {
    const count = await pruning(accountId, { order: CHANNEL_BY_CHANNEL, limit });
    // The account itself can be deleted now.
    if (count === 0) invalidations.invalidate('owed', accountId);
    return count;
  };
  return {
    pruneOlder: (accountId, before, limit) => pruning(accountId, { order: OLDEST_FIRST, before, limit }),
    pruneOldest: (accountId, limit) => pruning(accountId, { order: OLDEST_FIRST, limit }),
    forgetStored: (accountId) =>
      invalidating(invalidations, [...readingOf(accountId), ['subscriptions', accountId], ['owed', accountId]], () =>
        forgetStored(database, accountId, clock.now()),
      ),
    owed: () => owedDeletions(readers),
    removeOwed: ({ accountId, upTo }, limit) =>
      upTo === null ? removeAll(accountId, limit) : removeForgotten(accountId, upTo, limit),
    excess: async (accountId, keep) => {
      const [count] = await readers('entries')
        .where('account_id', accountId)
        .count<{ entries: number | string }[]>({ entries: '*' });
      return Math.max(0, Number(count?.entries) - keep);
    },
  };
}

/** Subjects that change when rows become hidden or visible. */
const readingOf = (accountId: string): Subject[] => [
  ['account', accountId],
  ['entries', accountId],
];

/** Removes a send with its entry; its idempotency key is then free for another send. */
function prune(database: Database, accountId: string, bounds: Bounds): Promise<number> {
  return database.transaction(async (transaction) => {
    // Lock: waits for sends that fail or are sent again, and for indexing, which could make a block from removed
    // entries.
    await lock(transaction, arrivalLock(accountId));
    const doomed = await oldest(transaction, accountId, bounds);
    if (doomed.length === 0) return 0;
    const rows = doomed.map(({ row }) => row);
    await transaction('entries').whereIn('row', rows).delete();
    const messages = doomed.flatMap(({ message_id: messageId }) => (messageId === null ? [] : [messageId]));
    await moveBorders(transaction, accountId, doomed);
    if (messages.length > 0) await transaction('messages').whereIn('message_id', messages).delete();
    for (const channel of new Set(doomed.map((entry) => entry.channel))) {
      const ofChannel = doomed.filter((entry) => entry.channel === channel);
      // A failed send has lost its place before.
      const departures = ofChannel
        .filter(({ status }) => status !== 'failed')
        .map((entry) => ({ row: Number(entry.row), sender: senderOf(entry) }));
      await depart(transaction, { accountId, channel }, departures, { isLoss: true });
      const pruned = ofChannel.map(({ row }) => Number(row));
      await pruneBlocks(transaction, accountId, channel, pruned);
    }
    return doomed.length;
  });
}

async function oldest(
  database: Database,
  accountId: string,
  { order, before, upTo, limit }: Bounds,
): Promise<Doomed[]> {
  const entries = database('entries')
    .leftJoin('messages', 'messages.message_id', 'entries.message_id')
    .where('entries.account_id', accountId)
    .orderBy(order)
    .limit(limit);
  if (before !== undefined) entries.where('entries.event_at', '<', before);
  if (upTo !== undefined) {
    entries.where('entries.row', '<=', upTo.row).where((settled) =>
      settled
        .whereNull('messages.message_id')
        .orWhereIn('messages.status', ['echoed', 'failed'])
        .orWhere((written) =>
          written.where('messages.status', 'queued').where('messages.created_at', '<', upTo.writtenBefore),
        ),
    );
  }
  return entries.select<Doomed[]>(
    'entries.row',
    'entries.network',
    'entries.channel',
    'entries.event_at',
    'entries.timestamp_source',
    'messages.message_id',
    'messages.client_id',
    'messages.session_id',
    'messages.status',
  );
}

const senderOf = ({ client_id: clientId, session_id: sessionId }: Doomed): Sender | undefined =>
  clientId === null ? undefined : { clientId, sessionId };
