/** After so long without a heartbeat a process counts as dead for a process that has observed it for as long. */
export const DEAD_AFTER_MS = 9_000;

/** Looks come every two seconds, and 6 s apart at most where one was not answered. After a longer time there was none. */
const LOOKS_APART_MS = 6_000;

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
 * the newest heartbeats. Where the database was away, the other process could say nothing either: then the time begins anew.
 */
export class Observation {
  #seen = '';
  #since = 0;
  #lookedAt = 0;

  /** @param monotonicMs when the look was over; looks should come every two seconds */
  isDead({ processId, fence, seenAt, databaseNow }: Sight, monotonicMs: number): boolean {
    const seen = JSON.stringify([processId, fence, seenAt]);
    if (seen !== this.#seen || monotonicMs - this.#lookedAt > LOOKS_APART_MS) {
      this.#seen = seen;
      this.#since = monotonicMs;
    }
    this.#lookedAt = monotonicMs;
    const ageMs = seenAt === undefined ? DEAD_AFTER_MS : databaseNow - seenAt;
    // Seen in the future: the database's clock was set back since, and says nothing of how long ago it was.
    const isOld = ageMs >= DEAD_AFTER_MS || ageMs < 0;
    return isOld && monotonicMs - this.#since >= DEAD_AFTER_MS;
  }
}
