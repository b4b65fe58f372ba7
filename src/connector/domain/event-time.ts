import { DAY_MS } from './limits.ts';

/**
 * A server's clock may be wrong by hours. A line with a later date would stay the newest for that time, and would never
 * expire.
 */
export const AHEAD_MAX_MS = DAY_MS;

/**
 * The time at which a line was said, by its server's clock; undefined if the server gives no time, or an impossible
 * one.
 */
export const eventTime = (serverAt: number | undefined, now: number): number | undefined =>
  serverAt === undefined || serverAt > now + AHEAD_MAX_MS ? undefined : serverAt;

/** A server's clock may be behind by hours. Older lines are those that some servers show to a client that joins. */
const BEHIND_MAX_MS = DAY_MS;

export const isOfLongAgo = (serverAt: number | undefined, now: number): boolean =>
  serverAt !== undefined && serverAt < now - BEHIND_MAX_MS;

/**
 * Whether a line was stored before and removed since, as far as its time shows. A line with an impossible time counts
 * as removed.
 * @param border time up to which lines of its channel were removed
 */
export function wasRemoved(serverAt: number | undefined, border: number | undefined, now: number): boolean {
  if (border === undefined) return false;
  const at = eventTime(serverAt, now);
  return at === undefined || at <= border;
}
