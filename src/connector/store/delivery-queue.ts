import { DELIVERIES_MAX, DELIVERIES_PER_SUBSCRIPTION } from '../domain/limits.ts';
import type { Database } from './database.ts';
import { dialectOf, lock } from './dialect.ts';
import { databaseClock } from './hold/database-clock.ts';
import { groupsOf } from './rows-at-once.ts';

export interface DeliveryRow {
  row: number;
  event_id: string;
  subscription_id: string;
  account_id: string;
  channel: string;
  body: string;
  attempts: number;
  created_at: number;
  due_at: number;
  leased_until: number;
  /** Id of the process that has leased it; null if only one can use the database. */
  leased_by: string | null;
}

export type NewDelivery = Omit<DeliveryRow, 'row' | 'attempts' | 'leased_until' | 'leased_by'>;

type Doomed = Pick<DeliveryRow, 'row' | 'subscription_id'>;

/** Subscription → number of its dropped deliveries. */
export type DroppedCounts = ReadonlyMap<string, number>;

const DROPPED = 'deliveries dropped';

const deliveriesIn = (database: Database) => database<DeliveryRow>('deliveries');

/**
 * Enqueues deliveries. If too many are queued, it drops the oldest of the subscription, or of the account with the
 * most. Returns the accounts of dropped deliveries.
 * @param leftOut deliveries of each subscription that were not inserted, and count as dropped
 */
export async function enqueue(
  transaction: Database,
  deliveries: readonly NewDelivery[],
  leftOut: DroppedCounts,
): Promise<string[]> {
  // Lock: another account's transaction may fill the queue meanwhile.
  await lock(transaction, 'deliveries');
  const latest = await databaseNow(transaction);
  for (const group of groupsOf(deliveries)) {
    const rows = group.map((each) => ({ ...each, due_at: Math.min(each.due_at, latest) }));
    await deliveriesIn(transaction).insert(rows).onConflict('event_id').ignore();
  }
  if (leftOut.size > 0) await countDropped(transaction, leftOut);
  const subscriptionIds = new Set(deliveries.map(({ subscription_id: id }) => id));
  const dropped: string[] = [];
  for (const { subscriptionId, surplus } of await overfull(transaction, [...subscriptionIds])) {
    dropped.push(...(await dropOldest(transaction, subscriptionId, surplus)));
  }
  const [all] = await deliveriesIn(transaction).count<{ waiting: number | string }[]>({ waiting: '*' });
  dropped.push(...(await dropDeepest(transaction, Number(all?.waiting) - DELIVERIES_MAX)));
  return dropped;
}

/**
 * Returns the time by the database's clock, by which other processes see what is due: a delivery must not wait because
 * the clock of this machine is ahead. Infinite for SQLite, whose clock is this machine's.
 */
async function databaseNow(transaction: Database): Promise<number> {
  if (dialectOf(transaction) === 'sqlite') return Number.POSITIVE_INFINITY;
  const result: { rows: { now: number }[] } = await transaction.raw(`SELECT ${databaseClock(transaction)} AS now`);
  return Number(result.rows[0]?.now);
}

/** Returns the subscriptions with too many queued deliveries, and the surplus of each. */
async function overfull(
  transaction: Database,
  subscriptionIds: readonly string[],
): Promise<{ subscriptionId: string; surplus: number }[]> {
  const counts: { id: string; waiting: number | string }[] = await deliveriesIn(transaction)
    .whereIn('subscription_id', [...subscriptionIds])
    .groupBy('subscription_id')
    .having(transaction.raw('COUNT(*)'), '>', DELIVERIES_PER_SUBSCRIPTION)
    .select('subscription_id as id')
    .count({ waiting: '*' });
  return counts.map(({ id, waiting }) => ({
    subscriptionId: id,
    surplus: Number(waiting) - DELIVERIES_PER_SUBSCRIPTION,
  }));
}

async function dropOldest(transaction: Database, subscriptionId: string, surplus: number): Promise<string[]> {
  if (surplus <= 0) return [];
  const oldest = await deliveriesIn(transaction)
    .where('subscription_id', subscriptionId)
    .orderBy('row')
    .limit(surplus)
    .select('row', 'account_id', 'subscription_id');
  await drop(transaction, oldest);
  return oldest.map(({ account_id: accountId }) => accountId);
}

/**
 * Drops the deliveries that are deepest in the queue of their own account: the oldest of the account with the most. So
 * one account's mentions never displace those of others.
 */
async function dropDeepest(transaction: Database, surplus: number): Promise<string[]> {
  if (surplus <= 0) return [];
  const depth = transaction.raw('ROW_NUMBER() OVER (PARTITION BY account_id ORDER BY "row" DESC) AS depth');
  const deepest: (Doomed & Pick<DeliveryRow, 'account_id'>)[] = await transaction
    .from(deliveriesIn(transaction).select('row', 'account_id', 'subscription_id', depth).as('ranked'))
    .orderBy([{ column: 'depth', order: 'desc' }, 'row'])
    .limit(surplus)
    .select('row', 'account_id', 'subscription_id');
  await drop(transaction, deepest);
  return deepest.map(({ account_id: accountId }) => accountId);
}

/** Deletes deliveries without an attempt and counts them as dropped. The caller must hold the lock of the queue. */
async function drop(transaction: Database, deliveries: readonly Doomed[]): Promise<void> {
  for (const group of groupsOf(deliveries)) {
    await deliveriesIn(transaction)
      .whereIn(
        'row',
        group.map(({ row }) => row),
      )
      .delete();
  }
  const counts = new Map<string, number>();
  for (const { subscription_id: id } of deliveries) counts.set(id, (counts.get(id) ?? 0) + 1);
  await countDropped(transaction, counts);
}

/** Drops at most `limit` deliveries that were queued before a moment; returns the account of each. */
export async function dropStale(transaction: Database, before: number, limit: number): Promise<string[]> {
  await lock(transaction, 'deliveries');
  const stale = await deliveriesIn(transaction)
    .where('created_at', '<', before)
    .limit(limit)
    .select('row', 'account_id', 'subscription_id');
  if (stale.length > 0) await drop(transaction, stale);
  return stale.map(({ account_id: accountId }) => accountId);
}

async function countDropped(transaction: Database, counts: DroppedCounts): Promise<void> {
  const rows = [...counts].map(([id, count]) => ({ subscription_id: id, count }));
  for (const group of groupsOf(rows)) {
    await transaction('dropped_deliveries')
      .insert(group)
      .onConflict('subscription_id')
      .merge({ count: transaction.raw('dropped_deliveries.count + excluded.count') });
  }
  await transaction('totals')
    .insert({ name: DROPPED, value: rows.reduce((sum, { count }) => sum + count, 0) })
    .onConflict('name')
    .merge({ value: transaction.raw('totals.value + excluded.value') });
}

/** Returns the numbers of dropped deliveries of these subscriptions; those without any are missing. */
export async function droppedOf(database: Database, subscriptionIds: readonly string[]): Promise<DroppedCounts> {
  const rows: { subscription_id: string; count: number | string }[] = await database('dropped_deliveries')
    .whereIn('subscription_id', [...subscriptionIds])
    .select('subscription_id', 'count');
  return new Map(rows.map(({ subscription_id: id, count }) => [id, Number(count)]));
}

/** Deletes the numbers of subscriptions that no longer exist. */
export async function forgetDropped(database: Database): Promise<void> {
  await database('dropped_deliveries')
    .whereNotIn('subscription_id', database('subscriptions').select('subscription_id'))
    .delete();
}

/** Returns the total of dropped deliveries. */
export async function droppedCount(database: Database): Promise<number> {
  const total: { value: number | string } | undefined = await database('totals').where('name', DROPPED).first('value');
  return Number(total?.value ?? 0);
}
