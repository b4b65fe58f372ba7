/** Returns the number of processes that serve requests on one database. */
export type Processes = () => number;

/**
 * Returns this process's part of a limit that all processes keep together; at least one, so that each can work. A
 * balancer spreads requests evenly enough.
 */
export const shareOf = (limit: number, processes: Processes): number =>
  Math.max(1, Math.floor(limit / Math.max(1, processes())));
