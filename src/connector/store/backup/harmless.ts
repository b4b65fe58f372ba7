import type { Knex } from 'knex';
import { dropStale } from '../delivery-queue.ts';
import { noteRestore } from '../restored-at.ts';

/** Deliveries dropped at once. */
const DELIVERIES_AT_ONCE = 500;

/** Tables about processes, which do not run on a restored database, and about the last minutes before it. */
const OF_PROCESSES = [
  'presences',
  'processes',
  'leases',
  'orders',
  'downloads',
  'login_attempts',
  'decided_settings',
] as const;

/**
 * Makes an older state harmless before it serves: everything that was pending then may have been done since.
 * @param now milliseconds since 1970
 */
export async function makeHarmless(database: Knex, now: number): Promise<void> {
  await database.transaction(async (transaction) => {
    for (const table of OF_PROCESSES) await transaction(table).delete();
    await transaction('slots').update({ process_id: null });
    await transaction('account_slots').update({ process_id: null });
    // A pending line may have been said: it counts as written, so that it is never said again, and settles by its echo.
    await transaction('message_parts')
      .where('status', 'pending')
      .update({ status: 'queued', written_at: transaction.raw('created_at') });
    await transaction('messages').where('status', 'pending').update({ status: 'queued' });
    // A pending delivery was probably made. Its receiver sees that deliveries were dropped, and has the history.
    while ((await dropStale(transaction, now + 1, DELIVERIES_AT_ONCE)).length > 0);
    await noteRestore(transaction, now);
  });
}
