import type { Knex } from 'knex';
import type { Clock } from '../../kernel/clock.ts';
import { DELIVERIES_OF_SUBSCRIPTION_AT_ONCE, DELIVERY_AGE_MAX_MS } from '../domain/limits.ts';
import type { CallbackFailure } from '../ports/callbacks.ts';
import type { DeliveryStore, DueDelivery } from '../ports/deliveries.ts';
import type { Invalidations, Subject } from '../ports/invalidations.ts';
import type { Seal } from '../ports/seal.ts';
import { openCallback, type StoredCallback, signingSecrets } from './callback-seal.ts';
import type { Database } from './database.ts';
import { type DeliveryRow, drop, droppedCount } from './delivery-queue.ts';
import { dialectOf } from './dialect.ts';
import { telling } from './invalidations.ts';
import type { SubscriptionRow } from './subscriptions.ts';

export interface DeliveryStoreParts {
  database: Database;
  /** See `OpenDatabase`. */
  readers: Database;
  seal: Seal;
  clock: Clock;
  invalidations: Invalidations;
}

/** How an attempt ended; an outcome is for good. */
type Settled = { outcome: 'accepted' } | { outcome: 'failed' | undefined; failure: CallbackFailure; retryAt: number };

export function createDeliveryStore(parts: DeliveryStoreParts): DeliveryStore {
  const { database, readers, clock, invalidations } = parts;
  const settle = (deliveryId: string, settled: Settled): Promise<void> => {
    const told: Subject[] = [];
    return telling(invalidations, told, () =>
      database.transaction(async (transaction) => {
        const delivery = await transaction<DeliveryRow>('deliveries').where('event_id', deliveryId).forUpdate().first();
        // Its subscription has ended, or it was dropped.
        if (delivery === undefined) return;
        told.push(['subscriptions', delivery.account_id]);
        await settleIn(transaction, delivery, settled, clock.now());
      }),
    );
  };
  return {
    take: (limit, leaseMs) => take(parts, limit, leaseMs),
    accepted: (deliveryId) => settle(deliveryId, { outcome: 'accepted' }),
    failedAttempt: (deliveryId, failure, retryAt) =>
      settle(deliveryId, { outcome: retryAt === undefined ? 'failed' : undefined, failure, retryAt: retryAt ?? 0 }),
    nextDueAt: async () => {
      const [next] = await attemptable(readers, clock.now()).select<{ at: number | string | null }[]>(
        readers.raw('MIN(CASE WHEN ?? > ?? THEN ?? ELSE ?? END) AS at', [
          ...['deliveries.leased_until', 'deliveries.due_at'],
          ...['deliveries.leased_until', 'deliveries.due_at'],
        ]),
      );
      return next?.at === null || next?.at === undefined ? undefined : Number(next.at);
    },
    counts: async () => {
      const [count] = await readers('deliveries').count<{ waiting: number | string }[]>({ waiting: '*' });
      return { waiting: Number(count?.waiting), dropped: await droppedCount(readers) };
    },
    releaseEarlier: async () => {
      await database<DeliveryRow>('deliveries').where('leased_until', '>', 0).update({ leased_until: 0 });
    },
    removeStale: (limit) => {
      const told: Subject[] = [];
      return telling(invalidations, told, () =>
        database.transaction(async (transaction) => {
          const stale = await transaction<DeliveryRow>('deliveries')
            .where('created_at', '<', clock.now() - DELIVERY_AGE_MAX_MS)
            .limit(limit)
            .select('row', 'account_id');
          if (stale.length > 0) await drop(transaction, stale);
          told.push(...stale.map(({ account_id: accountId }): Subject => ['subscriptions', accountId]));
          return stale.length;
        }),
      );
    },
  };
}

/** Deliveries of subscriptions that live, of channels that are enabled: both may have changed since they were queued. */
const attemptable = (database: Database, now: number): Knex.QueryBuilder =>
  database('deliveries')
    .join('subscriptions', 'subscriptions.subscription_id', 'deliveries.subscription_id')
    .join('selections', (join) =>
      join.on('selections.account_id', 'deliveries.account_id').andOn('selections.channel', 'deliveries.channel'),
    )
    .where('subscriptions.expires_at', '>', now);

async function take(parts: DeliveryStoreParts, limit: number, leaseMs: number): Promise<DueDelivery[]> {
  const { database, clock } = parts;
  const now = clock.now();
  const free = freeRows(database, dueInTurn(database, now).limit(limit), now);
  const taken: DeliveryRow[] = await database<DeliveryRow>('deliveries')
    .with('free', free)
    .whereIn('deliveries.row', database.select('free.row').from('free'))
    .update({ leased_until: now + leaseMs })
    .returning('*');
  if (taken.length === 0) return [];
  const callbacks = await callbacksOf(
    parts,
    taken.map(({ subscription_id: id }) => id),
  );
  return taken
    .sort((a, b) => a.row - b.row)
    .flatMap((row) => {
      const callback = callbacks.get(row.subscription_id);
      return callback === undefined ? [] : [dueDelivery(row, callback, now)];
    });
}

/**
 * Deliveries that are due and that nobody has, by turns of their subscriptions: what is under way for one counts as its
 * first turns, so that a receiver which takes long gets no more than the others, and never more than a few.
 */
function dueInTurn(database: Database, now: number): Knex.QueryBuilder {
  const ranked = attemptable(database, now)
    .where('deliveries.due_at', '<=', now)
    .select('deliveries.row', 'deliveries.due_at', 'deliveries.leased_until')
    .select(
      database.raw('ROW_NUMBER() OVER (PARTITION BY ?? ORDER BY CASE WHEN ?? > ? THEN 0 ELSE 1 END, ??, ??) AS turn', [
        ...['deliveries.subscription_id', 'deliveries.leased_until', now],
        ...['deliveries.due_at', 'deliveries.row'],
      ]),
    );
  return database
    .from(ranked.as('ranked'))
    .where('ranked.leased_until', '<=', now)
    .where('ranked.turn', '<=', DELIVERIES_OF_SUBSCRIPTION_AT_ONCE)
    .orderBy(['ranked.turn', 'ranked.due_at', 'ranked.row'])
    .select('ranked.row');
}

/** In PostgreSQL another process may be taking some of the same at this moment. SQLite has one writer at a time. */
function freeRows(database: Database, due: Knex.QueryBuilder, now: number): Knex.QueryBuilder {
  if (dialectOf(database) === 'sqlite') return due;
  return database('deliveries')
    .whereIn('deliveries.row', due)
    .where('deliveries.leased_until', '<=', now)
    .select('deliveries.row')
    .forUpdate()
    .skipLocked();
}

/** A subscription whose callback the present keys don't open can never be served: it ends, so that its client begins anew. */
async function callbacksOf(
  { database, seal, invalidations }: DeliveryStoreParts,
  subscriptionIds: readonly string[],
): Promise<Map<string, StoredCallback>> {
  const rows = await database<SubscriptionRow>('subscriptions').whereIn('subscription_id', [...subscriptionIds]);
  const callbacks = new Map<string, StoredCallback>();
  for (const { subscription_id: id, account_id: accountId, callback_sealed: sealed } of rows) {
    const callback = openCallback(seal, id, sealed);
    if (callback !== undefined) callbacks.set(id, callback);
    else {
      await telling(invalidations, [['subscriptions', accountId]], () =>
        database<SubscriptionRow>('subscriptions').where({ subscription_id: id, callback_sealed: sealed }).delete(),
      );
    }
  }
  return callbacks;
}

const dueDelivery = (row: DeliveryRow, callback: StoredCallback, now: number): DueDelivery => ({
  // A mention is delivered to a subscription once, so its event names the delivery.
  deliveryId: row.event_id,
  eventId: row.event_id,
  subscriptionId: row.subscription_id,
  url: callback.url,
  secrets: signingSecrets(callback, now),
  body: row.body,
  attempts: row.attempts,
});

async function settleIn(
  transaction: Database,
  { row, attempts, subscription_id }: DeliveryRow,
  settled: Settled,
  now: number,
): Promise<void> {
  const delivery = () => transaction<DeliveryRow>('deliveries').where('row', row);
  const subscription = () => transaction<SubscriptionRow>('subscriptions').where({ subscription_id });
  if (settled.outcome === undefined) {
    await delivery().update({ attempts: attempts + 1, due_at: settled.retryAt, leased_until: 0 });
  } else {
    await delivery().delete();
    // One that ends late, after newer ones, tells nothing of how it stands now.
    await subscription()
      .where('outcome_row', '<', row)
      .update({ outcome: settled.outcome, outcome_row: row, outcome_at: now });
  }
  await subscription().update(
    settled.outcome === 'accepted'
      ? { accepted_at: now, failing_since: null, last_failure: null }
      : { failing_since: transaction.raw('COALESCE(failing_since, ?)', [now]), last_failure: settled.failure },
  );
}
