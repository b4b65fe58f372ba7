/** Time as a value the composition root hands in, so that tests can move it. */
export interface Clock {
  /** Wall clock, milliseconds since 1970. */
  now(): number;
  /** Never steps back, milliseconds from an arbitrary start; for intervals and limits. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  // The clock of `performance`, which is a module of its own to load.
  monotonic: () => process.uptime() * 1000,
};
