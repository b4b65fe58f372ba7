import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { nextAttemptMs, RETRY_MAX_MS } from '../domain/delivery-times.ts';
import { DELIVERIES_AT_ONCE, EVENT_POLL_MS } from '../domain/limits.ts';
import type { Callbacks, DeliveryOutcome } from '../ports/callbacks.ts';
import type { DeliveryStore, DueDelivery } from '../ports/deliveries.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import { chance } from '../random.ts';
import { Semaphore } from '../semaphore.ts';
import { pause, type Repeated, repeat, type Wakeable } from './repeat.ts';

/** Deliveries that are taken in one transaction. */
const STEP_DELIVERIES = 32;
/** Longer than what is taken waits for its host and takes: what a lost process had taken is then taken anew. */
const LEASE_MS = 120_000;
/** Deliveries that become due one after another are taken together. */
const SOONEST_MS = 500;
/** After a question that takes long, the next one for places that have become free waits so many times as long. */
const RESTS = 4;
/** A shorter rest is not worth its timer. */
const LEAST_REST_MS = 20;
/** Half of the connections that there are to a database elsewhere: when many deliveries end at once, others get in between. */
const QUESTIONS_AT_ONCE = 4;
/** At the end, what is under way may take this long; then it is given up, and delivered again by the next process. */
const END_DEADLINE_MS = 3_000;

export interface DeliveriesOptions {
  deliveries: DeliveryStore;
  callbacks: Pick<Callbacks, 'deliver'>;
  /** Tells when something has become due. */
  invalidations: Invalidations;
  clock: Clock;
  log: Logger;
}

/** Delivers what is due: at once when something is queued, and every few seconds else. @spec connector#events wake-up */
export function startDeliveries(options: DeliveriesOptions): Repeated {
  return new DeliveryWorker(options);
}

class DeliveryWorker implements Repeated {
  readonly #options: DeliveriesOptions;
  readonly #passes: Wakeable;
  readonly #questions = new Semaphore(QUESTIONS_AT_ONCE);
  /** With the id of each. */
  readonly #underWay = new Map<Promise<void>, string>();
  #pauseMs = EVENT_POLL_MS;
  #hasEnded = false;
  #toldFailure = false;
  /** An answer of the queue did not come: it may have counted deliveries as taken that nobody here knows of. */
  #hasMissedAnswer = false;
  /** How long it last took to find whose turn it is. */
  #takeMs = 0;
  /** While a place is free and nobody is asked yet who gets it. */
  #rest: AbortController | undefined;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    const { log, invalidations } = options;
    const everyMs = (): number => this.#pauseMs;
    this.#passes = repeat({ failure: 'deliveries could not be taken from the queue', everyMs, log }, (signal) =>
      this.#takeDue(signal),
    );
    invalidations.on('deliveries', () => this.#passes.wake());
  }

  async close(): Promise<void> {
    this.#rest?.abort();
    await this.#passes.close();
    const deadline = new AbortController();
    await Promise.race([Promise.all(this.#underWay.keys()), pause(END_DEADLINE_MS, deadline.signal)]);
    deadline.abort();
    this.#hasEnded = true;
  }

  async #takeDue(signal: AbortSignal): Promise<void> {
    this.#pauseMs = EVENT_POLL_MS;
    const { deliveries, clock } = this.#options;
    while (!signal.aborted && this.#underWay.size < DELIVERIES_AT_ONCE) {
      const limit = Math.min(STEP_DELIVERIES, DELIVERIES_AT_ONCE - this.#underWay.size);
      const due = await this.#take(limit);
      for (const delivery of due) this.#begin(delivery);
      if (due.length < limit) break;
    }
    const nextDueAt = await deliveries.nextDueAt();
    if (nextDueAt === undefined) return;
    this.#pauseMs = Math.min(EVENT_POLL_MS, Math.max(SOONEST_MS, nextDueAt - clock.now()));
    if (nextDueAt > clock.now() + RETRY_MAX_MS) await this.#clockWasSetBack();
  }

  /** The clock was ahead when times of attempts and leases were noted, as where a machine starts with a wrong one. */
  async #clockWasSetBack(): Promise<void> {
    const { deliveries, clock } = this.#options;
    await deliveries.dueBy(clock.now());
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
    return due;
  }

  #begin(delivery: DueDelivery): void {
    const ended = this.#deliver(delivery).then((isDone) => {
      this.#underWay.delete(ended);
      if (isDone) this.#placeIsFree();
      // Nothing was sent: the next pass ends its lease, not at once, because the database may fail for longer.
      else this.#hasMissedAnswer = true;
    });
    this.#underWay.set(ended, delivery.deliveryId);
  }

  /** Where thousands wait, to find whose turn it is takes long: it is asked only now and then, for all places that are free. */
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
   * What can't be settled keeps its lease and is delivered later, under the same event id: better twice than never.
   * @returns false where it could not be looked at or given back: nothing was sent
   */
  async #deliver(delivery: DueDelivery): Promise<boolean> {
    const { callbacks, deliveries, log } = this.#options;
    // Once it has ended, the database may be closed.
    const isWanted = async (): Promise<boolean> =>
      !this.#hasEnded && (await this.#questions.use(() => deliveries.isWanted(delivery.deliveryId)));
    let wasSent = false;
    try {
      const outcome = await callbacks.deliver(delivery, isWanted);
      wasSent = outcome.kind !== 'withheld';
      if (this.#hasEnded) return true;
      await this.#questions.use(() => this.#settle(delivery, outcome));
      this.#toldFailure = false;
      return true;
    } catch (error) {
      if (!this.#toldFailure)
        log.error({ err: error }, 'a delivery could not be looked at, or what became of it stored');
      this.#toldFailure = true;
      return wasSent;
    }
  }

  async #settle({ deliveryId, attempts }: DueDelivery, outcome: DeliveryOutcome): Promise<void> {
    const { deliveries, clock } = this.#options;
    switch (outcome.kind) {
      case 'withheld':
        return deliveries.giveBack(deliveryId);
      case 'accepted':
        return deliveries.accepted(deliveryId);
      case 'refused':
        return deliveries.failedAttempt(deliveryId, outcome.failure, undefined);
      case 'failed': {
        const waitMs = nextAttemptMs(attempts + 1, chance(), outcome.retryAfterMs);
        const retryAt = waitMs === undefined ? undefined : clock.now() + waitMs;
        return deliveries.failedAttempt(deliveryId, outcome.failure, retryAt);
      }
    }
  }
}
