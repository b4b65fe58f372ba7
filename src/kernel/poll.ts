import { setTimeout as delay } from 'node:timers/promises';

interface Pace {
  /** Pause between two looks. */
  everyMs: number;
  /** Time after which no further look begins. */
  withinMs: number;
  /** Monotonic clock in milliseconds. */
  nowMs?: () => number;
  /** Ends each pause; by default a timer that keeps the program alive. */
  sleep?: (ms: number) => Promise<unknown>;
}

/**
 * Looks until there is a value. The first look is at once, and there is at least one.
 * @returns the value, or undefined when the time is over
 * @throws what a look throws
 */
export async function poll<T>(
  look: () => T | undefined | Promise<T | undefined>,
  { everyMs, withinMs, nowMs = () => performance.now(), sleep = delay }: Pace,
): Promise<T | undefined> {
  const endMs = nowMs() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined || nowMs() >= endMs) return found;
    await sleep(everyMs);
  }
}
