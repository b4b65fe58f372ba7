import { POST_WINDOW_MS, POSTS_PER_WINDOW } from '../domain/limits.ts';
import { postRateExceeded } from '../errors.ts';
import type { Database } from './database.ts';
import { statementClock } from './hold/database-clock.ts';

interface PostRow {
  posted_at: number | string;
  now: number | string;
}

/**
 * Returns the milliseconds until the account may post again; 0 if it may now. The database's clock counts, which is the
 * same for all processes.
 */
async function waitForPost(database: Database, accountId: string, more: number): Promise<number> {
  const now = statementClock(database);
  // Posts that are dated ahead are from before the clock was set back.
  const recent: PostRow[] = await database('messages')
    .where('account_id', accountId)
    .whereRaw(`posted_at > ${now} - ?`, [POST_WINDOW_MS])
    .whereRaw(`posted_at < ${now} + ?`, [POST_WINDOW_MS])
    .orderBy('posted_at', 'desc')
    .limit(POSTS_PER_WINDOW)
    .select('posted_at', database.raw(`${now} AS now`));
  if (recent.length + more < POSTS_PER_WINDOW) return 0;
  const oldest = recent.at(-1);
  if (oldest === undefined) return POST_WINDOW_MS;
  return Math.max(1, Number(oldest.posted_at) + POST_WINDOW_MS - Number(oldest.now));
}

/**
 * Requires that the account may post; call it under the account's arrival lock, in the transaction that stores the post.
 * @param more number of posts that wait to be stored
 * @throws RetryLater rate_limited
 */
export async function requirePostPlace(database: Database, accountId: string, more = 0): Promise<void> {
  const waitMs = await waitForPost(database, accountId, more);
  if (waitMs > 0) throw postRateExceeded(waitMs);
}
