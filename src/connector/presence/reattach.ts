import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { backoffMs } from '../domain/backoff.ts';
import { chance } from '../random.ts';
import { OngoingFailure } from './ongoing-failure.ts';

export interface ReattachOptions {
  accountId: string;
  log: Logger;
  /** Connects, if that is still wanted. */
  connect: () => Promise<void>;
}

/** Connects to the bouncer again in the background, with growing waits. */
export class Reattach {
  readonly #options: ReattachOptions;
  readonly #failure = new OngoingFailure();
  #attempt = 0;
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
    this.#failure.succeeded();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  async #try(): Promise<void> {
    const { accountId, log, connect } = this.#options;
    try {
      await connect();
      log.info({ account: accountId }, 'connected to the bouncer');
    } catch (error) {
      const reason = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
      this.#failure.failed(reason, (count) => {
        log.warn({ account: accountId, reason, count }, 'no session with the bouncer');
      });
      this.later();
    }
  }
}
