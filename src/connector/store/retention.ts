import type { RetentionStore } from '../ports/retention.ts';
import type { Database } from './database.ts';
import { arrivalLock, lock } from './dialect.ts';
import { markPruned } from './pruned-channels.ts';
import { pruneBlocks } from './text-index.ts';

interface Doomed {
  row: number;
  entry_id: string;
  channel: string;
  message_id: string | null;
}

const OLDEST_FIRST = ['event_at', 'row'];

export function createRetentionStore(database: Database): RetentionStore {
  const oldest = (accountId: string, limit: number) =>
    database('entries')
      .where('account_id', accountId)
      .orderBy(OLDEST_FIRST)
      .limit(limit)
      .select<Doomed[]>('row', 'entry_id', 'channel', 'message_id');
  return {
    pruneOlder: async (accountId, before, limit) =>
      prune(database, accountId, await oldest(accountId, limit).where('event_at', '<', before)),
    pruneExcess: async (accountId, keep, limit) => {
      const [count] = await database('entries')
        .where('account_id', accountId)
        .count<{ entries: number | string }[]>({ entries: '*' });
      const excess = Number(count?.entries) - keep;
      return excess <= 0 ? 0 : prune(database, accountId, await oldest(accountId, Math.min(excess, limit)));
    },
  };
}

/** Removes a send with its entry; its idempotency key is then free for another send. */
async function prune(database: Database, accountId: string, doomed: readonly Doomed[]): Promise<number> {
  if (doomed.length === 0) return 0;
  await database.transaction(async (transaction) => {
    // Waits for indexing: a block made meanwhile from removed entries would remain.
    await lock(transaction, arrivalLock(accountId));
    const rows = doomed.map(({ row }) => row);
    await transaction('entries').whereIn('row', rows).delete();
    const messages = doomed.flatMap(({ message_id: messageId }) => (messageId === null ? [] : [messageId]));
    if (messages.length > 0) await transaction('messages').whereIn('message_id', messages).delete();
    for (const channel of new Set(doomed.map((entry) => entry.channel))) {
      const ofChannel = doomed.filter((entry) => entry.channel === channel).map(({ row }) => Number(row));
      await markPruned(transaction, accountId, channel, Math.max(...ofChannel));
      await pruneBlocks(transaction, accountId, channel, ofChannel);
    }
  });
  return doomed.length;
}
