import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { nextAttemptMs, RETRY_MAX_MS } from '../domain/delivery-times.ts';
import { DELIVERIES_AT_ONCE, EVENT_POLL_MS } from '../domain/limits.ts';
import { pause } from '../pause.ts';
import type { Callbacks, DeliveryOutcome } from '../ports/callbacks.ts';
import type { DeliveryStore, DueDelivery } from '../ports/delivery-store.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import { chance } from '../random.ts';
import { Semaphore } from '../semaphore.ts';
import { type Repeated, repeat, type Wakeable } from './repeat.ts';

/** Deliveries that are leased in one transaction. */
const STEP_DELIVERIES = 32;
/** Lease of a delivery: longer than its longest wait plus its request. */
const LEASE_MS = 120_000;
/** Interval of looks for leases of dead processes. */
const LOOK_MS = 2_000;
/** Shortest pause: deliveries that become due within it are leased together. */
const SOONEST_MS = 500;
/** Pause before the queue is polled again, as a multiple of the last poll's duration. */
const RESTS = 4;
/** Shortest rest that is worth a timer. */
const LEAST_REST_MS = 20;
/**
 * Most concurrent queries: half of the connections to a remote database, so that others get in between when many
 * deliveries end at once.
 */
const QUESTIONS_AT_ONCE = 4;
/** Longest wait for deliveries under way at the end; the next process delivers the rest again. */
const END_DEADLINE_MS = 3_000;

export interface DeliveriesOptions {
  deliveries: DeliveryStore;
  callbacks: Pick<Callbacks, 'deliver'>;
  /** Reports when a delivery has become due. */
  invalidations: Invalidations;
  clock: Clock;
  log: Logger;
}

/** Delivers due events: at once when one is queued, otherwise every few seconds. @spec connector#events wake-up */
export function startDeliveries(options: DeliveriesOptions): Repeated {
  return new DeliveryWorker(options);
}

/**
 * Polls the queue, leases due deliveries and makes the attempts, at most `DELIVERIES_AT_ONCE` at a time. A lease keeps a
 * delivery from other workers until its outcome is stored or the lease ends.
 */
class DeliveryWorker implements Repeated {
  readonly #options: DeliveriesOptions;
  readonly #passes: Wakeable;
  readonly #looks: Repeated;
  readonly #questions = new Semaphore(QUESTIONS_AT_ONCE);
  /** Delivery under way → its id. */
  readonly #underWay = new Map<Promise<void>, string>();
  #pauseMs = EVENT_POLL_MS;
  #hasEnded = false;
  #hasLoggedFailure = false;
  /** Set when an answer of the queue is missing: it may have leased deliveries that are unknown here. */
  #hasMissedAnswer = false;
  /** Duration of the last lease query, in milliseconds. */
  #takeMs = 0;
  /** Set while a place is free and the next poll is delayed. */
  #rest: AbortController | undefined;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    const { log, invalidations } = options;
    const everyMs = (): number => this.#pauseMs;
    this.#passes = repeat({ failure: 'deliveries could not be taken from the queue', everyMs, log }, (signal) =>
      this.#takeDue(signal),
    );
    this.#looks = repeat({ failure: 'leases of dead processes could not be ended', everyMs: LOOK_MS, log }, () =>
      this.#releaseOfDead(),
    );
    invalidations.on('deliveries', () => this.#passes.wake());
  }

  async close(): Promise<void> {
    this.#rest?.abort();
    await Promise.all([this.#looks.close(), this.#passes.close()]);
    const deadline = new AbortController();
    await Promise.race([Promise.all(this.#underWay.keys()), pause(END_DEADLINE_MS, deadline.signal)]);
    deadline.abort();
    this.#hasEnded = true;
  }

  async #takeDue(signal: AbortSignal): Promise<void> {
    this.#pauseMs = EVENT_POLL_MS;
    const { deliveries } = this.#options;
    while (!signal.aborted && this.#underWay.size < DELIVERIES_AT_ONCE) {
      const limit = Math.min(STEP_DELIVERIES, DELIVERIES_AT_ONCE - this.#underWay.size);
      const due = await this.#take(limit);
      for (const delivery of due) this.#begin(delivery);
      if (due.length < limit) break;
    }
    const nextDueInMs = await deliveries.nextDueInMs();
    if (nextDueInMs === undefined) return;
    this.#pauseMs = Math.min(EVENT_POLL_MS, Math.max(SOONEST_MS, nextDueInMs));
    if (nextDueInMs > RETRY_MAX_MS) await this.#clockWasSetBack();
  }

  async #releaseOfDead(): Promise<void> {
    if (await this.#options.deliveries.releaseOfDead()) this.#passes.wake();
  }

  /**
   * Corrects times in the far future: the clock was ahead when attempts and leases were stored, as on a machine that
   * starts with a wrong clock.
   */
  async #clockWasSetBack(): Promise<void> {
    const { deliveries } = this.#options;
    await deliveries.makeAllDue();
    await deliveries.releaseAllBut([...this.#underWay.values()]);
    this.#pauseMs = SOONEST_MS;
  }

  async #take(limit: number): Promise<DueDelivery[]> {
    const { deliveries, clock } = this.#options;
    if (this.#hasMissedAnswer) await deliveries.releaseAllBut([...this.#underWay.values()]);
    this.#hasMissedAnswer = true;
    const startedAt = clock.monotonic();
    const due = await deliveries.take(limit, LEASE_MS);
    this.#takeMs = clock.monotonic() - startedAt;
    this.#hasMissedAnswer = false;
    // Another process took this one for dead, and has given them up again: the first attempt still runs.
    const underWay = new Set(this.#underWay.values());
    return due.filter(({ deliveryId }) => !underWay.has(deliveryId));
  }

  #begin(delivery: DueDelivery): void {
    const ended = this.#deliver(delivery).then((isDone) => {
      this.#underWay.delete(ended);
      if (isDone) this.#placeIsFree();
      // The delivery was not sent: the next pass ends its lease, but not at once, because the database may fail for
      // longer.
      else this.#hasMissedAnswer = true;
    });
    this.#underWay.set(ended, delivery.deliveryId);
  }

  /**
   * Polls for the free place, at an interval if the last poll took long: with thousands queued, one poll then serves
   * all free places.
   */
  #placeIsFree(): void {
    const restMs = this.#takeMs * RESTS;
    if (restMs < LEAST_REST_MS) this.#passes.wake();
    else if (this.#rest === undefined) {
      this.#rest = new AbortController();
      void pause(restMs, this.#rest.signal).then(() => {
        this.#rest = undefined;
        this.#passes.wake();
      });
    }
  }

  /**
   * Makes one delivery. If its outcome can't be stored, it keeps its lease and is delivered later, under the same event
   * id: better twice than never.
   * @returns false if it was not sent, and could not be checked or released
   */
  async #deliver(delivery: DueDelivery): Promise<boolean> {
    const { callbacks, deliveries, log } = this.#options;
    // After the end, the database may be closed.
    const isWanted = async (): Promise<boolean> =>
      !this.#hasEnded && (await this.#questions.use(() => deliveries.isWanted(delivery.deliveryId)));
    let wasSent = false;
    try {
      const outcome = await callbacks.deliver(delivery, isWanted);
      wasSent = outcome.kind !== 'withheld';
      if (this.#hasEnded) return true;
      await this.#questions.use(() => this.#settle(delivery, outcome));
      this.#hasLoggedFailure = false;
      return true;
    } catch (error) {
      if (!this.#hasLoggedFailure)
        log.error({ err: error }, 'a delivery could not be looked at, or what became of it stored');
      this.#hasLoggedFailure = true;
      return wasSent;
    }
  }

  async #settle({ deliveryId, attempts }: DueDelivery, outcome: DeliveryOutcome): Promise<void> {
    const { deliveries } = this.#options;
    switch (outcome.kind) {
      case 'withheld':
        return deliveries.giveBack(deliveryId);
      case 'accepted':
        return deliveries.accepted(deliveryId);
      case 'refused':
        return deliveries.failedAttempt(deliveryId, outcome.failure, undefined);
      case 'failed': {
        const retryInMs = nextAttemptMs(attempts + 1, chance(), outcome.retryAfterMs);
        return deliveries.failedAttempt(deliveryId, outcome.failure, retryInMs);
      }
    }
  }
}
