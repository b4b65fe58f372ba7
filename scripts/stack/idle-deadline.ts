import { IdleClock } from './idle-clock.ts';

/** Interval between two looks at the programs. Work that takes less time needs no idle clock. */
const LOOK_MS = 500;

/** Longest time for any work, even if the programs are busy. */
const OUTER_LIMIT_MS = 300_000;

/**
 * Settles like `work`. It fails instead when the programs that this process started have been idle for `idleMsMax`
 * milliseconds, or after five minutes: a program that waits for a processor may take its time.
 */
export async function withinIdle<T>(work: Promise<T>, idleMsMax: number, describe: () => string): Promise<T> {
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  const began = performance.now();
  let clock: IdleClock | undefined;
  const timer = setInterval(() => {
    clock ??= new IdleClock();
    if (clock.read() >= idleMsMax || performance.now() - began >= OUTER_LIMIT_MS) reject(new Error(describe()));
  }, LOOK_MS);
  return await Promise.race([work, givenUp]).finally(() => clearInterval(timer));
}
