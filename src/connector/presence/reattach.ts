import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { backoffMs } from '../domain/backoff.ts';
import { chance } from '../random.ts';
import type { Attaches, WaitingAccount } from './attaches.ts';
import { OngoingFailure } from './ongoing-failure.ts';

export interface ReattachOptions {
  accountId: string;
  log: Logger;
  attaches: Attaches;
  /** Connects, if that is still wanted; returns whether it was. */
  connect: () => Promise<boolean>;
}

/**
 * Connects to the bouncer again in the background, with growing waits. When another account has attached meanwhile, it
 * tries sooner: once, because a failure after that is its own, until all fail again.
 */
export class Reattach implements WaitingAccount {
  readonly #options: ReattachOptions;
  readonly #reported = new OngoingFailure();
  #attempt = 0;
  #timer: NodeJS.Timeout | undefined;
  #sooner: NodeJS.Timeout | undefined;
  /** Number of its last failure among those of all accounts, since it has attached. */
  #failure = 0;
  #triedSoonerAfter: number | undefined;

  constructor(options: ReattachOptions) {
    this.#options = options;
  }

  soon(waitMs: number): void {
    this.stop();
    this.#timer = setTimeout(() => void this.#try(), waitMs);
  }

  later(): void {
    this.soon(backoffMs(this.#attempt, chance()));
    this.#attempt += 1;
    this.#failure = this.#options.attaches.waits(this);
  }

  get triedSoonerAfter(): number | undefined {
    return this.#triedSoonerAfter;
  }

  trySooner(waitMs: number): void {
    this.#options.attaches.waitsNoMore(this);
    this.#triedSoonerAfter = this.#options.attaches.failures;
    this.#sooner = setTimeout(() => void this.#try(), waitMs);
  }

  succeeded(): void {
    const failure = this.#failure;
    this.#attempt = 0;
    this.#failure = 0;
    this.#triedSoonerAfter = undefined;
    this.#reported.succeeded();
    this.#options.attaches.waitsNoMore(this);
    this.#options.attaches.succeeded(failure);
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#sooner);
    this.#options.attaches.waitsNoMore(this);
  }

  async #try(): Promise<void> {
    const { accountId, log, connect } = this.#options;
    this.stop();
    try {
      if (await connect()) log.info({ account: accountId }, 'connected to the bouncer');
    } catch (error) {
      const reason = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
      this.#reported.failed(reason, (count) => {
        log.warn({ account: accountId, reason, count }, 'no session with the bouncer');
      });
      this.later();
    }
  }
}
