import type { Clock } from '../../kernel/clock.ts';
import { CLOCKS_DIFFER_MS, REFRESH_REPEAT_MS } from '../domain/limits.ts';

/** Most uses in memory; one more evicts the oldest, which the wall clock then judges, as after a restart. */
const USES_MAX = 30_000;

/**
 * Times at which refresh tokens were used, by a monotonic clock. A wall clock that is set back would let a thief repeat
 * a use for as long; one that is set forward would take its consent from a client that lost an answer.
 */
export class RecentUses {
  readonly #clock: Clock;
  readonly #uses = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(idHash: string): void {
    const now = this.#clock.monotonic();
    for (const [oldest, at] of this.#uses) {
      if (this.#uses.size < USES_MAX && now - at <= REFRESH_REPEAT_MS) break;
      this.#uses.delete(oldest);
    }
    this.#uses.set(idHash, now);
  }

  /** @param endsAt the end of the minute as it was stored, milliseconds since 1970 */
  mayRepeat(idHash: string, endsAt: number): boolean {
    const used = this.#uses.get(idHash);
    if (used !== undefined) return this.#clock.monotonic() - used < REFRESH_REPEAT_MS;
    // It was used longer ago, or before a restart. A minute that ends later than one from now began before the clock
    // was set back.
    const left = endsAt - this.#clock.now();
    return left > 0 && left <= REFRESH_REPEAT_MS + CLOCKS_DIFFER_MS;
  }
}
