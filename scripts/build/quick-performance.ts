/**
 * Stands in the built terminal for Node's `performance`, which brings ten modules that take a millisecond of each start.
 * The terminal and its libraries ask it only for the time.
 */
export const performance = {
  /** Never steps back; milliseconds from an arbitrary start. */
  now: (): number => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1e3 + nanoseconds / 1e6;
  },
};
