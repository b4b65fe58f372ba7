const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Times of the attempts at a delivery, since the first one. @spec connector#events delivery bound, attempts */
const ATTEMPTS_AT_MS = [0, 5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 8 * MINUTE_MS];

/** Longest wait that a receiver's Retry-After can cause. */
const RETRY_AFTER_MAX_MS = 15 * MINUTE_MS;

/** Longest wait of a delivery for its next attempt, unless the clock was set back meanwhile. */
export const RETRY_MAX_MS = RETRY_AFTER_MAX_MS;

/**
 * Milliseconds before the next attempt, with up to a fifth more at random; undefined after the last one.
 * @param endedAttempts at least 1
 * @param chance from 0 to 1
 * @param retryAfterMs wait that the receiver asked for
 */
export function nextAttemptMs(endedAttempts: number, chance: number, retryAfterMs = 0): number | undefined {
  const [last, next] = [ATTEMPTS_AT_MS[endedAttempts - 1], ATTEMPTS_AT_MS[endedAttempts]];
  if (last === undefined || next === undefined) return undefined;
  const waitMs = Math.round((next - last) * (1 + chance / 5));
  return Math.max(waitMs, Math.min(retryAfterMs, RETRY_AFTER_MAX_MS));
}
