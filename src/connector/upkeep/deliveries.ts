import type { Clock } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import { nextAttemptMs } from '../domain/delivery-times.ts';
import { DELIVERIES_AT_ONCE, EVENT_POLL_MS } from '../domain/limits.ts';
import type { Callbacks, DeliveryOutcome } from '../ports/callbacks.ts';
import type { DeliveryStore, DueDelivery } from '../ports/deliveries.ts';
import type { Invalidations } from '../ports/invalidations.ts';
import { chance } from '../random.ts';
import { pause, type Repeated, repeat, type Wakeable } from './repeat.ts';

/** Deliveries that are taken in one transaction. */
const STEP_DELIVERIES = 32;
/** Longer than what is taken waits for its host and takes: what a lost process had taken is then taken anew. */
const LEASE_MS = 120_000;
/** Deliveries that become due one after another are taken together. */
const SOONEST_MS = 500;
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
  readonly #underWay = new Set<Promise<void>>();
  #pauseMs = EVENT_POLL_MS;
  #hasEnded = false;
  #toldFailure = false;

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
    await this.#passes.close();
    const deadline = new AbortController();
    await Promise.race([Promise.all(this.#underWay), pause(END_DEADLINE_MS, deadline.signal)]);
    deadline.abort();
    this.#hasEnded = true;
  }

  async #takeDue(signal: AbortSignal): Promise<void> {
    this.#pauseMs = EVENT_POLL_MS;
    const { deliveries, clock } = this.#options;
    while (!signal.aborted && this.#underWay.size < DELIVERIES_AT_ONCE) {
      const limit = Math.min(STEP_DELIVERIES, DELIVERIES_AT_ONCE - this.#underWay.size);
      const due = await deliveries.take(limit, LEASE_MS);
      for (const delivery of due) this.#begin(delivery);
      if (due.length < limit) break;
    }
    const nextDueAt = await deliveries.nextDueAt();
    if (nextDueAt === undefined) return;
    this.#pauseMs = Math.min(EVENT_POLL_MS, Math.max(SOONEST_MS, nextDueAt - clock.now()));
  }

  #begin(delivery: DueDelivery): void {
    const ended = this.#deliver(delivery).then(() => {
      this.#underWay.delete(ended);
      // There is a place again.
      this.#passes.wake();
    });
    this.#underWay.add(ended);
  }

  /** What can't be settled keeps its lease and is delivered again, under the same event id: better twice than never. */
  async #deliver(delivery: DueDelivery): Promise<void> {
    const { callbacks, log } = this.#options;
    try {
      const outcome = await callbacks.deliver(delivery);
      // The database may be closed by now.
      if (this.#hasEnded) return;
      await this.#settle(delivery, outcome);
      this.#toldFailure = false;
    } catch (error) {
      if (!this.#toldFailure) log.error({ err: error }, 'the outcome of a delivery could not be stored');
      this.#toldFailure = true;
    }
  }

  async #settle({ deliveryId, attempts }: DueDelivery, outcome: DeliveryOutcome): Promise<void> {
    const { deliveries, clock } = this.#options;
    switch (outcome.kind) {
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
