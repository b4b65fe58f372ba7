import { REPLAY_OVERLAP_MS } from '../domain/limits.ts';
import type { Database } from './database.ts';
import { arrivalLock, lock } from './dialect.ts';

/**
 * Notes that everything the account has by now is to be removed, so that no replay brings it back. A server's clock may be
 * a little ahead of ours: then its newest line decides.
 * @returns the newest row of all; call it under no lock
 */
export function forgetStored(database: Database, accountId: string, now: number): Promise<number> {
  return database.transaction(async (transaction) => {
    // What is being stored at this moment is either removed, or later than this.
    await lock(transaction, arrivalLock(accountId));
    const ofAccount: { newest_at: number | string | null } = await transaction('entries')
      .where('account_id', accountId)
      .first(transaction.raw('max(event_at) AS newest_at'));
    const newestAt = Math.min(Number(ofAccount.newest_at ?? 0), now + REPLAY_OVERLAP_MS);
    await transaction('accounts')
      .where('account_id', accountId)
      .update({ history_from: Math.max(now, newestAt) });
    // An event on its way has the text of its line.
    await transaction('deliveries').where('account_id', accountId).delete();
    const ofAll: { newest: number | string | null } = await transaction('entries').first(
      transaction.raw('max("row") AS newest'),
    );
    return Number(ofAll.newest ?? 0);
  });
}
