import type { PresenceStore } from '../ports/presences.ts';
import { Cache } from './cache.ts';
import type { Database } from './database.ts';

interface PresenceRow {
  account_id: string;
  session_since: number | string;
}

/** @param readers see `OpenDatabase` */
export function createPresenceStore(database: Database, readers: Database): PresenceStore {
  const presences = () => database<PresenceRow>('presences');
  // Kept in memory, because each account information asks for it.
  const cache = new Cache<{ since: number | null }>();
  return {
    began: (accountId, at) =>
      cache.changeOne(accountId, async () => {
        await presences().insert({ account_id: accountId, session_since: at }).onConflict('account_id').merge();
      }),
    ended: (accountId) =>
      cache.changeOne(accountId, async () => {
        await presences().where('account_id', accountId).delete();
      }),
    endAll: () =>
      cache.change(async () => {
        await presences().delete();
      }),
    sessionSince: async (accountId) => {
      const found = await cache.read(accountId, async () => {
        const row = await readers<PresenceRow>('presences').where('account_id', accountId).first();
        return { since: row === undefined ? null : Number(row.session_since) };
      });
      return found?.since ?? null;
    },
  };
}
