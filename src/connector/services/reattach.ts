import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { backoffMs } from '../domain/backoff.ts';
import { chance } from './chance.ts';

export interface ReattachOptions {
  accountId: string;
  log: Logger;
  /** Connects, where that is still wanted. */
  connect: () => Promise<void>;
}

/** Comes back to the bouncer in the background, after longer and longer waits. */
export class Reattach {
  readonly #options: ReattachOptions;
  #attempt = 0;
  #toldReason: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ReattachOptions) {
    this.#options = options;
  }

  soon(waitMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#try(), waitMs);
  }

  later(): void {
    this.soon(backoffMs(this.#attempt, chance()));
    this.#attempt += 1;
  }

  succeeded(): void {
    this.#attempt = 0;
    this.#toldReason = undefined;
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #try(): Promise<void> {
    const { accountId, log, connect } = this.#options;
    try {
      await connect();
      log.info({ account: accountId }, 'session with the bouncer stands');
    } catch (error) {
      const reason = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
      // The same news of a thousand accounts twice a minute would bury all other.
      if (reason !== this.#toldReason) log.warn({ account: accountId, reason }, 'no session with the bouncer');
      this.#toldReason = reason;
      this.later();
    }
  }
}
