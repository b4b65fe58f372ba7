import type { Database } from './database.ts';
import { statementClock } from './hold/database-clock.ts';

/** Returns how many orders wait for an outcome that may still come. */
export async function countWaitingOrders(database: Database): Promise<number> {
  const row = await database('orders')
    .whereNull('outcome')
    .whereRaw(`deadline_at > ${statementClock(database)}`)
    .count({ waiting: '*' })
    .first();
  return Number(row?.['waiting']);
}
