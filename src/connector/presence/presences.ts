import type { Network } from '../domain/network.ts';
import type { OutgoingMessage } from '../domain/outgoing-message.ts';
import type { UpstreamState } from '../ports/bouncer-session.ts';
import type { TakenOrder } from '../ports/orders.ts';
import type { Presence, PresenceStatus, SendOrder } from '../ports/presence.ts';
import { chance } from '../random.ts';
import { Semaphore } from '../semaphore.ts';
import { AccountPresence } from './account-presence.ts';
import type { PresenceContext } from './context.ts';
import { askForCertificate, askToLogIn } from './login-orders.ts';
import { type Begins, Orders } from './orders.ts';

/** Most accounts that attach in the background at once: the bouncer spends 50 ms of a processor on each password. */
const ATTACHES_AT_ONCE = 20;
/**
 * Range of the random wait of each account after a start: a thousand accounts spread over half a minute, a few connect
 * at once.
 */
const START_SPREAD_MS_PER_ACCOUNT = 30;
const START_SPREAD_MAX_MS = 30_000;

/** Numbers of accounts in a state, and of the calls and events that wait. */
export interface PresenceLevels {
  sessionsOnline: number;
  sessionsWanted: number;
  networksConnected: number;
  waitingTasks: number;
  waitingLines: number;
}

/** Keeps the presences of all accounts, each created at its first use; there are never more than accounts. */
export class Presences implements Presence {
  readonly #context: PresenceContext;
  readonly #accounts = new Map<string, AccountPresence>();
  readonly #attaches: Semaphore;
  readonly #orders: Orders;
  #isClosed = false;

  constructor(context: PresenceContext) {
    this.#context = context;
    // The whole limit, however many processes serve: only the one that has the slot attaches.
    this.#attaches = new Semaphore(ATTACHES_AT_ONCE);
    const { store, clock, log, freshness } = context;
    const carryOut = (order: TakenOrder, begins: Begins) => this.#carryOut(order, begins);
    this.#orders = new Orders({ orders: store.orders, clock, log, freshness, carryOut });
  }

  of(accountId: string): AccountPresence {
    const known = this.#accounts.get(accountId);
    if (known !== undefined) return known;
    const presence = new AccountPresence(accountId, this.#context, this.#attaches);
    this.#accounts.set(accountId, presence);
    // After the end, requests under way must not connect the account.
    if (this.#isClosed) void presence.close();
    return presence;
  }

  /**
   * Returns an account's status. That of an account which this process has not used, or has not attached yet, is what
   * another process has stored.
   */
  async status(accountId: string): Promise<PresenceStatus | undefined> {
    const own = this.#accounts.get(accountId);
    if (own !== undefined && (own.isKnown || own.status !== undefined)) return own.status;
    return this.#context.store.presences.find(accountId);
  }

  /** Returns all statuses: of accounts that this process uses as it knows them, of all others as they are stored. */
  async statuses(): Promise<ReadonlyMap<string, PresenceStatus>> {
    const statuses = await this.#context.store.presences.findAll();
    for (const [accountId, { status }] of this.#accounts) {
      if (status === undefined) statuses.delete(accountId);
      else statuses.set(accountId, status);
    }
    return statuses;
  }

  goOnline(accountId: string): Promise<UpstreamState> {
    return this.#orders.ask({ accountId, kind: 'go_online' });
  }

  async goOffline(accountId: string): Promise<void> {
    await this.#orders.ask({ accountId, kind: 'go_offline' });
  }

  channelsChanged(accountId: string): Promise<boolean> {
    return this.#orders.follow({ accountId, kind: 'follow_channels' });
  }

  async nickChanged(accountId: string): Promise<void> {
    await this.#orders.follow({ accountId, kind: 'follow_nick' });
  }

  async chooseNetwork(accountId: string, name: string): Promise<boolean> {
    return (await this.#orders.ask({ accountId, kind: 'choose_network', argument: name })) === true;
  }

  logIn(accountId: string): Promise<void> {
    return askToLogIn(this.#orders, accountId);
  }

  makeCertificate(accountId: string, seen: Network): Promise<void> {
    return askForCertificate(this.#orders, accountId, seen);
  }

  loginCleared(accountId: string): Promise<boolean> {
    return this.#orders.follow({ accountId, kind: 'forget_login' });
  }

  send(accountId: string, order: SendOrder): Promise<OutgoingMessage> {
    return this.of(accountId).send(order);
  }

  /** Handles a send that another process has accepted. One of an account that this process does not know is not its own. */
  writeStored(accountId: string): void {
    this.#accounts.get(accountId)?.writeStored();
  }

  /** Handles lines that wait, which another process may have accepted. */
  lookForStored(accountId: string): void {
    this.#accounts.get(accountId)?.lookForStored();
  }

  async end(accountId: string): Promise<boolean> {
    const presence = this.#accounts.get(accountId);
    // Kept, because a closed presence refuses calls, while a new one would try them.
    return (await presence?.close()) ?? true;
  }

  /** See `Orders.takeAll`. */
  takeOrders(): Promise<void> {
    return this.#orders.takeAll();
  }

  async #carryOut({ accountId, kind, argument }: TakenOrder, begins: Begins): Promise<boolean | null> {
    const account = this.of(accountId);
    switch (kind) {
      case 'go_online':
        return account.goOnline(begins);
      case 'go_offline':
        await account.goOffline(begins);
        return null;
      case 'choose_network':
        return account.chooseNetwork(argument ?? '', begins);
      case 'log_in':
        await account.logIn(begins);
        return null;
      case 'make_certificate':
        await account.makeCertificate(JSON.parse(argument ?? '') as Network, begins);
        return null;
      case 'forget_login':
        return account.loginCleared();
      case 'follow_channels':
        return account.channelsChanged();
      case 'follow_nick':
        await account.nickChanged();
        return null;
    }
  }

  /** Handles a change of channel keys by the owner. */
  channelKeysChanged(): void {
    for (const account of this.#accounts.values()) account.channelKeysChanged();
  }

  levels(): PresenceLevels {
    const accounts = [...this.#accounts.values()];
    const sum = (of: (account: AccountPresence) => number): number => accounts.reduce((all, one) => all + of(one), 0);
    return {
      sessionsOnline: sum(({ live }) => (live === undefined ? 0 : 1)),
      sessionsWanted: sum(({ isWanted }) => Number(isWanted)),
      networksConnected: sum(({ live }) => Number(live?.upstream === true)),
      waitingTasks: sum(({ depth }) => depth.asks),
      waitingLines: sum(({ depth }) => depth.tells),
    };
  }

  /**
   * Clears state of earlier processes: a killed one could not record the end of its sessions, and a frozen one may
   * still have some. Call it before requests are accepted.
   * @param isShared whether processes without the slot serve, too: then accounts that are to be online keep their state
   * until this process has tried to attach them, so that sends are accepted meanwhile
   */
  async forgetEarlier(isShared = false): Promise<void> {
    const { presences, accounts } = this.#context.store;
    await presences.endAll(isShared ? 'unwanted' : 'all');
    for (const accountId of await accounts.owedPasswords()) this.of(accountId).expelOthers();
  }

  /** Resumes the accounts that were online when the program ended. */
  async resumeAll(): Promise<void> {
    const accounts = await this.#context.store.accounts.listOnline();
    const spreadMs = Math.min(START_SPREAD_MAX_MS, (accounts.length - 1) * START_SPREAD_MS_PER_ACCOUNT);
    for (const { accountId } of accounts) this.of(accountId).resume(chance() * spreadMs);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#orders.close();
    await Promise.all([...this.#accounts.values()].map((account) => account.close()));
  }
}
