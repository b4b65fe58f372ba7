import type { Clock } from '../../kernel/clock.ts';
import { outsideOfRequest } from '../database-time.ts';
import type { OrderOutcome, OrderStore } from '../ports/order-store.ts';
import { sleep } from './sleep.ts';

/** Interval of looks for outcomes of orders that another process carries out. */
const LOOK_MS = 250;
/** Shortest interval, to which hints may shorten it: they may come by the thousand. */
const LEAST_LOOK_MS = 20;

interface Waiting {
  /** Monotonic milliseconds. */
  endsAt: number;
  /** Undefined if there was none until then. */
  settle(outcome: OrderOutcome | undefined): void;
  fail(error: unknown): void;
}

/**
 * Looks for the outcomes of orders that another process carries out: for all that are awaited here in one statement. So
 * it costs the same for one caller and for a thousand, and those of one account take nothing from others.
 */
export class OutcomeWatch {
  readonly #orders: Pick<OrderStore, 'statesOf'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #awaited = new Map<string, Waiting>();
  #isLooking = false;
  /** Aborted by a hint. */
  #alarm = new AbortController();

  constructor(orders: Pick<OrderStore, 'statesOf'>, clock: Pick<Clock, 'monotonic'>) {
    this.#orders = orders;
    this.#clock = clock;
  }

  /** Handles a hint that outcomes were stored. It may come too often, or never. */
  hint(): void {
    this.#alarm.abort();
  }

  /**
   * Waits for the outcome of an order; undefined if there is none by the end of the wait, or its row is removed.
   * @param endsAt end of the wait, monotonic milliseconds
   * @throws ConnectorError when the database does not answer
   */
  wait(orderId: string, endsAt: number): Promise<OrderOutcome | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<OrderOutcome | undefined>();
    this.#awaited.set(orderId, { endsAt, settle: resolve, fail: reject });
    if (this.#isLooking) this.hint();
    else outsideOfRequest(() => void this.#look());
    return promise;
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#awaited.size > 0) {
      // A hint during the look may be about an outcome that was stored behind it.
      this.#alarm = new AbortController();
      const { signal } = this.#alarm;
      await this.#lookOnce();
      if (this.#awaited.size === 0) break;
      await sleep(LEAST_LOOK_MS, { ref: false });
      const ends = Math.min(...[...this.#awaited.values()].map(({ endsAt }) => endsAt));
      const restMs = Math.min(LOOK_MS, ends - this.#clock.monotonic()) - LEAST_LOOK_MS;
      if (restMs > 0) await sleep(restMs, { signal, ref: false });
    }
    this.#isLooking = false;
  }

  async #lookOnce(): Promise<void> {
    const now = this.#clock.monotonic();
    const asked = [...this.#awaited];
    try {
      const states = await this.#orders.statesOf(asked.map(([orderId]) => orderId));
      for (const [orderId, { endsAt, settle }] of asked) {
        const state = states.get(orderId);
        if (typeof state !== 'string') this.#end(orderId, () => settle(state));
        else if (now >= endsAt) this.#end(orderId, () => settle(undefined));
      }
    } catch (error) {
      for (const [orderId, { fail }] of asked) this.#end(orderId, () => fail(error));
    }
  }

  #end(orderId: string, settle: () => void): void {
    this.#awaited.delete(orderId);
    settle();
  }
}
