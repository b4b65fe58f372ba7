import { IdleClock, type IdleTimes } from './idle-clock.ts';

// Tests replace the clock; these measure real programs.
const now = performance.now.bind(performance);
const { setInterval, clearInterval } = globalThis;

/** Interval between two looks at work under way. */
const LOOK_MS = 500;

/** Shorter waits do not use the idle clock, whose looks at all processes cost milliseconds. */
const SHORT_WAIT_MS = 1_000;
/** The same as a share of the idle time that ends the wait. */
const SHORT_WAIT_SHARE = 1 / 10;

/** Longest time for any work, even if the programs are busy. */
const OUTER_LIMIT_MS = 300_000;

/** Least idle time that work gets, also work that begins at the end of the deadline, in milliseconds. */
const LEAST_IDLE_MS = 5_000;
/** The same where the programs are busy. */
const LEAST_BUSY_MS = 30_000;

/** Work was given up at the deadline. */
export class GivenUp extends Error {}

/**
 * A deadline that measures progress: it counts only the time in which the programs that this process started do not run
 * and do not wait for a processor. It is over at last after five minutes.
 */
export class IdleDeadline {
  readonly #idleMsMax: number;
  /** Time after which it uses the idle clock. */
  readonly #shortMs: number;
  readonly #began = now();
  #clock: IdleClock | undefined;

  /** @param idleMsMax longest idle time of the programs, in milliseconds */
  constructor(idleMsMax: number) {
    this.#idleMsMax = idleMsMax;
    this.#shortMs = Math.min(SHORT_WAIT_MS, SHORT_WAIT_SHARE * idleMsMax);
  }

  /** Times since it began. */
  read(): IdleTimes {
    const passedMs = now() - this.#began;
    if (this.#clock === undefined && passedMs < this.#shortMs) return { passedMs, idleMs: passedMs };
    this.#clock ??= new IdleClock();
    return { passedMs, idleMs: this.#shortMs + this.#clock.read().idleMs };
  }

  isOver(): boolean {
    const { passedMs, idleMs } = this.read();
    return idleMs >= this.#idleMsMax || passedMs >= Math.max(OUTER_LIMIT_MS, this.#idleMsMax);
  }

  /**
   * Settles like `work`. It fails instead when the deadline is over and the work has had `leastMs` of idle time, or half
   * a minute.
   * @param hurries whether the work has no more time than that, because something has ended meanwhile
   */
  async within<T>(
    work: Promise<T>,
    describe: () => string,
    { leastMs = LEAST_IDLE_MS, hurries = () => false }: { leastMs?: number; hurries?: () => boolean } = {},
  ): Promise<T> {
    const begin = this.read();
    const hasHadTime = (): boolean => {
      const { passedMs, idleMs } = this.read();
      return idleMs - begin.idleMs >= leastMs || passedMs - begin.passedMs >= LEAST_BUSY_MS;
    };
    const { promise: givenUp, reject } = Promise.withResolvers<never>();
    const timer = setInterval(() => {
      if ((this.isOver() || hurries()) && hasHadTime()) reject(new GivenUp(describe()));
    }, LOOK_MS);
    return await Promise.race([work, givenUp]).finally(() => clearInterval(timer));
  }
}

/**
 * Settles like `work`. It fails instead when the programs that this process started have been idle for `idleMsMax`
 * milliseconds, or after five minutes: a program that waits for a processor may take its time.
 */
export const withinIdle = <T>(work: Promise<T>, idleMsMax: number, describe: () => string): Promise<T> =>
  new IdleDeadline(idleMsMax).within(work, describe, { leastMs: 0 });
