import { IdleClock, type IdleTimes } from './idle-clock.ts';

/** Interval between two looks at work under way. */
const LOOK_MS = 500;

/** Shorter waits do not use the idle clock, whose looks at all processes cost milliseconds. */
const SHORT_WAIT_MS = 1_000;

/** Longest time for any work, even if the programs are busy. */
const OUTER_LIMIT_MS = 300_000;

/**
 * A deadline that measures progress: it counts only the time in which the programs that this process started do not run
 * and do not wait for a processor. It is over at last after five minutes.
 */
export class IdleDeadline {
  readonly #idleMsMax: number;
  readonly #began = performance.now();
  #clock: IdleClock | undefined;

  /** @param idleMsMax longest idle time of the programs, in milliseconds */
  constructor(idleMsMax: number) {
    this.#idleMsMax = idleMsMax;
  }

  /** Times since it began. */
  read(): IdleTimes {
    const passedMs = performance.now() - this.#began;
    if (this.#clock === undefined && passedMs < SHORT_WAIT_MS) return { passedMs, idleMs: passedMs };
    this.#clock ??= new IdleClock();
    const since = this.#clock.read();
    return { passedMs: SHORT_WAIT_MS + since.passedMs, idleMs: SHORT_WAIT_MS + since.idleMs };
  }

  isOver(): boolean {
    return this.#isOverSince({ passedMs: 0, idleMs: 0 });
  }

  #isOverSince(begin: IdleTimes): boolean {
    const { passedMs, idleMs } = this.read();
    return (
      idleMs - begin.idleMs >= this.#idleMsMax || passedMs - begin.passedMs >= Math.max(OUTER_LIMIT_MS, this.#idleMsMax)
    );
  }

  /** Settles like `work`, and fails instead when as much time as the deadline has is over since this call. */
  async within<T>(work: Promise<T>, describe: () => string): Promise<T> {
    const begin = this.read();
    const { promise: givenUp, reject } = Promise.withResolvers<never>();
    const timer = setInterval(() => {
      if (this.#isOverSince(begin)) reject(new Error(describe()));
    }, LOOK_MS);
    return await Promise.race([work, givenUp]).finally(() => clearInterval(timer));
  }
}

/**
 * Settles like `work`. It fails instead when the programs that this process started have been idle for `idleMsMax`
 * milliseconds, or after five minutes: a program that waits for a processor may take its time.
 */
export const withinIdle = <T>(work: Promise<T>, idleMsMax: number, describe: () => string): Promise<T> =>
  new IdleDeadline(idleMsMax).within(work, describe);
