/** Time without a heartbeat after which a process counts as dead, for a process that has observed it for as long. */
export const DEAD_AFTER_MS = 9_000;
/**
 * Time after the *sending* of its last answered heartbeat for which a process trusts what it has read: other processes
 * wait nine seconds of silence before they take its slot.
 */
export const TRUST_MS = 7_000;

/**
 * Longest time between two looks: they come every two seconds, and 6 s apart if one was not answered. Longer means that
 * looks have failed.
 */
const LOOKS_APART_MS = 6_000;

/** Record of the process that has the slot, as one look reads it. */
export interface Sight {
  processId: string;
  fence: number;
  /** Time of its last heartbeat; undefined if it has no row. */
  seenAt: number | undefined;
  /** The database's clock. */
  databaseNow: number;
}

/**
 * Judges whether another process is dead. Two clocks must agree: the database's, and the monotonic one here, which
 * counts how long the heartbeat has not changed. Either alone may jump: a promoted standby has another clock, and may
 * have lost the newest heartbeats. While the database was away the other process could not send a heartbeat: then the
 * time starts again.
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
    // Seen in the future: the database's clock was set back since, so the age is unknown.
    const isOld = ageMs >= DEAD_AFTER_MS || ageMs < 0;
    return isOld && monotonicMs - this.#since >= DEAD_AFTER_MS;
  }
}
