import type { RequestListener } from 'node:http';
import type { ConnectorConfig } from '../../schemas/connector.ts';
import type { HeldSignals } from '../kernel/held-signals.ts';
import { listen, type ReservedAddress, reserve } from '../kernel/http/listen.ts';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import type { Logger } from '../kernel/log.ts';
import { createBoundedServer } from './http/bounded-server.ts';
import { Drain } from './http/drain.ts';
import type { Unready } from './http/health.ts';
import { createStandbyApp, type StandbyOptions } from './http/standby.ts';
import type { SlotKeeper } from './store/hold/slot-keeper.ts';

/** Deadline of requests under way after the beginning of the end: a send may wait this long for its turn. */
const REQUEST_END_DEADLINE_MS = 20_000;
/**
 * The same deadline if another process waits for this one: shorter, so that the hand-over fits into the 25 s of the
 * program's end, too.
 */
const AWAITED_REQUEST_END_DEADLINE_MS = 14_000;
/** The same deadline if the program must not go on. */
const URGENT_REQUEST_END_DEADLINE_MS = 5_000;
/** Deadline of a standby's notice to the database that it ends; a hanging database is not waited for. */
const STANDBY_END_DEADLINE_MS = 3_000;
/** Connections without a request are closed this long after the listener. */
const IDLE_AFTER_LISTENER_MS = 2_000;
export interface DoorOptions {
  config: Pick<ConnectorConfig, 'listen'>;
  log: Logger;
  /** Signals, which control the program once it accepts connections. */
  signals: Pick<HeldSignals, 'onEnd'>;
  /** Form of the refusals while another process has the database. */
  refusals: Pick<StandbyOptions, 'languages' | 'renderPage'>;
}

/**
 * The connector's listener: for a balancer's health checks while it is a standby, for all requests once it has the
 * database.
 */
export class Door {
  readonly #options: DoorOptions;
  readonly #lifecycle: Lifecycle;
  readonly #drain = new Drain();
  readonly #isStandby = Promise.withResolvers<void>();
  #handler: RequestListener;
  readonly #server = createBoundedServer(this.#drain.serving((req, res) => this.#handler(req, res)));
  #reserved: ReservedAddress | undefined;
  #port: Promise<number> | undefined;
  #hasFront = false;
  /** Ends the database's connections of a process that has served without the slot. */
  #closeReads: (() => Promise<void>) | undefined;
  /** Requests under way that use those connections. */
  #readsUnderWay = 0;
  #hasSignals = false;
  #hasEnded = false;

  constructor(options: DoorOptions, lifecycle: Lifecycle) {
    this.#options = options;
    this.#lifecycle = lifecycle;
    const { log, refusals } = options;
    this.#handler = createStandbyApp({ isEnding: () => this.isEnding, ...refusals, log });
    this.#drain.watch(this.#server);
  }

  /** Whether the end of the program has begun. */
  get isEnding(): boolean {
    return this.#hasEnded || this.#drain.isEnding;
  }

  /** Resolves once this process listens as a standby. @throws StartError when it can't listen */
  get standby(): Promise<void> {
    return this.#isStandby.promise;
  }

  /**
   * Listens for a process that waits until it has the database; its end ends the waiting. One that will serve without it
   * takes its port now and listens only then: a proxy that makes no health checks goes on by a refused connection, but
   * not by an answer 503.
   * @param metrics settles when the listener for metrics is open
   */
  openAsStandby(keeper: SlotKeeper, metrics: Promise<void>, servesReads: boolean): void {
    const { holder } = keeper;
    this.#lifecycle.add('listener of a standby', async () => {
      if (!this.#hasFront && this.#server.listening) await this.#endNow();
    });
    const leave = async (): Promise<void> => {
      this.#hasEnded = true;
      if (!this.#hasFront) await keeper.release();
    };
    this.#lifecycle.add('standby', leave, STANDBY_END_DEADLINE_MS);
    const since = holder === undefined ? undefined : new Date(holder.takenAt).toISOString();
    const opened = Promise.all([servesReads ? this.#reserve() : this.#open(), metrics]).then(([port]) => {
      this.#takeSignals();
      this.#options.log.info(
        { port, holder: holder?.name, since },
        servesReads
          ? 'will serve beside the process that has the database'
          : 'standby: waits until the process that has the database ends',
      );
    });
    opened.then(this.#isStandby.resolve, this.#isStandby.reject);
  }

  /**
   * Serves all requests, from now until the program ends.
   * @throws StartError when it can't listen
   * @param isUrgent whether the program must end at once
   * @param isAwaited whether another process waits for the end of this one; called when the end begins
   * @returns the port
   */
  async openTo(
    front: RequestListener,
    { isUrgent, isAwaited }: { isUrgent: () => boolean; isAwaited: () => Promise<boolean> },
  ): Promise<number> {
    const port = await this.#open();
    this.#handler = front;
    this.#hasFront = true;
    this.#closeUnusedReads();
    this.#lifecycle.add('listen', () =>
      isUrgent() ? this.#endNow() : this.#end(this.#options.config.listen.drainSeconds, isAwaited()),
    );
    // A client may wait for an answer from now on.
    this.#takeSignals();
    return port;
  }

  /**
   * Serves requests that need no session, while this process is a standby, until it serves all.
   * @param mayServe whether this process may use the database now; else it answers as a standby
   * @param close called once, when its requests have ended and it serves none any more
   */
  openToReaders(
    front: RequestListener,
    { mayServe, close }: { mayServe: () => boolean; close: () => Promise<void> },
  ): void {
    const standby = this.#handler;
    this.#closeReads = once(close);
    this.#lifecycle.add('reads', async () => {
      if (!this.#hasFront) await this.#end(this.#options.config.listen.drainSeconds, Promise.resolve(false));
      await this.#closeReads?.();
    });
    if (this.#hasFront) {
      this.#closeUnusedReads();
      return;
    }
    this.#handler = (req, res) => {
      if (!mayServe() && !this.isEnding) return standby(req, res);
      this.#readsUnderWay += 1;
      res.once('close', () => {
        this.#readsUnderWay -= 1;
        if (this.#hasFront) this.#closeUnusedReads();
      });
      front(req, res);
    };
    this.#open().catch((error: unknown) => {
      this.#options.log.fatal({ err: error }, 'this process can’t listen');
      this.#lifecycle.endFailed();
    });
  }

  /** Closes the connections for reading after the last request that began before this process took the slot. */
  #closeUnusedReads(): void {
    if (this.#readsUnderWay > 0) return;
    this.#closeReads?.().catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'connections to the database could not be closed');
    });
  }

  /** @param keeper undefined if no other process can have the database */
  unready(keeper: SlotKeeper | undefined): Unready | undefined {
    if (this.isEnding) return 'ending';
    if (keeper?.mayBeReplaced === true) return 'database';
    return keeper?.isClockOff === true ? 'clock' : undefined;
  }

  #takeSignals(): void {
    if (this.#hasSignals) return;
    this.#hasSignals = true;
    this.#lifecycle.endOnSignals(this.#options.signals);
  }

  #open(): Promise<number> {
    const { config, log } = this.#options;
    this.#port ??= listen(this.#server, config.listen, { option: 'listen', log, reserved: this.#reserved });
    return this.#port;
  }

  /** Takes the port for later. @throws StartError where another program has it */
  async #reserve(): Promise<undefined> {
    this.#reserved = reserve(this.#options.config.listen, 'listen');
  }

  /** @param drainSeconds seconds in which connections are still accepted; 0 ends at once */
  #end(drainSeconds: number, isAwaited: Promise<boolean>): Promise<void> {
    if (drainSeconds === 0) return this.#endNow();
    const deadlineMs = isAwaited.then((is) => (is ? AWAITED_REQUEST_END_DEADLINE_MS : REQUEST_END_DEADLINE_MS));
    const listenMs = drainSeconds * 1_000;
    return this.#drain.end(this.#server, { listenMs, idleMs: listenMs + IDLE_AFTER_LISTENER_MS, deadlineMs });
  }

  #endNow(): Promise<void> {
    const deadlineMs = URGENT_REQUEST_END_DEADLINE_MS;
    return this.#drain.end(this.#server, { listenMs: 0, idleMs: IDLE_AFTER_LISTENER_MS, deadlineMs });
  }
}

/** Returns a function that does the work at its first call; later calls wait for the same end. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}
