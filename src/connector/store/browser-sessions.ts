import type { Clock } from '../../kernel/clock.ts';
import { secretHash } from '../domain/ids.ts';
import { BROWSER_SESSION_IDLE_MS, BROWSER_SESSION_MAX_MS } from '../domain/limits.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import type { BrowserSessionStore } from '../ports/store.ts';
import { newSecret } from '../random.ts';
import { requireStanding } from './account-changes.ts';
import type { Database } from './database.ts';

interface SessionRow {
  secret_hash: string;
  account_id: string;
  csrf_token: string;
  created_at: number;
  last_used_at: number;
}

/** What pages show of an account, and others keep for half a second. */
const SHOWN = ['account', 'presence', 'subscriptions'] as const;

export function createBrowserSessionStore(
  database: Database,
  clock: Clock,
  invalidations: Invalidations,
): BrowserSessionStore {
  const sessions = () => database<SessionRow>('browser_sessions');
  return {
    create: async (accountId, csrfToken = newSecret()) => {
      const now = clock.now();
      const secret = newSecret();
      await database.transaction(async (transaction) => {
        await requireStanding(transaction, accountId);
        await transaction<SessionRow>('browser_sessions').insert({
          secret_hash: secretHash(secret),
          account_id: accountId,
          csrf_token: csrfToken,
          created_at: now,
          last_used_at: now,
        });
      });
      return secret;
    },
    use: async (secret) => {
      const now = clock.now();
      const [row] = await sessions()
        .where('secret_hash', secretHash(secret))
        .where('last_used_at', '>=', now - BROWSER_SESSION_IDLE_MS)
        .where('created_at', '>=', now - BROWSER_SESSION_MAX_MS)
        .update({ last_used_at: now })
        .returning(['account_id', 'csrf_token']);
      // A browser that has just sent a form to another process is redirected to a page of this one.
      if (row !== undefined && invalidations.freshness.alone() === undefined) {
        for (const topic of SHOWN) invalidations.invalidate(topic, row.account_id);
      }
      return row === undefined ? undefined : { accountId: row.account_id, csrfToken: row.csrf_token };
    },
    destroy: async (secret) => {
      await sessions().where('secret_hash', secretHash(secret)).delete();
    },
    removeEnded: (limit) => {
      const now = clock.now();
      // A session that has ended is never used again, so it cannot change before it is removed.
      const ended = database('browser_sessions')
        .where('last_used_at', '<', now - BROWSER_SESSION_IDLE_MS)
        .orWhere('created_at', '<', now - BROWSER_SESSION_MAX_MS)
        .limit(limit)
        .select('secret_hash');
      return sessions().whereIn('secret_hash', ended).delete();
    },
  };
}
