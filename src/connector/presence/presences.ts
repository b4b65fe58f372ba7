import type { Account } from '../domain/account.ts';
import { startSpreadMs } from '../domain/backoff.ts';
import { SHARED_AGE_MS } from '../domain/limits.ts';
import type { Network } from '../domain/network.ts';
import type { OutgoingMessage } from '../domain/outgoing-message.ts';
import type { BouncerSession, UpstreamState } from '../ports/bouncer-session.ts';
import type { TakenOrder } from '../ports/order-store.ts';
import type { Presence, PresenceStatus, SendOrder } from '../ports/presence.ts';
import { chance } from '../random.ts';
import { AccountPresence } from './account-presence.ts';
import { Attaches } from './attaches.ts';
import { DistantSends } from './distant-sends.ts';
import { HeldAccounts } from './held-accounts.ts';
import type { Begins } from './open-orders.ts';
import { Orders } from './order-runs.ts';
import type { PresenceContext } from './presence-context.ts';
import { type Departing, releaseAll } from './release.ts';
import { sleep } from './sleep.ts';

/** Longest wait until orders are left to another process: for the database. */
const LEAVE_DEADLINE_MS = 3_000;
/** Time for which a connection stays open and silent: another process gets the account and attaches meanwhile. */
const SILENT_MS = 10_000;

/** Numbers of accounts in a state, and of the calls and events that wait. */
export interface PresenceLevels {
  sessionsOnline: number;
  sessionsWanted: number;
  networksConnected: number;
  waitingTasks: number;
  waitingLines: number;
}

/**
 * Keeps the presences of the accounts that this process acts for, each created at its first use; there are never more
 * than accounts. Orders and sends for other accounts reach their process by the database.
 */
export class Presences implements Presence {
  readonly #context: PresenceContext;
  readonly #accounts = new Map<string, AccountPresence>();
  readonly #attaches: Attaches;
  readonly #orders: Orders;
  readonly #held: HeldAccounts;
  readonly #elsewhere: DistantSends;
  /** Sessions of accounts that other processes have by now. */
  readonly #silent = new Set<BouncerSession>();
  /** Ends of the last gain, and of the last release. */
  #gaining: Promise<unknown> = Promise.resolve();
  #releasing: Promise<unknown> = Promise.resolve();
  /** Slots of each release that has not ended. */
  readonly #leaving = new Set<readonly number[]>();
  #isClosed = false;

  constructor(context: PresenceContext) {
    this.#context = context;
    const { store, clock, log, freshness, owned, invalidations, processes } = context;
    this.#attaches = new Attaches(processes);
    this.#held = new HeldAccounts(owned);
    const carryOut = (order: TakenOrder, begins: Begins) => this.#carryOut(order, begins);
    const holds = (accountId: string) => this.#held.holds(accountId);
    this.#orders = new Orders({ orders: store.orders, clock, log, freshness, carryOut, holds });
    invalidations?.on('orders', () => this.#orders.outcomesMayBeStored());
    this.#elsewhere = new DistantSends({ messages: store.messages, invalidations });
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

  actsFor(accountId: string): Promise<boolean> {
    return this.#held.holds(accountId);
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
    for (const [accountId, { status, isKnown }] of this.#accounts) {
      if (status !== undefined) statuses.set(accountId, status);
      else if (isKnown) statuses.delete(accountId);
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

  async logIn(accountId: string): Promise<void> {
    await this.#orders.ask({ accountId, kind: 'log_in' });
  }

  async makeCertificate(accountId: string, { name, address }: Network): Promise<void> {
    await this.#orders.ask({ accountId, kind: 'make_certificate', argument: JSON.stringify({ name, address }) });
  }

  loginCleared(accountId: string): Promise<boolean> {
    return this.#orders.follow({ accountId, kind: 'forget_login' });
  }

  async send(accountId: string, order: SendOrder): Promise<OutgoingMessage> {
    const own = await this.#held.ifHeld(accountId, () => this.of(accountId));
    return own === undefined ? this.#elsewhere.send(accountId, order) : own.send(order);
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
    if (!(await this.#held.holds(accountId))) return false;
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
        return account.choices.chooseNetwork(argument ?? '', begins);
      case 'log_in':
        await account.choices.logIn(begins);
        return null;
      case 'make_certificate':
        await account.choices.makeCertificate(JSON.parse(argument ?? '') as Network, begins);
        return null;
      case 'forget_login':
        return account.choices.loginCleared(begins);
      case 'follow_channels':
        return account.choices.channelsChanged(begins);
      case 'follow_nick':
        await account.choices.nickChanged(begins);
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
      waitingTasks: sum(({ depth }) => depth.calls),
      waitingLines: sum(({ depth }) => depth.events),
    };
  }

  /**
   * Acts for the accounts of these slots from now on, or for all: clears state of earlier processes (a killed one could
   * not record the end of its sessions, and a frozen one may still have some), and resumes the accounts that are to be
   * online. Slots that this process has already are left alone. It waits for a release of one of these slots, but for no
   * other one: those may wait for seconds, and accounts of a process that has died are without a session meanwhile.
   * @param isShared whether other processes serve, too: then accounts that are to be online keep their state until this
   * process has tried to attach them, so that sends are accepted meanwhile
   */
  gain(slots: readonly number[] | 'all', options: { isShared: boolean }): Promise<void> {
    const isLeaving =
      slots === 'all' || [...this.#leaving].some((leaving) => leaving.some((slot) => slots.includes(slot)));
    const before = isLeaving ? Promise.all([this.#gaining, this.#releasing]) : this.#gaining;
    const gained = before.then(() => this.#gain(slots, options));
    // The failure is the caller's; later slots are gained in any case.
    this.#gaining = gained.catch(() => undefined);
    return gained;
  }

  async #gain(slots: readonly number[] | 'all', { isShared }: { isShared: boolean }): Promise<void> {
    const gained = slots === 'all' ? undefined : slots.filter((slot) => !this.#held.hasSlot(slot));
    if (gained?.length === 0) return;
    const { store, freshness } = this.#context;
    const { presences, accounts } = store;
    // What was read before is outdated then: the process before may have changed it at last.
    const mayBeOutdated = isShared && freshness !== undefined && freshness.alone() === undefined;
    const outdated = mayBeOutdated ? sleep(SHARED_AGE_MS, { ref: false }) : undefined;
    await presences.endAll(isShared ? 'unwanted' : 'all', gained);
    await outdated;
    const owed = await accounts.owedPasswords(gained);
    const online = await accounts.listOnline(gained);
    if (this.#isClosed) return;
    // From here on there is no await: an order that comes now finds the debts.
    this.#held.add(gained ?? []);
    for (const accountId of owed) this.of(accountId).expelOthers();
    this.#resume(online);
    this.#orders.held();
  }

  /**
   * Ends all work for the accounts of these slots, so that another process goes on: nothing is written any more, and
   * orders that have not begun are left to that process. The connections to the bouncer stay open and silent for a while,
   * so that the other process attaches before these end.
   * @returns false if work under way did not end in time; then all goes on here
   */
  release(slots: readonly number[]): Promise<boolean> {
    return this.#inTurn(slots, () => this.#leave(slots));
  }

  async #leave(slots: readonly number[]): Promise<boolean> {
    const leaving = new Set(slots.filter((slot) => this.#held.hasSlot(slot)));
    this.#held.remove(leaving);
    const isReleased = await this.#release(leaving).catch((error: unknown) => {
      this.#context.log.warn({ err: error }, 'accounts could not be left to another process');
      return false;
    });
    if (!isReleased) {
      this.#held.add(leaving);
      this.#orders.held();
    }
    return isReleased;
  }

  async #release(slots: ReadonlySet<number>): Promise<boolean> {
    const leaving = await this.#leaveOrders(slots);
    if (leaving === undefined) return false;
    const ids = [...this.#accounts.keys()].filter((id) => leaving.has(id));
    const departing = ids.map((id) => this.#departing(id));
    const sessions = await releaseAll(departing, () => this.#isClosed);
    if (sessions === undefined) return false;
    for (const id of ids) this.#accounts.delete(id);
    this.#closeLater(sessions);
    return true;
  }

  /**
   * Leaves all accounts to other presences of this process, as a release does. An account whose work does not end in time
   * keeps no other one back: its session is closed.
   */
  leaveAll(slots: readonly number[]): Promise<void> {
    return this.#inTurn(slots, async () => {
      const leaving = new Set(slots);
      this.#held.remove(leaving);
      // Orders that can't be given back end with the sessions.
      const left = await this.#leaveOrders(leaving).catch(() => undefined);
      if (left === undefined) return this.close();
      const ids = [...this.#accounts.keys()].filter((id) => left.has(id));
      const sessions = await Promise.all(ids.map((id) => this.#leaveOrClose(id)));
      for (const id of ids) this.#accounts.delete(id);
      this.#closeLater(sessions.flat());
    });
  }

  async #leaveOrClose(accountId: string): Promise<readonly BouncerSession[]> {
    const sessions = await releaseAll([this.#departing(accountId)], () => this.#isClosed);
    if (sessions === undefined) await this.of(accountId).close();
    return sessions ?? [];
  }

  /** Releases slots after all gains and releases before. */
  #inTurn<T>(slots: readonly number[], release: () => Promise<T>): Promise<T> {
    this.#leaving.add(slots);
    const released = Promise.all([this.#gaining, this.#releasing])
      .then(release)
      .finally(() => this.#leaving.delete(slots));
    // The failure is the caller's; later releases begin in any case.
    this.#releasing = released.catch(() => undefined);
    return released;
  }

  /**
   * Leaves orders that have not begun to the next holder of these slots, which are held no more: an account that is made
   * from here on gets no presence and no order here.
   * @returns the accounts in them; undefined if that has not ended in time
   */
  async #leaveOrders(slots: ReadonlySet<number>): Promise<ReadonlySet<string> | undefined> {
    const leaving = await this.#held.idsIn(slots);
    const late = sleep(LEAVE_DEADLINE_MS, { ref: false });
    return Promise.race([this.#orders.leave(leaving).then(() => leaving), late.then(() => undefined)]);
  }

  #departing(accountId: string): Departing {
    return { departure: this.of(accountId).departure, hasOrder: () => this.#orders.isOpen(accountId) };
  }

  #closeLater(sessions: readonly BouncerSession[]): void {
    for (const session of sessions) this.#silent.add(session);
    const closeAll = (): void => {
      for (const session of sessions) session.close();
      for (const session of sessions) this.#silent.delete(session);
    };
    setTimeout(closeAll, SILENT_MS).unref();
  }

  #resume(accounts: readonly Account[]): void {
    const spreadMs = startSpreadMs(accounts.length);
    for (const { accountId } of accounts) this.of(accountId).resume(chance() * spreadMs);
  }

  /** Ends all sessions. ended-ok: silent ones are closed only. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#orders.close();
    for (const session of this.#silent) session.close();
    await Promise.all([...this.#accounts.values()].map((account) => account.close()));
  }
}
