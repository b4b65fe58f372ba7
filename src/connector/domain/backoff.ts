const FIRST_MS = 500;
const MAX_MS = 30_000;

/**
 * Milliseconds before another attempt: doubling up to 30 s. Half of the wait is random, so that many accounts do not
 * come back at once.
 * @param attempt 0 for the first
 * @param chance from 0 to 1
 */
export function backoffMs(attempt: number, chance: number): number {
  const full = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(attempt, 16));
  return Math.round(full / 2 + (full / 2) * chance);
}

const START_SPREAD_MS_PER_ACCOUNT = 30;
const START_SPREAD_MAX_MS = 30_000;

/**
 * Range of the random wait of each account when many attach: a thousand accounts spread over half a minute, a few connect
 * at once.
 */
export const startSpreadMs = (accounts: number): number =>
  Math.min(START_SPREAD_MAX_MS, Math.max(0, accounts - 1) * START_SPREAD_MS_PER_ACCOUNT);

/** Longest time of the bouncer's attempt to connect: some servers look up a name and an ident for a minute. */
export const CONNECT_MAX_MS = 120_000;

/**
 * A network counts as stable once it has been connected for this long; a server may end a connection right after the
 * welcome.
 */
export const STABLE_MS = 60_000;

/** Waits before the connector makes the bouncer connect to its network again; the last one repeats. */
const FORCED_RECONNECT_MS = [5_000, 15_000, 60_000, 180_000, 600_000];

/** Milliseconds before the attempt, with up to a fifth more at random. */
export function forcedReconnectMs(attempt: number, chance: number): number {
  const waitMs = FORCED_RECONNECT_MS[Math.min(attempt, FORCED_RECONNECT_MS.length - 1)] ?? 0;
  return Math.round(waitMs * (1 + chance / 5));
}
