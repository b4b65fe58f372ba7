import { sessionsElsewhere } from '../errors.ts';
import type { Presence } from '../ports/presence.ts';
import type { PresenceStore } from '../ports/presences.ts';
import type { Orders } from './orders.ts';

const refuse = (): Promise<never> => Promise.reject(sessionsElsewhere());

/**
 * The presence of accounts whose sessions another process has: their status is what that process has stored, and orders
 * reach it by the database.
 */
export function createStoredPresence(
  presences: Pick<PresenceStore, 'find'>,
  orders: Pick<Orders, 'ask' | 'follow'>,
): Presence {
  return {
    status: (accountId) => presences.find(accountId),
    goOnline: (accountId) => orders.ask({ accountId, kind: 'go_online' }),
    goOffline: async (accountId) => void (await orders.ask({ accountId, kind: 'go_offline' })),
    chooseNetwork: async (accountId, name) =>
      (await orders.ask({ accountId, kind: 'choose_network', argument: name })) === true,
    channelsChanged: (accountId) => orders.follow({ accountId, kind: 'follow_channels' }),
    nickChanged: async (accountId) => void (await orders.follow({ accountId, kind: 'follow_nick' })),
    logIn: refuse,
    loginCleared: refuse,
    send: refuse,
    end: refuse,
  };
}
