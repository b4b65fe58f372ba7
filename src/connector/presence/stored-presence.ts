import { setTimeout as delay } from 'node:timers/promises';
import { WRITE_WAIT_MS } from '../domain/limits.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import type { MessageStore } from '../ports/messages.ts';
import type { Presence } from '../ports/presence.ts';
import type { PresenceStore } from '../ports/presences.ts';
import { askForCertificate, askToLogIn } from './login-orders.ts';
import type { Orders } from './orders.ts';
import { Sending, type Writer } from './sending.ts';

/** Waits between looks at a send that another process writes: each is twice as long as the one before. */
const LOOK_MS = 20;
const LOOK_MAX_MS = 100;

export interface StoredPresenceParts {
  presences: Pick<PresenceStore, 'find' | 'findAll'>;
  messages: Pick<MessageStore, 'findByKey' | 'accept' | 'find'>;
  /** Tells the process that has the sessions that a send waits. */
  invalidations: Pick<Invalidations, 'tell'>;
  /** Reach the process that has the sessions by the database. */
  orders: Pick<Orders, 'ask' | 'follow'>;
}

/**
 * The presence of accounts whose sessions another process has: their status is what that process has stored, it writes
 * the sends that are stored here, and orders reach it by the database.
 */
export function createStoredPresence(parts: StoredPresenceParts): Presence {
  const { presences, orders } = parts;
  /** Accounts with sends under way. */
  const sendings = new Map<string, { sending: Sending; sends: number }>();
  return {
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
    send: async (accountId, order) => {
      const own = sendings.get(accountId) ?? { sending: sendingOf(accountId, parts), sends: 0 };
      sendings.set(accountId, own);
      own.sends += 1;
      try {
        return await own.sending.send(order);
      } finally {
        own.sends -= 1;
        if (own.sends === 0) sendings.delete(accountId);
      }
    },
    end: async () => false,
  };
}

const sendingOf = (accountId: string, parts: StoredPresenceParts): Sending =>
  new Sending({ accountId, messages: parts.messages, writer: distantWriter(accountId, parts) });

/** Lets the process that has the account's session write its lines: it finds them without the hint, a second later. */
function distantWriter(accountId: string, { messages, invalidations }: StoredPresenceParts): Writer {
  const hint = (): void => invalidations.tell('sends', accountId);
  return {
    doubt: hint,
    lookLater: hint,
    settled: () => undefined,
    written: async (message) => {
      hint();
      let now = message;
      const deadline = performance.now() + WRITE_WAIT_MS;
      for (let waitMs = LOOK_MS; now.status === 'pending'; waitMs = Math.min(2 * waitMs, LOOK_MAX_MS)) {
        const leftMs = deadline - performance.now();
        if (leftMs <= 0) break;
        await delay(Math.min(waitMs, leftMs));
        now = (await messages.find(message.messageId).catch(() => undefined)) ?? now;
      }
      return now;
    },
  };
}
