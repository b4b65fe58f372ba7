import type { Clock } from '../../kernel/clock.ts';
import { DELIVERY_AGE_MAX_MS } from '../domain/limits.ts';
import type { CallbackFailure } from '../ports/callbacks.ts';
import type { DeliveryStore, DueDelivery } from '../ports/delivery-store.ts';
import type { Invalidations, Subject } from '../ports/invalidations.ts';
import type { Seal } from '../ports/seal.ts';
import { openCallback, type StoredCallback, signingSecrets } from './callback-seal.ts';
import type { Database } from './database.ts';
import { endLeases, type LeaseParts, LeasesOfTheDead, leaseDue, ownLeases, type TakenRow } from './delivery-leases.ts';
import { type DeliveryRow, droppedCount, dropStale } from './delivery-queue.ts';
import { nextDueInMs } from './delivery-turns.ts';
import { ownLeaseClock, sharedLeaseClock } from './lease-clock.ts';
import { invalidating } from './shared-invalidations.ts';
import type { SubscriptionRow } from './subscriptions.ts';

export interface DeliveryStoreParts extends Omit<LeaseParts, 'leaseClock'> {
  seal: Seal;
  clock: Clock;
  invalidations: Invalidations;
}

type DeliveryParts = DeliveryStoreParts & LeaseParts;

/** Result of an attempt; an outcome is final. */
type Settled = { outcome: 'accepted' } | { outcome: 'failed' | undefined; failure: CallbackFailure; retryInMs: number };

/**
 * Least rest of a lease when an attempt begins: longer than a request, so that no other process attempts it meanwhile.
 */
const LEASE_REST_MS = 20_000;

export function createDeliveryStore(store: DeliveryStoreParts): DeliveryStore {
  const parts = { ...store, leaseClock: store.processId === undefined ? ownLeaseClock(store.clock) : sharedLeaseClock };
  const { database, readers, clock, leaseClock, processId, invalidations } = parts;
  const dead = new LeasesOfTheDead(parts);
  const settle = (deliveryId: string, settled: Settled): Promise<void> => {
    const subjects: Subject[] = [];
    return invalidating(invalidations, subjects, () =>
      database.transaction(async (transaction) => {
        const delivery = await lockedDelivery(transaction, deliveryId);
        // Its subscription has ended, or the delivery was dropped.
        if (delivery === undefined) return;
        subjects.push(['subscriptions', delivery.account_id]);
        await settleIn(transaction, delivery, settled, parts);
      }),
    );
  };
  return {
    take: (limit, leaseMs) => take(parts, limit, leaseMs),
    accepted: (deliveryId) => settle(deliveryId, { outcome: 'accepted' }),
    failedAttempt: (deliveryId, failure, retryInMs) =>
      settle(deliveryId, {
        outcome: retryInMs === undefined ? 'failed' : undefined,
        failure,
        retryInMs: retryInMs ?? 0,
      }),
    nextDueInMs: () => nextDueInMs(readers, leaseClock.now(readers)),
    makeAllDue: async () => {
      const now = leaseClock.now(database);
      await database('deliveries').where('due_at', '>', now).update({ due_at: now });
    },
    isWanted: (deliveryId) => isWanted(parts, deliveryId),
    giveBack: (deliveryId) => endLeases(ownLeases(database, parts).where('event_id', deliveryId)),
    counts: async () => {
      const [count] = await readers('deliveries').count<{ waiting: number | string }[]>({ waiting: '*' });
      return { waiting: Number(count?.waiting), dropped: await droppedCount(readers) };
    },
    releaseAllBut: (deliveryIds) => endLeases(ownLeases(database, parts).whereNotIn('event_id', [...deliveryIds])),
    releaseOfDead: async () => processId !== undefined && dead.release(clock.monotonic()),
    removeStale: (limit) => {
      const subjects: Subject[] = [];
      return invalidating(invalidations, subjects, () =>
        database.transaction(async (transaction) => {
          const accountIds = await dropStale(transaction, clock.now() - DELIVERY_AGE_MAX_MS, limit);
          subjects.push(...accountIds.map((accountId): Subject => ['subscriptions', accountId]));
          return accountIds.length;
        }),
      );
    },
  };
}

async function take(parts: DeliveryParts, limit: number, leaseMs: number): Promise<DueDelivery[]> {
  const now = parts.clock.now();
  const due: DueDelivery[] = [];
  for (const row of (await leaseDue(parts, limit, leaseMs)).sort((a, b) => a.row - b.row)) {
    const callback = openCallback(parts.seal, row.subscription_id, row.callback_sealed);
    if (callback !== undefined) due.push(dueDelivery(row, callback, now));
    else await endUnreadable(parts, row);
  }
  return due;
}

/**
 * Ends a subscription whose callback the present keys don't open: it can never be served, so its client must subscribe
 * anew.
 */
function endUnreadable(
  { database, invalidations }: DeliveryStoreParts,
  { account_id: accountId, subscription_id, callback_sealed }: TakenRow,
): Promise<void> {
  return invalidating(invalidations, [['subscriptions', accountId]], async () => {
    // Only if it has not been encrypted again meanwhile.
    await database<SubscriptionRow>('subscriptions').where({ subscription_id, callback_sealed }).delete();
  });
}

/** Whether a delivery may still be made: the conditions of `take` without due time and turn, and a lease that lasts. */
async function isWanted({ readers, processId, leaseClock }: DeliveryParts, deliveryId: string): Promise<boolean> {
  const wanted = readers('deliveries')
    .join('subscriptions', 'subscriptions.subscription_id', 'deliveries.subscription_id')
    .join('selections', (join) =>
      join.on('selections.account_id', 'deliveries.account_id').andOn('selections.channel', 'deliveries.channel'),
    )
    .where('deliveries.event_id', deliveryId)
    .where('subscriptions.expires_at', '>', leaseClock.now(readers));
  if (processId !== undefined) {
    wanted
      .where('deliveries.leased_by', processId)
      .where('deliveries.leased_until', '>', leaseClock.after(readers, LEASE_REST_MS));
  }
  return (await wanted.first('deliveries.row')) !== undefined;
}

const dueDelivery = (row: DeliveryRow, callback: StoredCallback, now: number): DueDelivery => ({
  // A mention is delivered to a subscription once, so the event's id identifies the delivery.
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
 * Locks a delivery and returns it. Lock order: subscription before delivery, as when it ends with its deliveries. The
 * other order can deadlock.
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
  { row, attempts, subscription_id, leased_by }: DeliveryRow,
  settled: Settled,
  { clock, leaseClock, processId }: Pick<DeliveryParts, 'clock' | 'leaseClock' | 'processId'>,
): Promise<void> {
  const delivery = () => transaction('deliveries').where('row', row);
  const subscription = () => transaction<SubscriptionRow>('subscriptions').where({ subscription_id });
  const now = clock.now();
  // Another process took this one for dead, and attempts it now: only an attempt that was accepted ends that.
  const isOfAnother = processId !== undefined && leased_by !== null && leased_by !== processId;
  if (isOfAnother && settled.outcome !== 'accepted') return;
  if (settled.outcome === undefined) {
    const due_at = leaseClock.after(transaction, settled.retryInMs);
    await delivery().update({ attempts: attempts + 1, due_at, leased_until: 0, leased_by: null });
  } else {
    await delivery().delete();
    // A late outcome, after newer ones, does not describe the present state.
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
