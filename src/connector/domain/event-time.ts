import { DAY_MS } from './limits.ts';

/** A clock may be wrong by hours. What is dated later would be the newest for as long, and would never be too old. */
export const AHEAD_MAX_MS = DAY_MS;

/** When a line was said, by its server's clock; undefined where the server gives no time, or one that can't be true. */
export const eventTime = (serverAt: number | undefined, now: number): number | undefined =>
  serverAt === undefined || serverAt > now + AHEAD_MAX_MS ? undefined : serverAt;

/** A server's clock may be behind by hours. A line of longer ago is one that some servers show to whoever joins. */
const BEHIND_MAX_MS = DAY_MS;

export const isOfLongAgo = (serverAt: number | undefined, now: number): boolean =>
  serverAt !== undefined && serverAt < now - BEHIND_MAX_MS;

/**
 * Whether a line was stored before and removed since, as far as its time tells. One whose time can't be true may be of any time.
 * @param border up to when lines of its channel were removed
 */
export function wasRemoved(serverAt: number | undefined, border: number | undefined, now: number): boolean {
  if (border === undefined) return false;
  const at = eventTime(serverAt, now);
  return at === undefined || at <= border;
}
