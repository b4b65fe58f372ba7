import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
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
  refusalOf,
} from '../errors.ts';
import type { Freshness } from '../ports/invalidations.ts';
import type { NewOrder, OrderOutcome, OrderStore, TakenOrder } from '../ports/orders.ts';
import { OutcomeWatch } from './outcome-watch.ts';

/** Longest wait of an order for those before it, which are being stored. */
const STORE_WAIT_MAX_MS = 10_000;

/**
 * Longest waits of a person for the holder to follow a change; then it follows later. The network is waited for after a
 * change of the nick, and the bouncer may take some seconds for each command about a login.
 */
const FOLLOW_WAIT_MS = { follow_channels: 3_000, follow_nick: 7_000, forget_login: 20_000 } as const;
/** Pause before a change is reported to the holder again, after the database did not answer, */
const FOLLOW_RETRY_MS = 2_000;
/** time for which that is tried, and most changes that wait for it. */
const FOLLOW_RETRIES_MS = 120_000;
const FOLLOW_RETRIES_MAX = 1_000;

/**
 * Runs in the account's turn, right before an order is carried out.
 * @throws ConnectorError if it must not be carried out
 */
export type Begins = () => Promise<void>;

/** Carries out an order. Calls for one account must have their turns in the order of the calls. */
export type CarryOut = (order: TakenOrder, begins: Begins) => Promise<boolean | null>;

export interface OrdersParts {
  orders: OrderStore;
  clock: Pick<Clock, 'monotonic'>;
  log: Logger;
  /** Given in the process that holds the accounts. */
  carryOut?: CarryOut;
  /** Whether other processes may store orders; by default none does. */
  freshness?: Pick<Freshness, 'alone'> | undefined;
}

/** A change that is stored already. */
type Change = NewOrder & { kind: keyof typeof FOLLOW_WAIT_MS };

/** An order that this process carries out. */
interface OpenOrder {
  order: TakenOrder;
  /** Its deadline, monotonic milliseconds. */
  endsAt: number;
  hasBegun: boolean;
  result: Promise<boolean | null>;
  outcome: OrderOutcome | undefined;
  /** Set while the outcome is being stored. */
  recording: Promise<void> | undefined;
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
  /** Account → its orders that are not recorded, the oldest first; bounded by the store. */
  readonly #open = new Map<string, OpenOrder[]>();
  /** Account → the last storing or taking of its orders, which come one after the other. */
  readonly #turns = new Map<string, Promise<unknown>>();
  /**
   * Account of which orders may have been taken without an answer of the database → monotonic time until which that
   * taking may still come into effect; after it those orders are too late anyway. Never more than accounts.
   */
  readonly #doubted = new Map<string, number>();
  /** Waits for the outcomes of orders that another process carries out. */
  readonly #outcomes: OutcomeWatch;
  /** Number of changes that could not be reported to the holder yet. */
  #unreported = 0;
  #hasLooked = false;
  #isClosed = false;

  constructor(parts: OrdersParts) {
    this.#parts = parts;
    this.#outcomes = new OutcomeWatch(parts.orders, parts.clock);
  }

  /**
   * Gives an order and returns its outcome.
   * @throws ConnectorError of the operation; bouncer_unreachable at the deadline
   */
  async ask(order: NewOrder): Promise<boolean | null> {
    const { clock, carryOut } = this.#parts;
    const sentAt = clock.monotonic();
    if (carryOut === undefined) {
      const { orderId, leftMs } = await this.#add(order);
      return this.#outcomeOf(orderId, sentAt + leftMs, { isCancelled: true });
    }
    return this.#answer(await this.#giveOwn(order, carryOut));
  }

  /** Stores an order of this process and takes it, with those that wait before it. */
  async #giveOwn(order: NewOrder, carryOut: CarryOut): Promise<OpenOrder> {
    const { orders, clock } = this.#parts;
    const sentAt = clock.monotonic();
    if (this.#isClosed) throw accountBusy();
    const own = await this.#inTurn(order.accountId, async () => {
      this.#requireTime(sentAt);
      const { orderId, taken } = await this.#withoutDoubt(order.accountId, orders.add(order, true));
      return taken
        .map((each) => this.#begin(each, sentAt, carryOut))
        .find(({ order: { orderId: id } }) => id === orderId);
    });
    if (own === undefined) throw orderUnderWay();
    return own;
  }

  /**
   * Reports a change to the holder that is stored already. Resolves to false if the holder has not followed it in time:
   * then it follows later.
   */
  async follow(order: Change): Promise<boolean> {
    const { clock, carryOut } = this.#parts;
    const waitMs = FOLLOW_WAIT_MS[order.kind];
    try {
      if (carryOut !== undefined) {
        const own = await this.#giveOwn(order, carryOut);
        return (await this.#answer({ ...own, endsAt: clock.monotonic() + waitMs })) !== false;
      }
      const { orderId } = await this.#add(order);
      return (await this.#outcomeOf(orderId, clock.monotonic() + waitMs)) !== false;
    } catch (error) {
      if (maySucceedLater(error) && this.#unreported < FOLLOW_RETRIES_MAX)
        void outsideOfRequest(() => this.#followLater(order));
      return false;
    }
  }

  async #followLater(order: NewOrder): Promise<void> {
    const { clock } = this.#parts;
    const until = clock.monotonic() + FOLLOW_RETRIES_MS;
    this.#unreported += 1;
    let isReported = false;
    while (!isReported && clock.monotonic() < until) {
      await delay(FOLLOW_RETRY_MS, undefined, { ref: false });
      isReported = await this.#add(order).then(
        () => true,
        (error: unknown) => !maySucceedLater(error),
      );
    }
    this.#unreported -= 1;
    // The holder has to look for its own.
    this.#hasLooked = false;
  }

  /**
   * Stores an order that another process carries out. Those of an account would wait for its lock in the database, each
   * with a connection that others need.
   */
  #add(order: NewOrder): ReturnType<OrderStore['add']> {
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
  }

  /**
   * Takes the orders that other processes have stored, and those that a former holder has left; records outcomes that
   * could not be stored. A process that is alone asks the database only once.
   */
  async takeAll(): Promise<void> {
    const { orders, clock, carryOut, freshness } = this.#parts;
    await Promise.all([...this.#open.values()].map((open) => this.#recordEnded(open)));
    const isAlone = freshness === undefined || freshness.alone() !== undefined;
    if (carryOut === undefined || this.#isClosed) return;
    for (const accountId of this.#doubted.keys()) await this.#release(accountId);
    if (isAlone && this.#hasLooked) return;
    for (const accountId of await orders.waiting()) {
      await this.#inTurn(accountId, async () => {
        const sentAt = clock.monotonic();
        if (this.#isClosed) return;
        const taken = await this.#withoutDoubt(accountId, orders.take(accountId));
        for (const order of taken) this.#begin(order, sentAt, carryOut);
      });
    }
    this.#hasLooked = true;
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
      const known = (this.#open.get(accountId) ?? []).map(({ order: { orderId } }) => orderId);
      await this.#parts.orders.release(accountId, known);
      if (isOver) this.#doubted.delete(accountId);
      this.#hasLooked = false;
    });
  }

  /** @param sentAt when the statement was sent that took it */
  #begin(order: TakenOrder, sentAt: number, carryOut: CarryOut): OpenOrder {
    const open: OpenOrder = {
      ...{ order, endsAt: sentAt + order.leftMs, hasBegun: false },
      ...{ result: Promise.resolve(null), outcome: undefined, recording: undefined },
    };
    this.#open.set(order.accountId, [...(this.#open.get(order.accountId) ?? []), open]);
    const run = () => carryOut(order, () => this.#beginsTurn(open));
    // The caller of one of our own shares its time with the database.
    open.result = order.isOwn ? run() : outsideOfRequest(run);
    void this.#settle(open);
    return open;
  }

  /** @throws ConnectorError when the order is too late, or an earlier outcome can't be stored */
  async #beginsTurn(open: OpenOrder): Promise<void> {
    const { clock } = this.#parts;
    const all = this.#open.get(open.order.accountId) ?? [];
    // Their turns are over; what is missing is at most the wait for the network's answer.
    for (const earlier of all.slice(0, all.indexOf(open))) {
      earlier.outcome ??= { value: null };
      await this.#record(earlier);
    }
    if (clock.monotonic() >= open.endsAt) throw orderExpired();
    open.hasBegun = true;
  }

  async #settle(open: OpenOrder): Promise<void> {
    const { order } = open;
    try {
      const value = await open.result;
      open.outcome ??= { value };
    } catch (error) {
      if (this.#isClosed && !order.isOwn) return;
      open.outcome ??= { error: refusalOf(error) };
    }
    await this.#record(open).catch((error: unknown) => {
      this.#parts.log.warn({ account: order.accountId, err: error }, 'the outcome of an order could not be stored yet');
    });
  }

  async #recordEnded(all: readonly OpenOrder[]): Promise<void> {
    for (const open of all) {
      if (open.outcome === undefined) return;
      await this.#record(open);
    }
  }

  #record(open: OpenOrder): Promise<void> {
    open.recording ??= this.#store(open).catch((error: unknown) => {
      open.recording = undefined;
      throw error;
    });
    return open.recording;
  }

  async #store({ order, outcome = { value: null } }: OpenOrder): Promise<void> {
    const { accountId, orderId } = order;
    await this.#parts.orders.finish(order, outcome);
    const left = (this.#open.get(accountId) ?? []).filter((each) => each.order.orderId !== orderId);
    if (left.length === 0) this.#open.delete(accountId);
    else this.#open.set(accountId, left);
  }

  /** Answers the caller of one of our own. */
  async #answer(open: OpenOrder): Promise<boolean | null> {
    const answered = new AbortController();
    const leftMs = Math.max(0, open.endsAt - this.#parts.clock.monotonic());
    const deadline = delay(leftMs, undefined, { signal: answered.signal, ref: false }).then(() => {
      throw open.hasBegun ? orderUnderWay() : orderExpired();
    });
    try {
      return await Promise.race([open.result, deadline]);
    } finally {
      answered.abort();
      deadline.catch(() => undefined);
    }
  }

  /**
   * Waits for the outcome of an order that another process carries out.
   * @param isCancelled whether the order ends at that time if no holder has taken it
   */
  async #outcomeOf(orderId: string, endsAt: number, { isCancelled = false } = {}): Promise<boolean | null> {
    const { orders } = this.#parts;
    let outcome = await this.#outcomes.wait(orderId, endsAt);
    if (outcome === undefined) {
      if (isCancelled && (await orders.cancel(orderId))) throw orderExpired();
      // A holder has taken it, or has just ended it.
      const state = (await orders.statesOf([orderId])).get(orderId);
      outcome = typeof state === 'string' ? undefined : state;
    }
    if (outcome === undefined) throw orderUnderWay();
    return this.#received(orderId, outcome);
  }

  /** @throws ConnectorError of the operation */
  #received(orderId: string, outcome: OrderOutcome): boolean | null {
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
