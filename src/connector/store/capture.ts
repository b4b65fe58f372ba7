import type { Clock } from '../../kernel/clock.ts';
import { channelKey } from '../domain/channel.ts';
import { isOfLongAgo } from '../domain/event-time.ts';
import type { CaptureBatch, CaptureStore } from '../ports/capture-store.ts';
import type { Invalidations, Subject } from '../ports/invalidations.ts';
import { Semaphore } from '../semaphore.ts';
import { insertGap } from './capture-gap.ts';
import type { Database } from './database.ts';
import { arrivalLock, lock } from './dialect.ts';
import { type GivenNumbers, Ingest } from './ingest.ts';
import { namesOfNetwork } from './known-networks.ts';
import { react } from './reactions.ts';
import { isRefusal } from './refusal.ts';
import { type BorderOf, readBorders } from './retention-borders.ts';
import { groupsOf } from './rows-at-once.ts';
import { invalidating } from './shared-invalidations.ts';
import type { Stored } from './stored.ts';

interface SyncRow {
  account_id: string;
  network: string;
  channel_key: string;
  synced_to: number;
}

const syncKey = (accountId: string, network: string, channel: string) => ({
  account_id: accountId,
  network,
  channel_key: channelKey(channel),
});

/** Most connections of the pool. */
const connectionsOf = ({ client }: Database): number => (client.pool as { max?: number } | undefined)?.max ?? 1;

/**
 * Stores the bouncer's lines, each once; see domain/fingerprint.ts. Half of the connections are left to requests: a
 * network may send lines for all accounts at once, as fast as it likes. There are never more waiting batches than
 * accounts.
 */
export function createCaptureStore(database: Database, clock: Clock, invalidations: Invalidations): CaptureStore {
  const given: GivenNumbers = new WeakMap();
  const syncs = () => database<SyncRow>('channel_syncs');
  const places = new Semaphore(Math.max(1, Math.floor(connectionsOf(database) / 2)));
  /** Runs a transaction that stores entries, under the account's arrival lock. */
  const arriving = <T>(
    accountId: string,
    work: (transaction: Database, invalidate: Stored['invalidate']) => Promise<T>,
  ): Promise<T> => {
    const subjects: Subject[] = [['entries', accountId]];
    return places.use(() =>
      invalidating(invalidations, subjects, () =>
        database.transaction(async (transaction) => {
          await lock(transaction, arrivalLock(accountId));
          return work(transaction, (subject) => subjects.push(subject));
        }),
      ),
    );
  };
  return {
    begin: async (accountId, network, channels, at) => {
      const rows = channels.map((channel) => ({ ...syncKey(accountId, network, channel), synced_to: at }));
      for (const group of groupsOf(rows)) {
        await syncs().insert(group).onConflict(['account_id', 'network', 'channel_key']).ignore();
      }
    },
    syncedTo: async (accountId, network, channel) => {
      const row = await syncs()
        .where(syncKey(accountId, network, channel))
        .first();
      return row === undefined ? clock.now() : Number(row.synced_to);
    },
    removedTo: async (accountId, network, channel) =>
      (await readBorders(database, { accountId, network }, [channel]))(channel),
    hasLines: async (accountId, network, channel, { from, to }) => {
      const row: unknown = await database('entries')
        .where({ account_id: accountId, channel, timestamp_source: 'server' })
        .whereIn('network', await namesOfNetwork(database, network))
        .whereNot('kind', 'gap')
        .whereBetween('event_at', [from, to])
        .first('row');
      return row !== undefined;
    },
    ingest: async (accountId, network, batch) => {
      const ingest = (isCareful: boolean) =>
        arriving(accountId, async (transaction, invalidate) => {
          const now = clock.now();
          const borderOf = await bordersFor(transaction, { accountId, network, now }, batch);
          const target = { accountId, network, now, isCareful, given, borderOf, invalidate };
          const ingested = await new Ingest(transaction, target).run(batch);
          await moveSyncs(transaction, { accountId, network, now }, batch);
          return ingested;
        });
      try {
        return await ingest(false);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return await ingest(true);
      }
    },
    nameNetwork: async (network) => {
      await syncs().where('network', '').update({ network });
      await database('retention_borders').where('network', '').update({ network });
    },
    addGap: (accountId, network, channel, gap) =>
      arriving(accountId, async (transaction, invalidate) => {
        const now = clock.now();
        const entries = await insertGap(transaction, { accountId, network, channel, gap, now });
        await react({ transaction, accountId, network, now, entries, invalidate });
      }),
  };
}

/**
 * Returns the retention borders that may apply to the batch. Live lines need them only if one is old: a server may
 * replay it to clients that join.
 */
function bordersFor(
  database: Database,
  { accountId, network, now }: { accountId: string; network: string; now: number },
  { lines, isReplay }: CaptureBatch,
): Promise<BorderOf> {
  const isAsked = isReplay || lines.some(({ line }) => isOfLongAgo(line.serverAt, now));
  if (!isAsked) return Promise.resolve(() => undefined);
  const channels = [...new Set(lines.map(({ line }) => line.channel))];
  return readBorders(database, { accountId, network }, channels);
}

/**
 * Advances the sync times to the earlier of the server's time and our own: a replay must begin early enough for both
 * clocks. Moves back after a clock that ran ahead, but not to a very old line: everything since would be replayed.
 */
async function moveSyncs(
  database: Database,
  { accountId, network, now }: { accountId: string; network: string; now: number },
  { lines, synced }: CaptureBatch,
): Promise<void> {
  const newest = new Map<string, number>();
  for (const { line } of lines) {
    if (line.serverAt === undefined || !synced.has(line.channel)) continue;
    newest.set(line.channel, Math.max(newest.get(line.channel) ?? 0, line.serverAt));
  }
  for (const [channel, at] of newest) {
    const to = Math.min(at, now);
    const sync = database<SyncRow>('channel_syncs').where(syncKey(accountId, network, channel));
    if (isOfLongAgo(at, now)) {
      sync.where((other) => other.where('synced_to', '<', to).orWhere('synced_to', '>', now));
    }
    await sync.update({ synced_to: to });
  }
}
