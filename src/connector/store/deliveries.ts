import type { Knex } from 'knex';
import type { Clock } from '../../kernel/clock.ts';
import { DELIVERY_AGE_MAX_MS } from '../domain/limits.ts';
import type { CallbackFailure } from '../ports/callbacks.ts';
import type { DeliveryStore, DueDelivery } from '../ports/deliveries.ts';
import type { Invalidations, Subject } from '../ports/invalidations.ts';
import type { Seal } from '../ports/seal.ts';
import { openCallback, type StoredCallback, signingSecrets } from './callback-seal.ts';
import type { Database } from './database.ts';
import { type DeliveryRow, droppedCount, dropStale } from './delivery-queue.ts';
import { dueInTurn, nextDueAt } from './delivery-turns.ts';
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
        const delivery = await lockedDelivery(transaction, deliveryId);
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
    nextDueAt: () => nextDueAt(readers, clock.now()),
    dueBy: async (latest) => {
      await database<DeliveryRow>('deliveries').where('due_at', '>', latest).update({ due_at: latest });
    },
    isWanted: (deliveryId) => isWanted(readers, deliveryId, clock.now()),
    giveBack: async (deliveryId) => {
      await database<DeliveryRow>('deliveries').where('event_id', deliveryId).update({ leased_until: 0 });
    },
    counts: async () => {
      const [count] = await readers('deliveries').count<{ waiting: number | string }[]>({ waiting: '*' });
      return { waiting: Number(count?.waiting), dropped: await droppedCount(readers) };
    },
    releaseAllBut: async (deliveryIds) => {
      await database<DeliveryRow>('deliveries')
        .where('leased_until', '>', 0)
        .whereNotIn('event_id', [...deliveryIds])
        .update({ leased_until: 0 });
    },
    removeStale: (limit) => {
      const told: Subject[] = [];
      return telling(invalidations, told, () =>
        database.transaction(async (transaction) => {
          const accountIds = await dropStale(transaction, clock.now() - DELIVERY_AGE_MAX_MS, limit);
          told.push(...accountIds.map((accountId): Subject => ['subscriptions', accountId]));
          return accountIds.length;
        }),
      );
    },
  };
}

/** With the callback of its subscription, encrypted. */
type TakenRow = DeliveryRow & Pick<SubscriptionRow, 'callback_sealed'>;

const CALLBACK = `(SELECT subscriptions.callback_sealed FROM subscriptions
  WHERE subscriptions.subscription_id = deliveries.subscription_id) AS callback_sealed`;

async function take(parts: DeliveryStoreParts, limit: number, leaseMs: number): Promise<DueDelivery[]> {
  const { database, readers, clock } = parts;
  const now = clock.now();
  // Whose turn it is takes long where thousands wait: others write meanwhile.
  const rows = await dueInTurn(readers, now, limit);
  if (rows.length === 0) return [];
  const taken: TakenRow[] = await database<DeliveryRow>('deliveries')
    .whereIn('deliveries.row', freeOf(database, rows, now))
    .update({ leased_until: now + leaseMs })
    // All at once: if a second question failed, what is leased would be under way nowhere until its lease ends.
    .returning(['*', database.raw(CALLBACK)]);
  const due: DueDelivery[] = [];
  for (const row of taken.sort((a, b) => a.row - b.row)) {
    const callback = openCallback(parts.seal, row.subscription_id, row.callback_sealed);
    if (callback !== undefined) due.push(dueDelivery(row, callback, now));
    else await endUnreadable(parts, row);
  }
  return due;
}

/** In PostgreSQL another process may be taking some of the same at this moment. SQLite has one writer at a time. */
function freeOf(database: Database, rows: readonly number[], now: number): Knex.QueryBuilder {
  const free = database('deliveries')
    .whereIn('deliveries.row', [...rows])
    .where('deliveries.leased_until', '<=', now)
    .select('deliveries.row');
  return dialectOf(database) === 'sqlite' ? free : free.forUpdate().skipLocked();
}

/** A subscription whose callback the present keys don't open can never be served: it ends, so that its client begins anew. */
function endUnreadable(
  { database, invalidations }: DeliveryStoreParts,
  { account_id: accountId, subscription_id, callback_sealed }: TakenRow,
): Promise<void> {
  return telling(invalidations, [['subscriptions', accountId]], async () => {
    // It may just have been encrypted anew.
    await database<SubscriptionRow>('subscriptions').where({ subscription_id, callback_sealed }).delete();
  });
}

/** The same that `take` asks of a delivery, beside whether it is due and whose turn it is. */
async function isWanted(database: Database, deliveryId: string, now: number): Promise<boolean> {
  const wanted: unknown = await database('deliveries')
    .join('subscriptions', 'subscriptions.subscription_id', 'deliveries.subscription_id')
    .join('selections', (join) =>
      join.on('selections.account_id', 'deliveries.account_id').andOn('selections.channel', 'deliveries.channel'),
    )
    .where('deliveries.event_id', deliveryId)
    .where('subscriptions.expires_at', '>', now)
    .first('deliveries.row');
  return wanted !== undefined;
}

const dueDelivery = (row: DeliveryRow, callback: StoredCallback, now: number): DueDelivery => ({
  // A mention is delivered to a subscription once, so its event names the delivery.
  deliveryId: row.event_id,
  eventId: row.event_id,
  subscriptionId: row.subscription_id,
  accountId: row.account_id,
  url: callback.url,
  secrets: signingSecrets(callback, now),
  body: row.body,
  attempts: row.attempts,
});

/**
 * The subscription first, as when it ends with its deliveries: two transactions that took them in another order could wait
 * for each other.
 */
async function lockedDelivery(transaction: Database, deliveryId: string): Promise<DeliveryRow | undefined> {
  const delivery = () => transaction<DeliveryRow>('deliveries').where('event_id', deliveryId);
  const { subscription_id } = (await delivery().first('subscription_id')) ?? {};
  if (subscription_id === undefined) return undefined;
  await transaction<SubscriptionRow>('subscriptions')
    .where({ subscription_id })
    .forNoKeyUpdate()
    .select('subscription_id');
  return delivery().forUpdate().first();
}

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
