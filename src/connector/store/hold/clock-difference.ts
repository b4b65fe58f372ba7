const SECOND_MS = 1_000;

/**
 * Clock difference from the database above which a process is not ready: codes and tokens last for a minute and more.
 */
export const CLOCK_OFF_MS = 5_000;
/** Clock difference below which it is ready again; lower, so that one at the limit does not flap. */
const CLOCK_RIGHT_MS = 4_500;
/** Clock difference above which a process may not act for accounts. */
export const CLOCK_WRONG_MS = 30_000;

/** One heartbeat: the clocks when it was sent and answered. */
interface Compared {
  /** Wall clock here when it was sent. */
  sentNow: number;
  /** Time from then until the answer. */
  tookMs: number;
  databaseNow: number;
}

/** How far the clock here is from the database's, by the last answered heartbeat. */
export class ClockDifference {
  #aheadMs = 0;
  #doubtMs = 0;
  #isOff = false;

  /** @returns whether it begins to differ by more than five seconds */
  see({ sentNow, tookMs, databaseNow }: Compared): boolean {
    this.#doubtMs = tookMs / 2;
    this.#aheadMs = sentNow + this.#doubtMs - databaseNow;
    const wasOff = this.#isOff;
    this.#isOff = Math.abs(this.offMs) > (wasOff ? CLOCK_RIGHT_MS : CLOCK_OFF_MS);
    return this.#isOff && !wasOff;
  }

  /** How far the clock here is ahead of the database's, at least; 0 while it may be right. */
  get offMs(): number {
    const { abs, sign, max } = Math;
    return sign(this.#aheadMs) * max(0, abs(this.#aheadMs) - this.#doubtMs);
  }

  /** Whether it differs by so much that this process must not serve. */
  get isOff(): boolean {
    return this.#isOff;
  }

  /** Why this process may act for no account; undefined if it may. */
  get wrong(): string | undefined {
    const aheadMs = this.offMs;
    return isWrong(aheadMs)
      ? `the clock of this machine is ${Math.round(Math.abs(aheadMs) / SECOND_MS)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database’s, so this process has given the database up`
      : undefined;
  }
}

export const isWrong = (clockOffMs: number): boolean => Math.abs(clockOffMs) > CLOCK_WRONG_MS;
