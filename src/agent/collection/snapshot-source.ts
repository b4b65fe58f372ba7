import type { Clock } from '../../kernel/clock.ts';
import { type Instant, isExpired } from './freshness.ts';
import type { Snapshot } from './snapshot.ts';

interface Taken extends Instant {
  snapshot: Promise<Snapshot>;
}

/** Cache of the newest snapshot. Requests that come during a collection share its result. */
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

  /** Returns the newest snapshot, or collects if it is too old. Its age counts from the start of its collection. */
  current(): Promise<Snapshot> {
    const now: Instant = { monotonicMs: this.#clock.monotonic(), wallMs: this.#clock.now() };
    const isFresh = this.#latest !== undefined && !isExpired(this.#latest, now);
    if (this.#latest !== undefined && (isFresh || this.#isCollecting)) return this.#latest.snapshot;
    const snapshot = this.#collectAlone();
    this.#latest = { snapshot, ...now };
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
