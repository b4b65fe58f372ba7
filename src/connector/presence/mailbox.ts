import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { asPartOfRequest, outsideOfRequest } from '../database-time.ts';
import { accountBusy } from '../errors.ts';
import type { BouncerSession, ObservedLine } from '../ports/bouncer-session.ts';
import { SessionEnded } from './generation.ts';
import { batchOf } from './line-batch.ts';
import { OngoingFailure } from './ongoing-failure.ts';
import { Retry } from './retry.ts';
import { sleep } from './sleep.ts';

/** Most waiting calls of one account; each is a request of an agent or a page. */
const CALLS_MAX = 1_000;
/** Number of queued events at which reading from the bouncer pauses, until `RESUME_AT` are left. */
const PAUSE_AT = 2_000;
const RESUME_AT = 500;
/** First wait after a failure; each further one is twice as long, up to `RETRY_MAX_MS`. */
const RETRY_MS = 1_000;
const RETRY_MAX_MS = 5_000;

/** Receives the lines of one session. */
export interface LineSink {
  takeLive(lines: readonly ObservedLine[]): Promise<void>;
}

/** Connection that can be paused while too many events are queued. */
export type Flow = Pick<BouncerSession, 'pause' | 'resume'>;

export interface MailboxOptions {
  accountId: string;
  log: Logger;
}

/** Queued event: a live line for its session's sink, or other work in the same order. */
type QueuedEvent = { observed: ObservedLine; sink: LineSink } | { work: () => Promise<void> };

interface Call {
  run: () => Promise<void>;
  refuse: () => void;
}

/**
 * Serializes all changes of one account's presence and messages.
 *
 * `enqueue` queues an event of the bouncer: events run in order, and each is retried until it succeeds. `call` queues a
 * call of a person, an agent or a timer: it runs once, and its failure is the caller's. The two queues take turns, so
 * that a call waits for at most one batch of lines, and not at all for lines that can't be stored.
 */
export class Mailbox {
  readonly #options: MailboxOptions;
  #calls: Call[] = [];
  #events: QueuedEvent[] = [];
  #flow: Flow | undefined;
  #isPaused = false;
  #isRunning = false;
  #isCalling = false;
  #isClosed = false;
  #isHeld = false;
  /** While an attempt is planned, queued events wait for it. */
  readonly #retry = new Retry({
    attempt: () => this.#run(),
    waits: (attempt) => Math.min(RETRY_MS * 2 ** attempt, RETRY_MAX_MS),
  });
  readonly #unstored = new OngoingFailure();
  #whenIdle: (() => void)[] = [];

  constructor(options: MailboxOptions) {
    this.#options = options;
  }

  /** Numbers of waiting and running calls, and of queued events. */
  get depth(): { calls: number; events: number } {
    return { calls: this.#calls.length + (this.#isCalling ? 1 : 0), events: this.#events.length };
  }

  /** Session that is paused when too many events are queued; undefined without a session. */
  set flow(flow: Flow | undefined) {
    this.#flow = flow;
    this.#isPaused = false;
    this.#throttle();
  }

  /** Enqueues work behind all earlier events; it is retried until it succeeds, so it must be idempotent. */
  enqueue(work: () => Promise<void>): void {
    this.#add({ work });
  }

  /** Enqueues a line, which is stored together with its neighbours for the same sink. */
  enqueueLine(observed: ObservedLine, sink: LineSink): void {
    this.#add({ observed, sink });
  }

  /**
   * Runs the work once and settles like it. A call from within the work would deadlock.
   * @throws RetryLater account_busy
   */
  call<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed || this.#calls.length >= CALLS_MAX) return Promise.reject(accountBusy());
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const partOfRequest = asPartOfRequest(work);
    const run = async (): Promise<void> => {
      try {
        resolve(await partOfRequest());
      } catch (error) {
        reject(error);
      }
    };
    this.#calls.push({ run, refuse: () => reject(accountBusy()) });
    outsideOfRequest(() => void this.#run());
    return promise;
  }

  /** Begins nothing more until `goOn`; resolves when the work under way has ended. */
  hold(): Promise<void> {
    this.#isHeld = true;
    return this.#isRunning ? new Promise((resolve) => this.#whenIdle.push(resolve)) : Promise.resolve();
  }

  /** Goes on after `hold`. */
  goOn(): void {
    this.#isHeld = false;
    outsideOfRequest(() => void this.#run());
  }

  /**
   * Stops. Queued events are dropped: the bouncer still has the lines. Resolves to true when the work under way has
   * ended, or to false after `deadlineMs`.
   */
  async close(deadlineMs: number): Promise<boolean> {
    this.#isClosed = true;
    this.#retry.cancel();
    this.#events = [];
    for (const { refuse } of this.#calls.splice(0)) refuse();
    if (!this.#isRunning) return true;
    const idle = new Promise<true>((resolve) => this.#whenIdle.push(() => resolve(true)));
    const deadline = new AbortController();
    const timeout = sleep(deadlineMs, { signal: deadline.signal }).then(() => false);
    const isIdle = await Promise.race([idle, timeout]);
    deadline.abort();
    return isIdle;
  }

  #add(event: QueuedEvent): void {
    if (this.#isClosed) return;
    this.#events.push(event);
    this.#throttle();
    outsideOfRequest(() => void this.#run());
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    // Runs after the present event, so that all lines of a chunk are stored together.
    await Promise.resolve();
    while (this.#hasWork()) {
      await this.#nextCall();
      await this.#nextEvent();
    }
    this.#isRunning = false;
    for (const resolveIdle of this.#whenIdle.splice(0)) resolveIdle();
  }

  #hasWork(): boolean {
    return this.#mayCall() || this.#mayRunEvent();
  }

  #mayCall(): boolean {
    return !this.#isHeld && this.#calls.length > 0;
  }

  #mayRunEvent(): boolean {
    return !this.#isHeld && this.#events.length > 0 && !this.#retry.isPlanned;
  }

  async #nextCall(): Promise<void> {
    const call = this.#mayCall() ? this.#calls.shift() : undefined;
    if (call === undefined) return;
    this.#isCalling = true;
    await call.run();
    this.#isCalling = false;
  }

  async #nextEvent(): Promise<void> {
    const [first] = this.#events;
    if (first === undefined || !this.#mayRunEvent()) return;
    try {
      const done = await this.#do(first);
      if (!this.#isClosed) this.#events.splice(0, done);
      this.#retry.reset();
      this.#unstored.succeeded();
    } catch (error) {
      if (!this.#isClosed) this.#tryLater(error);
    }
    this.#throttle();
  }

  /** Runs the first event, together with all that can be batched with it; returns their number. */
  async #do(first: QueuedEvent): Promise<number> {
    if ('sink' in first) {
      const lines = batchOf(this.#linesFor(first.sink));
      await first.sink.takeLive(lines);
      return lines.length;
    }
    try {
      await first.work();
    } catch (error) {
      if (!(error instanceof SessionEnded)) throw error;
    }
    return 1;
  }

  *#linesFor(sink: LineSink): Generator<ObservedLine> {
    for (const event of this.#events) {
      if (!('sink' in event) || event.sink !== sink) return;
      yield event.observed;
    }
  }

  #tryLater(error: unknown): void {
    const { accountId, log } = this.#options;
    this.#unstored.failed(messageOf(error), (count) => {
      log.error({ account: accountId, err: error, count }, 'lines of the bouncer can’t be stored; trying again');
    });
    this.#retry.later();
  }

  #throttle(): void {
    if (!this.#isPaused && this.#events.length >= PAUSE_AT) {
      this.#isPaused = true;
      this.#flow?.pause();
    } else if (this.#isPaused && this.#events.length <= RESUME_AT) {
      this.#isPaused = false;
      this.#flow?.resume();
    }
  }
}
