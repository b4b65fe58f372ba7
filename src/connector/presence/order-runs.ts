import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { poll } from '../../kernel/poll.ts';
import { outsideOfRequest } from '../database-time.ts';
import { ORDER_DEADLINE_MS } from '../domain/limits.ts';
import {
  accountBusy,
  ConnectorError,
  errorOf,
  isDoubtful,
  orderExpired,
  ordersNotStored,
  orderUnderWay,
} from '../errors.ts';
import type { Freshness } from '../ports/invalidations.ts';
import type { NewOrder, OrderOutcome, OrderStore, TakenOrder } from '../ports/order-store.ts';
import { type CarryOut, LEFT, type OpenOrder, OpenOrders } from './open-orders.ts';
import { OutcomeWatch } from './outcome-watch.ts';
import { FOLLOW_WAIT_MS, type Report } from './reports.ts';
import { sleep } from './sleep.ts';

/** Longest wait of an order for those before it, which are being stored. */
const STORE_WAIT_MAX_MS = 10_000;

/** Pause before a change is reported to the holder again, after the database did not answer, */
const FOLLOW_RETRY_MS = 2_000;
/** time for which that is tried, and most changes that wait for it: one of each kind for each account. */
const FOLLOW_RETRIES_MS = 120_000;
const FOLLOW_RETRIES_MAX = 1_000;

export interface OrdersParts {
  orders: OrderStore;
  clock: Pick<Clock, 'monotonic'>;
  log: Logger;
  /** Given in a process that holds accounts. */
  carryOut?: CarryOut;
  /** Whether this process holds the account; by default a process that carries out orders holds all. */
  holds?: (accountId: string) => Promise<boolean>;
  /** Whether other processes may store orders; by default none does. */
  freshness?: Pick<Freshness, 'alone'> | undefined;
}

/**
 * Passes orders for accounts to the process that holds them, by way of the database: any process stores one, the holder
 * takes those that wait, carries them out in the order in which they were stored, and records what came of each. There
 * is one path, also for orders to the holder itself; it takes those in the transaction that stores them, and its caller
 * is answered in memory.
 *
 * A later order of an account begins only when the outcome of each earlier one is recorded. So an order without an
 * outcome is one after which nothing was done, and the next holder may carry it out again: all orders may be repeated.
 * No order begins after its deadline.
 */
export class Orders {
  readonly #parts: OrdersParts;
  readonly #open: OpenOrders;
  /** Account → the last storing or taking of its orders, which come one after the other. */
  readonly #turns = new Map<string, Promise<unknown>>();
  /**
   * Account of which orders may have been taken without an answer of the database → monotonic time until which that
   * taking may still come into effect; after it those orders are too late anyway. Never more than accounts.
   */
  readonly #doubted = new Map<string, number>();
  /** Waits for the outcomes of orders that another process carries out. */
  readonly #outcomes: OutcomeWatch;
  /** Orders whose callers here wait for outcomes in the database, whichever process carries them out. */
  readonly #awaited = new Set<string>();
  /** Accounts and kinds of changes that could not be reported to the holder yet: one report names all of a kind. */
  readonly #unreported = new Set<string>();
  #hasLooked = false;
  #isClosed = false;

  constructor(parts: OrdersParts) {
    this.#parts = parts;
    this.#open = new OpenOrders(parts);
    this.#outcomes = new OutcomeWatch(parts.orders, parts.clock);
  }

  /**
   * Gives an order and returns its outcome.
   * @throws ConnectorError of the operation; bouncer_unreachable at the deadline
   */
  async ask(order: NewOrder): Promise<boolean | null> {
    const sentAt = this.#parts.clock.monotonic();
    const { orderId, leftMs, open } = await this.#give(order);
    const value = open === undefined ? LEFT : await this.#open.answer(open, open.endsAt);
    if (value !== LEFT) return value;
    return this.#outcomeOf(orderId, open?.endsAt ?? sentAt + leftMs, { isCancelled: true });
  }

  /**
   * Stores an order. If this process holds the account, it takes the order, with those that wait before it. Orders of
   * an account are stored one after the other: they would wait for its lock in the database, each with a connection
   * that others need.
   */
  async #give(order: NewOrder): Promise<{ orderId: string; leftMs: number; open: OpenOrder | undefined }> {
    const { orders, clock, carryOut } = this.#parts;
    const sentAt = clock.monotonic();
    return this.#inTurn(order.accountId, async () => {
      this.#requireTime(sentAt);
      if (carryOut === undefined || !(await this.#holds(order.accountId))) {
        return { ...(await orders.add(order, false)), open: undefined };
      }
      if (this.#isClosed) throw accountBusy();
      const { orderId, leftMs, taken } = await this.#withoutDoubt(order.accountId, orders.add(order, true));
      const begun = taken.map((each) => this.#begin(each, sentAt, carryOut));
      const open = begun.find((each) => each?.order.orderId === orderId);
      if (open === undefined) throw orderUnderWay();
      return { orderId, leftMs, open };
    });
  }

  #begin(order: TakenOrder, sentAt: number, carryOut: CarryOut): OpenOrder | undefined {
    const isOwn = order.isOwn && !this.#awaited.has(order.orderId);
    return this.#open.begin({ ...order, isOwn }, sentAt, carryOut);
  }

  async #holds(accountId: string): Promise<boolean> {
    return (await this.#parts.holds?.(accountId)) ?? true;
  }

  /**
   * Reports a change to the holder that is stored already. Resolves to false if the holder has not followed it in time:
   * then it follows later.
   */
  async follow(order: Report): Promise<boolean> {
    const { clock } = this.#parts;
    try {
      const { orderId, open } = await this.#give(order);
      const endsAt = clock.monotonic() + FOLLOW_WAIT_MS[order.kind];
      const value = open === undefined ? LEFT : await this.#open.answer(open, endsAt);
      return (value === LEFT ? await this.#outcomeOf(orderId, endsAt) : value) !== false;
    } catch (error) {
      if (maySucceedLater(error)) void outsideOfRequest(() => this.#followLater(order));
      return false;
    }
  }

  async #followLater(order: NewOrder): Promise<void> {
    const { clock } = this.#parts;
    const change = `${order.accountId} ${order.kind}`;
    if (this.#unreported.has(change) || this.#unreported.size >= FOLLOW_RETRIES_MAX) return;
    this.#unreported.add(change);
    const pause = (ms: number): Promise<void> => sleep(ms, { ref: false });
    const report = (): Promise<true | undefined> =>
      this.#store(order).then(
        () => true,
        (error: unknown) => !maySucceedLater(error) || undefined,
      );
    await pause(FOLLOW_RETRY_MS);
    const withinMs = FOLLOW_RETRIES_MS - FOLLOW_RETRY_MS;
    await poll(report, { everyMs: FOLLOW_RETRY_MS, withinMs, nowMs: () => clock.monotonic(), sleep: pause });
    this.#unreported.delete(change);
    // The holder has to look for its own.
    this.#hasLooked = false;
  }

  /** Stores an order, whose holder looks for it. */
  #store(order: NewOrder): Promise<unknown> {
    const { orders, clock } = this.#parts;
    const sentAt = clock.monotonic();
    return this.#inTurn(order.accountId, () => {
      this.#requireTime(sentAt);
      return orders.add(order, false);
    });
  }

  /** @throws ConnectorError database_unavailable for one whose turn came too late: each before it may have waited, too */
  #requireTime(sentAt: number): void {
    if (this.#parts.clock.monotonic() - sentAt > STORE_WAIT_MAX_MS) throw ordersNotStored();
  }

  /** Handles a hint that outcomes were stored. It may come too often, or never. */
  outcomesMayBeStored(): void {
    this.#outcomes.hint();
  }

  /** Takes no more orders. Those of other processes that are refused from now on are left to the next holder. */
  close(): void {
    this.#isClosed = true;
    this.#open.close();
  }

  /** Handles accounts that this process has begun to hold: their orders may wait. */
  held(): void {
    this.#hasLooked = false;
  }

  /**
   * Leaves orders of these accounts, which this process no longer holds, to the next one, unless they have begun. Resolves when
   * no more of them are being taken here.
   * @throws Error when they could not be given back
   */
  async leave(accounts: ReadonlySet<string>): Promise<void> {
    for (const [accountId, turn] of [...this.#turns]) {
      // Each order reports its own failure; here only the end counts.
      if (accounts.has(accountId)) await turn.catch(() => undefined);
    }
    for (const accountId of this.#open.accounts()) {
      if (!accounts.has(accountId) || !this.#open.leave(accountId)) continue;
      // Given back again until it is certain, if this process holds the account once more.
      this.#doubted.set(accountId, this.#parts.clock.monotonic() + ORDER_DEADLINE_MS);
      await this.#giveBack(accountId);
      this.#doubted.delete(accountId);
      this.#hasLooked = false;
    }
  }

  /** Whether an order of this account is carried out here, or has an outcome that is not recorded. */
  isOpen(accountId: string): boolean {
    return this.#open.idsOf(accountId).length > 0;
  }

  /**
   * Takes the orders that other processes have stored, and those that a former holder has left; records outcomes that
   * could not be stored. A process that is alone asks the database only once.
   */
  async takeAll(): Promise<void> {
    const { orders, clock, carryOut, freshness } = this.#parts;
    await this.#open.recordEnded();
    const isAlone = freshness === undefined || freshness.alone() !== undefined;
    if (carryOut === undefined || this.#isClosed) return;
    // One account may have many orders here: the orders of others do not wait for them.
    const isBusy = (accountId: string): boolean => this.#turns.has(accountId);
    for (const accountId of this.#doubted.keys()) if (!isBusy(accountId)) await this.#release(accountId);
    if (isAlone && this.#hasLooked) return;
    let hasLooked = true;
    for (const accountId of await orders.waiting()) {
      if (!(await this.#holds(accountId))) continue;
      // Those that are given here take the ones that wait with them.
      if (isBusy(accountId)) {
        hasLooked = false;
        continue;
      }
      await this.#inTurn(accountId, async () => {
        const sentAt = clock.monotonic();
        if (this.#isClosed || !(await this.#holds(accountId))) return;
        const taken = await this.#withoutDoubt(accountId, orders.take(accountId));
        for (const order of taken) this.#begin(order, sentAt, carryOut);
      });
    }
    this.#hasLooked = hasLooked;
  }

  /** Notes an account of which orders may be taken although the database did not say so. */
  async #withoutDoubt<T>(accountId: string, taking: Promise<T>): Promise<T> {
    try {
      return await taking;
    } catch (error) {
      if (isDoubtful(error)) this.#doubted.set(accountId, this.#parts.clock.monotonic() + ORDER_DEADLINE_MS);
      throw error;
    }
  }

  /**
   * Gives back what was taken without an answer, so that it is taken again. The commit may be as late as the server
   * hangs, so this is repeated until the doubt ends: else the next holder would carry out an order that this one has
   * never seen, after later ones.
   */
  #release(accountId: string): Promise<void> {
    return this.#inTurn(accountId, async () => {
      const isOver = this.#parts.clock.monotonic() >= (this.#doubted.get(accountId) ?? 0);
      if (await this.#holds(accountId)) await this.#giveBack(accountId);
      if (isOver) this.#doubted.delete(accountId);
      this.#hasLooked = false;
    });
  }

  #giveBack(accountId: string): Promise<void> {
    return this.#parts.orders.release(accountId, this.#open.idsOf(accountId));
  }

  /**
   * Waits for the outcome of an order that another process carries out.
   * @param isCancelled whether the order ends at that time if no holder has taken it
   */
  async #outcomeOf(orderId: string, endsAt: number, { isCancelled = false } = {}): Promise<boolean | null> {
    const { orders } = this.#parts;
    this.#awaited.add(orderId);
    try {
      let outcome = await this.#outcomes.wait(orderId, endsAt);
      if (outcome === undefined) {
        if (isCancelled && (await orders.cancel(orderId))) throw orderExpired();
        // A holder has taken it, or has just ended it.
        const state = (await orders.statesOf([orderId])).get(orderId);
        outcome = typeof state === 'string' ? undefined : state;
      }
      if (outcome === undefined) throw orderUnderWay();
      return this.#received(orderId, outcome);
    } finally {
      this.#awaited.delete(orderId);
    }
  }

  /** @throws ConnectorError of the operation */
  #received(orderId: string, outcome: OrderOutcome): boolean | null {
    // Its row is removed a minute later, too.
    void this.#parts.orders.forget(orderId).catch(() => undefined);
    if ('error' in outcome) throw errorOf(outcome.error);
    return outcome.value;
  }

  async #inTurn<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(accountId) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.#turns.set(accountId, turn);
    try {
      return await turn;
    } finally {
      if (this.#turns.get(accountId) === turn) this.#turns.delete(accountId);
    }
  }
}

/** Whether the database did not answer, or had too many orders of the account. */
const maySucceedLater = (error: unknown): boolean =>
  isDoubtful(error) || (error instanceof ConnectorError && error.code === 'account_busy');
