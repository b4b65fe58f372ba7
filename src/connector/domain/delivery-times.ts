const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** When the attempts at a delivery are made, from the first one on. @spec connector#events delivery bound, attempts */
const ATTEMPTS_AT_MS = [0, 5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 8 * MINUTE_MS];

/** A receiver that asks for more is asked again after this time all the same. */
const RETRY_AFTER_MAX_MS = 15 * MINUTE_MS;

/** No delivery waits longer for its next attempt, unless the clock was set back meanwhile. */
export const RETRY_MAX_MS = RETRY_AFTER_MAX_MS;

/**
 * Milliseconds before the next attempt, with up to a fifth more at random; undefined when there is none left.
 * @param endedAttempts at least 1
 * @param chance from 0 to 1
 * @param retryAfterMs how long the receiver asked to be left alone
 */
export function nextAttemptMs(endedAttempts: number, chance: number, retryAfterMs = 0): number | undefined {
  const [last, next] = [ATTEMPTS_AT_MS[endedAttempts - 1], ATTEMPTS_AT_MS[endedAttempts]];
  if (last === undefined || next === undefined) return undefined;
  const waitMs = Math.round((next - last) * (1 + chance / 5));
  return Math.max(waitMs, Math.min(retryAfterMs, RETRY_AFTER_MAX_MS));
}
