import { z } from 'zod';
import type { Invalidations, Subject } from '../ports/invalidations.ts';
import type { PresenceStatus } from '../ports/presence.ts';
import type { PresenceStore, SendingState } from '../ports/presence-store.ts';
import { Cache } from './cache.ts';
import type { Database } from './database.ts';
import { thisProcess } from './holder.ts';
import { invalidating } from './shared-invalidations.ts';
import { accountsIn } from './slots-of-accounts.ts';

interface PresenceRow {
  account_id: string;
  holder: string;
  /** A `PresenceStatus` as JSON. */
  status: string;
  /** A `SendingState` as JSON; null where the process that has the session does not write it. */
  sending: string | null;
}

const Status = z.object({
  sessionSince: z.number(),
  nick: z.string(),
  nickRefusal: z.string().nullable(),
  upstream: z.boolean().nullable(),
  isAnswering: z.boolean(),
  joinedChannels: z.array(z.string()),
  notJoined: z.record(z.string(), z.string()),
  // A process of an earlier version does not write it.
  loggedInAs: z.string().nullable().default(null),
  problems: z.array(z.string()),
});

const Sending = z.object({
  nick: z.string(),
  network: z.string(),
  isUnpaced: z.boolean(),
  hasServerEcho: z.boolean(),
  pacedUntil: z.number(),
  pacedAt: z.number().default(0),
});

const statusOf = ({ status }: Pick<PresenceRow, 'status'>): PresenceStatus => Status.parse(JSON.parse(status));

/** Parses the state that a presence's row has; undefined without a session. */
export const sendingStateOf = (stored: string | null): SendingState | undefined =>
  stored === null ? undefined : Sending.parse(JSON.parse(stored));

/** @param readers see `OpenDatabase` */
export function createPresenceStore(
  database: Database,
  readers: Database,
  invalidations: Invalidations,
): PresenceStore {
  const presences = () => database<PresenceRow>('presences');
  // Each call for account information reads it; the absence of a session is cached, too.
  const cache = new Cache<{ status: PresenceStatus | undefined }, 'presence'>(invalidations, ['presence']);
  const changing = (accountId: string, work: () => Promise<void>): Promise<void> =>
    invalidating(invalidations, [['presence', accountId]], work);
  return {
    write: (accountId, status, sending) =>
      changing(accountId, async () => {
        await presences()
          .insert({
            account_id: accountId,
            holder: thisProcess(),
            status: JSON.stringify(status),
            sending: sending === undefined ? null : JSON.stringify(sending),
          })
          .onConflict('account_id')
          .merge();
      }),
    ended: (accountId) =>
      changing(accountId, async () => {
        await presences().where('account_id', accountId).delete();
      }),
    endAll: async (which, slots) => {
      const online = database('accounts').whereNotNull('online_since').whereNull('removed_at').select('account_id');
      const ending = () => {
        const rows = slots === undefined ? presences() : presences().whereIn('account_id', accountsIn(database, slots));
        return which === 'all' ? rows : rows.whereNotIn('account_id', online.clone());
      };
      const accountIds: string[] = await ending().pluck('account_id');
      const ended = accountIds.map((accountId): Subject => ['presence', accountId]);
      await invalidating(invalidations, ended, async () => {
        await ending().delete();
      });
    },
    areOf: async (processName, slot) => {
      const ofOthers: unknown = await readers<PresenceRow>('presences')
        .whereIn('account_id', accountsIn(readers, [slot]))
        .whereNot('holder', processName)
        .first('account_id');
      return ofOthers === undefined;
    },
    find: async (accountId) => {
      const found = await cache.read(accountId, { presence: accountId }, async () => {
        const row = await readers<PresenceRow>('presences').where('account_id', accountId).first();
        return { status: row === undefined ? undefined : statusOf(row) };
      });
      return found?.status;
    },
    findAll: async () => {
      const rows = await readers<PresenceRow>('presences').select('account_id', 'status');
      return new Map(rows.map((row) => [row.account_id, statusOf(row)]));
    },
  };
}
