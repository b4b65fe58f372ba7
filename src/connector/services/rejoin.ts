import { forcedReconnectMs } from '../domain/backoff.ts';
import { chance } from './chance.ts';

/** Somebody who throws a person out again and again means it. */
const ATTEMPTS_MAX = 3;

export interface RejoinOptions {
  /** Asks to be let in; false where that is of no use any more: joined, not wanted, no session. */
  join: (channel: string) => boolean;
}

/** Goes back into channels the account was kicked from, a few times and not at once. */
export class Rejoin {
  readonly #options: RejoinOptions;
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #attempts = new Map<string, number>();

  constructor(options: RejoinOptions) {
    this.#options = options;
  }

  kicked(channel: string): void {
    clearTimeout(this.#timers.get(channel));
    const attempt = this.#attempts.get(channel) ?? 0;
    if (attempt >= ATTEMPTS_MAX) return;
    this.#attempts.set(channel, attempt + 1);
    const waitMs = forcedReconnectMs(attempt, chance());
    const timer = setTimeout(() => {
      // Refused by a ban or a key, it is tried again as if it had been kicked again.
      if (this.#options.join(channel)) this.kicked(channel);
    }, waitMs);
    this.#timers.set(channel, timer);
  }

  /** Forgets what was tried; the person decided anew, or the network did. */
  reset(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#attempts.clear();
  }
}
