import { forcedReconnectMs } from '../domain/backoff.ts';
import { chance } from './chance.ts';

/** Somebody who throws a person out again and again means it. */
const ATTEMPTS_MAX = 3;
/** A person thrown out after so long is not the one from before. */
const FORGET_MS = 60 * 60 * 1_000;

export interface RejoinOptions {
  /** Asks to be let in; false where that is of no use any more: joined, not wanted, no session. */
  join: (channel: string) => boolean;
}

/** How often a channel was asked, and when last. */
interface Asked {
  times: number;
  /** Monotonic milliseconds. */
  at: number;
}

/** Goes back into channels the account is outside of against its will, a few times and not at once. */
export class Rejoin {
  readonly #options: RejoinOptions;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #asked = new Map<string, Asked>();

  constructor(options: RejoinOptions) {
    this.#options = options;
  }

  /** The account was thrown out of the channel, or may have been while nobody looked. */
  later(channel: string): void {
    clearTimeout(this.#timers.get(channel));
    const times = this.#timesAsked(channel);
    if (times >= ATTEMPTS_MAX) return;
    const timer = setTimeout(
      () => {
        if (!this.#options.join(channel)) return;
        this.#asked.set(channel, { times: times + 1, at: performance.now() });
        // Refused by a ban or a key, it is tried again as if it had been thrown out again.
        this.later(channel);
      },
      forcedReconnectMs(times, chance()),
    );
    this.#timers.set(channel, timer);
  }

  /** Forgets what was tried; the person decided anew, or the network did. */
  reset(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#asked.clear();
  }

  #timesAsked(channel: string): number {
    const asked = this.#asked.get(channel);
    return asked === undefined || performance.now() - asked.at > FORGET_MS ? 0 : asked.times;
  }
}
