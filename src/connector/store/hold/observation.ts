/** After so long without a heartbeat a process counts as dead for a process that has observed it for as long. */
export const DEAD_AFTER_MS = 9_000;

/** What the database says of the process that has the slot, at one look. */
export interface Sight {
  processId: string;
  fence: number;
  /** When it was seen last; undefined where nothing is known of it. */
  seenAt: number | undefined;
  /** The database's clock. */
  databaseNow: number;
}

/**
 * Judges whether another process is dead. Two clocks must agree: the database's, and the monotonic one here, which counts
 * how long nothing has changed. Either alone may jump: a standby that was promoted has another clock, and may have lost
 * the newest heartbeats.
 */
export class Observation {
  #seen = '';
  #since = 0;

  /** @param monotonicMs when the look was over; looks should come every two seconds */
  isDead({ processId, fence, seenAt, databaseNow }: Sight, monotonicMs: number): boolean {
    const seen = JSON.stringify([processId, fence, seenAt]);
    if (seen !== this.#seen) {
      this.#seen = seen;
      this.#since = monotonicMs;
    }
    const isOld = seenAt === undefined || databaseNow - seenAt >= DEAD_AFTER_MS;
    return isOld && monotonicMs - this.#since >= DEAD_AFTER_MS;
  }
}
