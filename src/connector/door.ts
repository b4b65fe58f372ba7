import type { RequestListener } from 'node:http';
import type { ConnectorConfig } from '../../schemas/connector.ts';
import type { HeldSignals } from '../kernel/held-signals.ts';
import { listen } from '../kernel/http/listen.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Logger } from '../kernel/log.ts';
import { Drain, type DrainTimes } from './http/drain.ts';
import type { Unready } from './http/health.ts';
import { createBoundedServer } from './http/server.ts';
import { createStandbyApp } from './http/standby.ts';
import { CLOCK_OFF_MS, type SlotKeeper } from './store/hold/slot-keeper.ts';

/** Requests under way may take this long after the beginning of the end: a send may wait so long for its turn. */
const REQUEST_END_DEADLINE_MS = 20_000;
/** The same where the program must not go on. */
const URGENT_REQUEST_END_DEADLINE_MS = 5_000;
/** Connections without a request are closed this long after the listener. */
const IDLE_AFTER_LISTENER_MS = 2_000;
export interface DoorOptions {
  config: Pick<ConnectorConfig, 'listen'>;
  log: Logger;
  /** Control the program from the moment when it accepts connections. */
  signals: Pick<HeldSignals, 'onEnd'>;
}

/** Where the connector listens: for a balancer's question while it is a standby, for everything once it has the database. */
export class Door {
  readonly #options: DoorOptions;
  readonly #lifecycle: Lifecycle;
  readonly #drain = new Drain();
  readonly #isStandby = Promise.withResolvers<void>();
  #handler: RequestListener = createStandbyApp(() => this.isEnding);
  readonly #server = createBoundedServer(this.#drain.serving((req, res) => this.#handler(req, res)));
  #port: Promise<number> | undefined;
  #hasFront = false;
  #hasSignals = false;
  #hasEnded = false;

  constructor(options: DoorOptions, lifecycle: Lifecycle) {
    this.#options = options;
    this.#lifecycle = lifecycle;
    this.#drain.watch(this.#server);
  }

  /** Whether the end of the program has begun. */
  get isEnding(): boolean {
    return this.#hasEnded || this.#drain.isEnding;
  }

  /** Resolves when this process listens as a standby. @throws StartError when it can't listen */
  get standby(): Promise<void> {
    return this.#isStandby.promise;
  }

  /**
   * Listens for a process that waits until it has the database; its end ends the waiting.
   * @param metrics listens for questions about metrics
   */
  openAsStandby(keeper: SlotKeeper, metrics: Promise<void>): void {
    const { holder } = keeper;
    this.#lifecycle.add('standby', async () => {
      this.#hasEnded = true;
      if (this.#hasFront) return;
      await keeper.release();
      if (this.#server.listening) await this.#end(0);
    });
    const since = holder === undefined ? undefined : new Date(holder.takenAt).toISOString();
    const opened = Promise.all([this.#open(), metrics]).then(([port]) => {
      this.#takeSignals();
      this.#options.log.info(
        { port, holder: holder?.name, since },
        'standby: waits until the process that has the database ends',
      );
    });
    opened.then(this.#isStandby.resolve, this.#isStandby.reject);
  }

  /**
   * Serves everything, from now until the program ends. @throws StartError when it can't listen
   * @param isUrgent whether the program must end at once
   * @returns the port
   */
  async openTo(front: RequestListener, isUrgent: () => boolean): Promise<number> {
    const port = await this.#open();
    this.#handler = front;
    this.#hasFront = true;
    this.#lifecycle.add('listen', () => this.#end(isUrgent() ? 0 : this.#options.config.listen.drainSeconds));
    // From now on a client may wait for an answer.
    this.#takeSignals();
    return port;
  }

  /** @param keeper undefined where no other process can have the database */
  unready(keeper: SlotKeeper | undefined): Unready | undefined {
    if (this.isEnding) return 'ending';
    return keeper !== undefined && Math.abs(keeper.clockOffMs) > CLOCK_OFF_MS ? 'clock' : undefined;
  }

  #takeSignals(): void {
    if (this.#hasSignals) return;
    this.#hasSignals = true;
    this.#lifecycle.endOnSignals(this.#options.signals);
  }

  #open(): Promise<number> {
    this.#port ??= listen(this.#server, this.#options.config.listen, { option: 'listen', log: this.#options.log });
    return this.#port;
  }

  #end(drainSeconds: number): Promise<void> {
    return this.#drain.end(this.#server, drainTimes(drainSeconds));
  }
}

/** @param drainSeconds 0 where the program must end at once */
function drainTimes(drainSeconds: number): DrainTimes {
  const listenMs = drainSeconds * 1_000;
  const deadlineMs = drainSeconds === 0 ? URGENT_REQUEST_END_DEADLINE_MS : REQUEST_END_DEADLINE_MS;
  return { listenMs, idleMs: listenMs + IDLE_AFTER_LISTENER_MS, deadlineMs };
}
