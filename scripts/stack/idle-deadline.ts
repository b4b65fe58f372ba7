import { IdleClock } from './idle-clock.ts';

/** How often the programs are looked at. What takes less time than this does without the idle clock. */
const LOOK_MS = 500;

/** No work may take longer, whatever the programs do meanwhile. */
const OUTER_LIMIT_MS = 300_000;

/**
 * Settles as the work does. It fails instead when the programs that this process started have done nothing for
 * `idleMsMax` milliseconds, or after five minutes: a program that waits for a processor may take its time.
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
