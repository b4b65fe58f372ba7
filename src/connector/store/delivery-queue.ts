import { DELIVERIES_MAX, DELIVERIES_PER_SUBSCRIPTION } from '../domain/limits.ts';
import type { Database } from './database.ts';
import { lock } from './dialect.ts';
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
}

export type NewDelivery = Omit<DeliveryRow, 'row' | 'attempts' | 'leased_until'>;

const DROPPED = 'deliveries dropped';

const deliveriesIn = (database: Database) => database<DeliveryRow>('deliveries');

/** Puts deliveries into the queue, and drops the oldest where too many wait. Gives the accounts that deliveries were dropped of. */
export async function enqueue(transaction: Database, deliveries: readonly NewDelivery[]): Promise<string[]> {
  // Another account's transaction may be about to fill the queue.
  await lock(transaction, 'deliveries');
  for (const group of groupsOf(deliveries)) {
    await deliveriesIn(transaction).insert(group).onConflict('event_id').ignore();
  }
  const subscriptions = new Set(deliveries.map(({ subscription_id: id }) => id));
  const dropped: string[] = [];
  for (const subscription_id of subscriptions) {
    dropped.push(...(await dropOldest(transaction, { subscription_id }, DELIVERIES_PER_SUBSCRIPTION)));
  }
  dropped.push(...(await dropOldest(transaction, {}, DELIVERIES_MAX)));
  return dropped;
}

async function dropOldest(
  transaction: Database,
  which: Partial<Pick<DeliveryRow, 'subscription_id'>>,
  keep: number,
): Promise<string[]> {
  const [count] = await deliveriesIn(transaction).where(which).count<{ waiting: number | string }[]>({ waiting: '*' });
  const surplus = Number(count?.waiting) - keep;
  if (surplus <= 0) return [];
  const oldest = await deliveriesIn(transaction).where(which).orderBy('row').limit(surplus).select('row', 'account_id');
  await drop(transaction, oldest);
  return oldest.map(({ account_id: accountId }) => accountId);
}

/** Takes deliveries out of the queue that nobody will attempt any more. */
export async function drop(transaction: Database, deliveries: readonly Pick<DeliveryRow, 'row'>[]): Promise<void> {
  for (const group of groupsOf(deliveries)) {
    await deliveriesIn(transaction)
      .whereIn(
        'row',
        group.map(({ row }) => row),
      )
      .delete();
  }
  await transaction('totals')
    .insert({ name: DROPPED, value: deliveries.length })
    .onConflict('name')
    .merge({ value: transaction.raw('totals.value + excluded.value') });
}

/** How many were ever dropped. */
export async function droppedCount(database: Database): Promise<number> {
  const total: { value: number | string } | undefined = await database('totals').where('name', DROPPED).first('value');
  return Number(total?.value ?? 0);
}
