import type { Presence } from '../ports/presence.ts';
import type { PresenceStore } from '../ports/presences.ts';
import { DistantSends, type DistantSendsParts } from './distant-sends.ts';
import { askForCertificate, askToLogIn } from './login-orders.ts';
import type { Orders } from './orders.ts';

export interface StoredPresenceParts extends DistantSendsParts {
  presences: Pick<PresenceStore, 'find' | 'findAll'>;
  /** Reach the process that has the sessions by the database. */
  orders: Pick<Orders, 'ask' | 'follow'>;
}

/**
 * The presence of accounts whose sessions another process has: their status is what that process has stored, it writes
 * the sends that are stored here, and orders reach it by the database.
 */
export function createStoredPresence(parts: StoredPresenceParts): Presence {
  const { presences, orders } = parts;
  const sends = new DistantSends(parts);
  return {
    actsFor: async () => false,
    status: (accountId) => presences.find(accountId),
    statuses: () => presences.findAll(),
    goOnline: (accountId) => orders.ask({ accountId, kind: 'go_online' }),
    goOffline: async (accountId) => void (await orders.ask({ accountId, kind: 'go_offline' })),
    chooseNetwork: async (accountId, name) =>
      (await orders.ask({ accountId, kind: 'choose_network', argument: name })) === true,
    channelsChanged: (accountId) => orders.follow({ accountId, kind: 'follow_channels' }),
    nickChanged: async (accountId) => void (await orders.follow({ accountId, kind: 'follow_nick' })),
    logIn: (accountId) => askToLogIn(orders, accountId),
    makeCertificate: (accountId, seen) => askForCertificate(orders, accountId, seen),
    loginCleared: (accountId) => orders.follow({ accountId, kind: 'forget_login' }),
    send: (accountId, order) => sends.send(accountId, order),
    end: async () => false,
  };
}
