import { z } from 'zod';
import type { Invalidations, Subject } from '../ports/invalidations.ts';
import type { PresenceStatus } from '../ports/presence.ts';
import type { PresenceStore } from '../ports/presences.ts';
import { Cache } from './cache.ts';
import type { Database } from './database.ts';
import { thisProcess } from './holder.ts';
import { telling } from './invalidations.ts';

interface PresenceRow {
  account_id: string;
  holder: string;
  /** A `PresenceStatus` as JSON. */
  status: string;
}

const Status = z.object({
  sessionSince: z.number(),
  nick: z.string(),
  nickRefusal: z.string().nullable(),
  upstream: z.boolean().nullable(),
  isAnswering: z.boolean(),
  joinedChannels: z.array(z.string()),
  notJoined: z.record(z.string(), z.string()),
  problems: z.array(z.string()),
});

/** @param readers see `OpenDatabase` */
export function createPresenceStore(
  database: Database,
  readers: Database,
  invalidations: Invalidations,
): PresenceStore {
  const presences = () => database<PresenceRow>('presences');
  // Each account information asks for it; also that nothing stands is worth remembering.
  const cache = new Cache<{ status: PresenceStatus | undefined }, 'presence'>(invalidations, ['presence']);
  const changing = (accountId: string, work: () => Promise<void>): Promise<void> =>
    telling(invalidations, [['presence', accountId]], work);
  return {
    write: (accountId, status) =>
      changing(accountId, async () => {
        await presences()
          .insert({ account_id: accountId, holder: thisProcess(), status: JSON.stringify(status) })
          .onConflict('account_id')
          .merge();
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
    find: async (accountId) => {
      const found = await cache.read(accountId, { presence: accountId }, async () => {
        const row = await readers<PresenceRow>('presences').where('account_id', accountId).first();
        return { status: row === undefined ? undefined : Status.parse(JSON.parse(row.status)) };
      });
      return found?.status;
    },
  };
}
