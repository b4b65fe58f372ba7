import { forcedReconnectMs } from '../domain/backoff.ts';
import { chance } from '../random.ts';

/** Number of departures after which the account stays out: an operator means it. */
const ATTEMPTS_MAX = 3;
/** A departure after this long is unrelated to the earlier ones. */
const FORGET_MS = 60 * 60 * 1_000;

export interface RejoinOptions {
  /** Sends a JOIN; returns false if it is pointless: joined already, not wanted, or no session. */
  join: (channel: string) => boolean;
}

/** Number and time of the attempts for a channel. */
interface Asked {
  times: number;
  /** Monotonic milliseconds. */
  at: number;
}

/** Rejoins channels after forced departures: a few times, with waits. */
export class Rejoin {
  readonly #options: RejoinOptions;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #asked = new Map<string, Asked>();

  constructor(options: RejoinOptions) {
    this.#options = options;
  }

  /** Plans to rejoin: the account was forced to leave, or may have been while the program was not connected. */
  later(channel: string): void {
    this.#unplan(channel);
    const times = this.#timesAsked(channel);
    if (times < ATTEMPTS_MAX) this.#plan(channel, forcedReconnectMs(times, chance()));
  }

  /** Plans to join after this time, unless a join is planned already. */
  within(channel: string, waitMs: number): void {
    if (!this.#timers.has(channel)) this.#plan(channel, waitMs);
  }

  /** Forgets a channel's plan and attempts, after a new decision of the person. */
  forget(channel: string): void {
    this.#unplan(channel);
    this.#asked.delete(channel);
  }

  /** Forgets all channels. */
  reset(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#asked.clear();
  }

  #plan(channel: string, waitMs: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(channel);
      if (!this.#options.join(channel)) return;
      this.#asked.set(channel, { times: this.#timesAsked(channel) + 1, at: performance.now() });
      // A ban or a key may prevent it; then it is tried again, like after another kick.
      this.later(channel);
    }, waitMs);
    this.#timers.set(channel, timer);
  }

  #unplan(channel: string): void {
    clearTimeout(this.#timers.get(channel));
    this.#timers.delete(channel);
  }

  #timesAsked(channel: string): number {
    const asked = this.#asked.get(channel);
    return asked === undefined || performance.now() - asked.at > FORGET_MS ? 0 : asked.times;
  }
}
