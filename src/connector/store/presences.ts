import type { Invalidations, Subject } from '../ports/invalidations.ts';
import type { PresenceStore } from '../ports/presences.ts';
import { Cache } from './cache.ts';
import type { Database } from './database.ts';
import { telling } from './invalidations.ts';

interface PresenceRow {
  account_id: string;
  session_since: number | string;
}

/** @param readers see `OpenDatabase` */
export function createPresenceStore(
  database: Database,
  readers: Database,
  invalidations: Invalidations,
): PresenceStore {
  const presences = () => database<PresenceRow>('presences');
  // Each account information asks for it.
  const cache = new Cache<{ since: number | null }, 'presence'>(invalidations, ['presence']);
  const changing = (accountId: string, work: () => Promise<void>): Promise<void> =>
    telling(invalidations, [['presence', accountId]], work);
  return {
    began: (accountId, at) =>
      changing(accountId, async () => {
        await presences().insert({ account_id: accountId, session_since: at }).onConflict('account_id').merge();
      }),
    ended: (accountId) =>
      changing(accountId, async () => {
        await presences().where('account_id', accountId).delete();
      }),
    endAll: async () => {
      const accountIds: string[] = await presences().pluck('account_id');
      const ended = accountIds.map((accountId): Subject => ['presence', accountId]);
      await telling(invalidations, ended, async () => {
        await presences().delete();
      });
    },
    sessionSince: async (accountId) => {
      const found = await cache.read(accountId, { presence: accountId }, async () => {
        const row = await readers<PresenceRow>('presences').where('account_id', accountId).first();
        return { since: row === undefined ? null : Number(row.session_since) };
      });
      return found?.since ?? null;
    },
  };
}
