import { REPLAY_OVERLAP_MS } from '../domain/limits.ts';
import type { Database } from './database.ts';
import { arrivalLock, lock } from './dialect.ts';

/** So many of the newest lines tell what time it is on the server. */
const CLOCK_LINES = 50;

/**
 * Notes that everything the account has by now is to be removed, and that no replay brings it back: the entries are owed
 * from then on. Call it under no lock.
 */
export function forgetStored(database: Database, accountId: string, now: number): Promise<void> {
  return database.transaction(async (transaction) => {
    // What is being stored at this moment is either removed, or later than this.
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
    // An event on its way has the text of its line.
    await transaction('deliveries').where('account_id', accountId).delete();
  });
}

/**
 * Before which moment, by the server's clock, nothing is stored any more. After an earlier deletion few lines or none tell what
 * time it is there: what was kept out then is kept out still, and what nobody has stored since is not held back.
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
 * What the time is by the server's clock, by which replayed lines are dated; undefined where no line tells. If it is a little
 * ahead of ours, its newest line tells so; by how much it is behind, lines tell that were heard at once. Those that were
 * fetched later are behind by more.
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
