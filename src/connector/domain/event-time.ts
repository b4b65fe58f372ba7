import { DAY_MS } from './limits.ts';

/** A clock may be wrong by hours. What is dated later would be the newest for as long, and would never be too old. */
export const AHEAD_MAX_MS = DAY_MS;

/** When a line was said, by its server's clock; undefined where the server gives no time, or one that can't be true. */
export const eventTime = (serverAt: number | undefined, now: number): number | undefined =>
  serverAt === undefined || serverAt > now + AHEAD_MAX_MS ? undefined : serverAt;
