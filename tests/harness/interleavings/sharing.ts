import type { Store } from '../../../src/connector/ports/store.ts';
import type { AccountPresence } from '../../../src/connector/presence/account-presence.ts';
import type { Presences } from '../../../src/connector/presence/presences.ts';
import { createInvalidations, type SharedInvalidations } from '../../../src/connector/store/shared-invalidations.ts';
import type { Door } from '../doors.ts';

/** The slot of the account of a world: others in the same database have none. */
export const SLOT = 0;

/** Where a scenario asks: at the process that has the account at first, or at one that never has it. */
export type Asks = 'where the account is' | 'elsewhere';

/** What a scenario asks for its account. */
export type Asked = Pick<AccountPresence, 'goOnline' | 'goOffline' | 'send'> &
  Pick<AccountPresence['choices'], 'chooseNetwork' | 'channelsChanged' | 'nickChanged' | 'logIn' | 'loginCleared'>;

/** The account as its own process reaches it. */
export const askedHere = (presence: AccountPresence): Asked => ({
  goOnline: () => presence.goOnline(),
  goOffline: () => presence.goOffline(),
  chooseNetwork: (name) => presence.choices.chooseNetwork(name),
  channelsChanged: () => presence.choices.channelsChanged(),
  nickChanged: () => presence.choices.nickChanged(),
  logIn: () => presence.choices.logIn(),
  loginCleared: () => presence.choices.loginCleared(),
  send: (order) => presence.send(order),
});

/** The account as requests to this process reach it, at whichever process its session is. */
export const askedOf = (presences: Presences, accountId: string): Asked => ({
  goOnline: () => presences.goOnline(accountId),
  goOffline: () => presences.goOffline(accountId),
  chooseNetwork: (name) => presences.chooseNetwork(accountId, name),
  channelsChanged: () => presences.channelsChanged(accountId),
  nickChanged: () => presences.nickChanged(accountId),
  logIn: () => presences.logIn(accountId),
  loginCleared: () => presences.loginCleared(accountId),
  send: (order) => presences.send(accountId, order),
});

/** A store that lists one account alone of those that a process begins with: plays in the same database do not meet. */
export function beginningWithOne(store: Store, accountId: string): Store {
  const accounts = {
    listOnline: async () => (await store.accounts.listOnline()).filter((account) => account.accountId === accountId),
    owedPasswords: async () => (await store.accounts.owedPasswords()).filter((id) => id === accountId),
  };
  return { ...store, accounts: { ...store.accounts, ...accounts } };
}

/** A store of which only one account is in a slot, for plays of several processes. */
export function storeOfOne(whole: Store, accountId: string, ended: () => void): Store {
  const store = beginningWithOne(whole, accountId);
  const isOwn = (id: string): boolean => id === accountId;
  const accounts = {
    slotOf: async (id: string) => (isOwn(id) ? SLOT : undefined),
    idsIn: async () => [accountId],
  };
  const presences = {
    // All that is cleared here is that of an account that is offline.
    endAll: async () => undefined,
    ended: async (id: string) => {
      ended();
      await store.presences.ended(id);
    },
  };
  return {
    ...store,
    accounts: { ...store.accounts, ...accounts },
    presences: { ...store.presences, ...presences },
    orders: { ...store.orders, waiting: async () => (await store.orders.waiting()).filter(isOwn) },
    messages: {
      ...store.messages,
      accountsWaiting: async () => (await store.messages.accountsWaiting()).filter(isOwn),
    },
  };
}

/** Invalidations of processes on one database, each of which hears the others at once. */
export class SharedNotices {
  readonly #all: SharedInvalidations[] = [];
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  join(): SharedInvalidations {
    const own = createInvalidations({ alone: () => undefined, sinceBoot: this.#now });
    own.publishTo(([topic, key]) => {
      for (const other of this.#all) if (other !== own) other.heard(topic, key);
    });
    this.#all.push(own);
    return own;
  }
}

const WRITES: readonly string[] = [
  ...['accounts.setOnline', 'accounts.setDisconnected', 'accounts.chooseNetwork', 'accounts.setCasemapping'],
  ...['accounts.renewBouncerPassword', 'accounts.notePasswordKnown', 'capture.begin', 'capture.ingest'],
  ...['capture.addGap', 'messages.setPartStatus', 'networkLogins.note', 'networkLogins.remove'],
  ...['orders.finish', 'orders.release', 'orders.take', 'presences.ended', 'presences.write'],
];

/** Whether only the process that has the account may do this. */
export const isOfHolder = ({ call, side }: Door): boolean =>
  side === 'before' && (WRITES.includes(call) || /^(?:bouncer|logins)\./.test(call));
