import type { Clock } from '../../kernel/clock.ts';
import { secretHash } from '../domain/ids.ts';
import { BROWSER_SESSION_IDLE_MS, BROWSER_SESSION_MAX_MS } from '../domain/limits.ts';
import type { BrowserSessionStore } from '../ports/store.ts';
import { newSecret } from '../random.ts';
import type { Database } from './database.ts';

interface SessionRow {
  secret_hash: string;
  account_id: string;
  csrf_token: string;
  created_at: number;
  last_used_at: number;
}

export function createBrowserSessionStore(database: Database, clock: Clock): BrowserSessionStore {
  const sessions = () => database<SessionRow>('browser_sessions');
  return {
    create: async (accountId, csrfToken = newSecret()) => {
      const now = clock.now();
      const secret = newSecret();
      await sessions().insert({
        secret_hash: secretHash(secret),
        account_id: accountId,
        csrf_token: csrfToken,
        created_at: now,
        last_used_at: now,
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
