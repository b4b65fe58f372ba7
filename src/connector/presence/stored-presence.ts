import { sessionsElsewhere } from '../errors.ts';
import type { Presence } from '../ports/presence.ts';
import type { PresenceStore } from '../ports/presences.ts';

const refuse = (): Promise<never> => Promise.reject(sessionsElsewhere());

/** The presence of accounts whose sessions another process has: their status is what that process has stored. */
export function createStoredPresence(presences: Pick<PresenceStore, 'find'>): Presence {
  return {
    status: (accountId) => presences.find(accountId),
    goOnline: refuse,
    goOffline: refuse,
    channelsChanged: refuse,
    nickChanged: refuse,
    chooseNetwork: refuse,
    logIn: refuse,
    loginCleared: refuse,
    send: refuse,
    end: refuse,
  };
}
