import { REPLAY_OVERLAP_MS } from '../domain/limits.ts';
import type { Database } from './database.ts';
import { arrivalLock, lock } from './dialect.ts';

/** Number of newest lines from which the server's clock is estimated. */
const CLOCK_LINES = 50;

/**
 * Records that all present entries of the account are to be removed, and that no replay may bring them back. Their
 * removal is owed from then on. Call it without a lock.
 */
export function forgetStored(database: Database, accountId: string, now: number): Promise<void> {
  return database.transaction(async (transaction) => {
    // Lines that are being stored now are either removed, or later than this.
    await lock(transaction, arrivalLock(accountId));
    const ofAll: { newest: number | string | null } = await transaction('entries').first(
      transaction.raw('max("row") AS newest'),
    );
    const account: { history_from: number | string | null } | undefined = await transaction('accounts')
      .where('account_id', accountId)
      .whereNull('removed_at')
      .first('history_from');
    if (account === undefined) return;
    const { history_from: earlier } = account;
    await transaction('accounts')
      .where('account_id', accountId)
      .update({
        history_from: await newBorder(transaction, accountId, now, earlier === null ? undefined : Number(earlier)),
        forget_to_row: Number(ofAll.newest ?? 0),
      });
    // A queued event contains the text of its line.
    await transaction('deliveries').where('account_id', accountId).delete();
  });
}

/**
 * Returns the time, by the server's clock, before which no line is stored any more. After an earlier deletion few lines
 * or none show that clock: the earlier border stays then, and lines since the last stored one are not held back.
 */
async function newBorder(
  database: Database,
  accountId: string,
  now: number,
  earlier: number | undefined,
): Promise<number> {
  const time = await serverTime(database, accountId, now);
  return time === undefined ? (earlier ?? now) : Math.max(time, earlier ?? time);
}

/**
 * Estimates the server's clock, which dates replayed lines; undefined if no line shows it. A clock a little ahead of
 * ours shows in its newest line. A clock behind ours shows in lines that were received live; lines that were fetched
 * later are behind by more.
 */
async function serverTime(database: Database, accountId: string, now: number): Promise<number | undefined> {
  const lines: { event_at: number | string; observed_at: number | string }[] = await database('entries')
    .where({ account_id: accountId, timestamp_source: 'server' })
    .orderBy([
      { column: 'event_at', order: 'desc' },
      { column: 'row', order: 'desc' },
    ])
    .limit(CLOCK_LINES)
    .select('event_at', 'observed_at');
  const [newest] = lines;
  if (newest === undefined) return undefined;
  const behindMs = Math.min(...lines.map((line) => Number(line.observed_at) - Number(line.event_at)));
  const newestAt = Math.min(Number(newest.event_at), now + REPLAY_OVERLAP_MS);
  return Math.max(now - Math.max(0, behindMs), newestAt);
}
