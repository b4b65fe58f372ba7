import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { outsideOfRequest } from '../database-time.ts';
import { orderExpired, orderUnderWay, refusalOf } from '../errors.ts';
import type { OrderOutcome, OrderStore, TakenOrder } from '../ports/order-store.ts';
import { isReport } from './reports.ts';
import { sleep } from './sleep.ts';

/**
 * Runs in the account's turn, right before an order is carried out.
 * @throws ConnectorError if it must not be carried out
 */
export type Begins = () => Promise<void>;

/** For what no order asks. */
export const atOnce: Begins = async () => undefined;

/** Carries out an order. Calls for one account must have their turns in the order of the calls. */
export type CarryOut = (order: TakenOrder, begins: Begins) => Promise<boolean | null>;

/** The order is left to the process that holds the account next. */
export const LEFT = Symbol('left');

/** An order that this process carries out. */
export interface OpenOrder {
  readonly order: TakenOrder;
  /** Its deadline, monotonic milliseconds. */
  readonly endsAt: number;
  hasBegun: boolean;
  result: Promise<boolean | null>;
  outcome: OrderOutcome | undefined;
  /** Set while the outcome is being stored. */
  recording: Promise<void> | undefined;
  isLeft: boolean;
  /** Resolves when it is left. */
  readonly left: PromiseWithResolvers<typeof LEFT>;
}

export interface OpenOrdersParts {
  orders: Pick<OrderStore, 'finish'>;
  clock: Pick<Clock, 'monotonic'>;
  log: Logger;
}

/** The orders that this process has taken, until their outcomes are recorded. See `Orders` for their rules. */
export class OpenOrders {
  readonly #parts: OpenOrdersParts;
  /** Account → its orders that are not recorded, the oldest first; bounded by the store. */
  readonly #open = new Map<string, OpenOrder[]>();
  #isClosed = false;

  constructor(parts: OpenOrdersParts) {
    this.#parts = parts;
  }

  idsOf(accountId: string): string[] {
    return this.#of(accountId).map(({ order: { orderId } }) => orderId);
  }

  accounts(): string[] {
    return [...this.#open.keys()];
  }

  /** Leaves orders of other processes that are refused from now on to the next holder. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Begins an order. It returns undefined for one that is open already, because it was given back without an answer.
   * @param sentAt when the statement was sent that took it
   */
  begin(order: TakenOrder, sentAt: number, carryOut: CarryOut): OpenOrder | undefined {
    const { accountId } = order;
    if (this.idsOf(accountId).includes(order.orderId)) return undefined;
    const open: OpenOrder = {
      ...{ order, endsAt: sentAt + order.leftMs, hasBegun: false, isLeft: false, left: Promise.withResolvers() },
      ...{ result: Promise.resolve(null), outcome: undefined, recording: undefined },
    };
    this.#open.set(accountId, [...this.#of(accountId), open]);
    const run = () => carryOut(order, () => this.#beginsTurn(open));
    // The caller of one of our own shares its time with the database.
    open.result = order.isOwn ? run() : outsideOfRequest(run);
    void this.#settle(open);
    return open;
  }

  /** Leaves the account's orders that have not begun to the next holder. They must be given back. @returns whether there are any */
  leave(accountId: string): boolean {
    const all = this.#of(accountId);
    const left = all.filter(({ hasBegun, outcome }) => !hasBegun && outcome === undefined);
    for (const open of left) {
      open.isLeft = true;
      open.left.resolve(LEFT);
    }
    this.#keep(
      accountId,
      all.filter(({ isLeft }) => !isLeft),
    );
    return left.length > 0;
  }

  /** Answers the caller of one of our own. @param endsAt end of its wait, monotonic milliseconds */
  async answer(open: OpenOrder, endsAt: number): Promise<boolean | null | typeof LEFT> {
    const answered = new AbortController();
    const leftMs = Math.max(0, endsAt - this.#parts.clock.monotonic());
    const deadline = sleep(leftMs, { signal: answered.signal, ref: false }).then(() => {
      throw open.hasBegun ? orderUnderWay() : orderExpired();
    });
    try {
      return await Promise.race([open.left.promise, open.result, deadline]);
    } finally {
      answered.abort();
      // It lost the race: its failure concerns no caller.
      deadline.catch(() => undefined);
    }
  }

  /** Records outcomes that could not be stored. */
  async recordEnded(): Promise<void> {
    await Promise.all([...this.#open.values()].map((all) => this.#recordAll(all)));
  }

  #of(accountId: string): readonly OpenOrder[] {
    return this.#open.get(accountId) ?? [];
  }

  #keep(accountId: string, left: OpenOrder[]): void {
    if (left.length === 0) this.#open.delete(accountId);
    else this.#open.set(accountId, left);
  }

  /** @throws ConnectorError when the order is left or too late, or an earlier outcome can't be stored */
  async #beginsTurn(open: OpenOrder): Promise<void> {
    const all = this.#of(open.order.accountId);
    // Their turns are over; what is missing is at most the wait for the network's answer.
    for (const earlier of isReport(open.order) ? [] : all.slice(0, all.indexOf(open))) {
      earlier.outcome ??= { value: null };
      await this.#record(earlier);
    }
    if (open.isLeft) throw orderUnderWay();
    if (!isReport(open.order) && this.#parts.clock.monotonic() >= open.endsAt) throw orderExpired();
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
    if (open.isLeft) return;
    await this.#record(open).catch((error: unknown) => {
      this.#parts.log.warn({ account: order.accountId, err: error }, 'the outcome of an order could not be stored yet');
    });
  }

  async #recordAll(all: readonly OpenOrder[]): Promise<void> {
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
    this.#keep(
      accountId,
      this.#of(accountId).filter((each) => each.order.orderId !== orderId),
    );
  }
}
