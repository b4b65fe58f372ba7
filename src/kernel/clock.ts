/** The time, as a parameter of the parts that need it, so that tests can move it. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. */
  now(): number;
  /** Clock that never steps back, in milliseconds from an arbitrary start; for intervals and limits. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  // The same clock as `performance`, whose module would have to be loaded.
  monotonic: () => process.uptime() * 1000,
};
