import type { Clock } from '../../kernel/clock.ts';
import type { Snapshot } from './snapshot.ts';

/** At most one collection in this time. @spec agent#limits */
export const COLLECT_INTERVAL_MS = 10_000;

interface Taken {
  snapshot: Promise<Snapshot>;
  monotonicMs: number;
  wallMs: number;
}

/** Hands out the newest snapshot; requests that come while one is being taken share it. */
export class SnapshotSource {
  readonly #collect: () => Promise<Snapshot>;
  readonly #clock: Clock;
  #latest: Taken | undefined;
  #isCollecting = false;

  /** @param collect never rejects */
  constructor(collect: () => Promise<Snapshot>, clock: Clock) {
    this.#collect = collect;
    this.#clock = clock;
  }

  /** The snapshot's age counts from the start of its collection. */
  current(): Promise<Snapshot> {
    const monotonicMs = this.#clock.monotonic();
    const wallMs = this.#clock.now();
    const isFresh = this.#latest !== undefined && !isExpired(this.#latest, monotonicMs, wallMs);
    if (this.#latest !== undefined && (isFresh || this.#isCollecting)) return this.#latest.snapshot;
    const snapshot = this.#collectAlone();
    this.#latest = { snapshot, monotonicMs, wallMs };
    return snapshot;
  }

  async #collectAlone(): Promise<Snapshot> {
    this.#isCollecting = true;
    try {
      return await this.#collect();
    } finally {
      this.#isCollecting = false;
    }
  }
}

/** The wall clock counts too, but only forward: the monotonic clock stands still while the machine sleeps. */
function isExpired(taken: Taken, monotonicMs: number, wallMs: number): boolean {
  return monotonicMs - taken.monotonicMs >= COLLECT_INTERVAL_MS || wallMs - taken.wallMs >= COLLECT_INTERVAL_MS;
}
