/** Shortest time between the starts of two collections. @spec agent#limits */
export const COLLECT_INTERVAL_MS = 10_000;

/** An instant on both clocks. */
export interface Instant {
  monotonicMs: number;
  wallMs: number;
}

/**
 * Whether an answer is too old to be reused. The wall clock counts too, but only forward: the monotonic clock stands
 * still while the machine sleeps.
 */
export function isExpired(taken: Instant, now: Instant): boolean {
  return now.monotonicMs - taken.monotonicMs >= COLLECT_INTERVAL_MS || now.wallMs - taken.wallMs >= COLLECT_INTERVAL_MS;
}
