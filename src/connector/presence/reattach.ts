import { messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Attaches, WaitingAccount } from './attaches.ts';
import { OngoingFailure } from './ongoing-failure.ts';
import { Retry } from './retry.ts';

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
  readonly #retry: Retry;
  readonly #reported = new OngoingFailure();
  /** Number of its last failure among those of all accounts, since it has attached. */
  #failure = 0;
  #triedSoonerAfter: number | undefined;

  constructor(options: ReattachOptions) {
    this.#options = options;
    this.#retry = new Retry({ attempt: () => this.#attempt(), onFailure: (error) => this.#failed(error) });
  }

  soon(waitMs: number): void {
    this.#options.attaches.waitsNoMore(this);
    this.#retry.soon(waitMs);
  }

  later(): void {
    this.#retry.later();
    this.#failure = this.#options.attaches.waits(this);
  }

  get triedSoonerAfter(): number | undefined {
    return this.#triedSoonerAfter;
  }

  trySooner(waitMs: number): void {
    this.#options.attaches.waitsNoMore(this);
    this.#triedSoonerAfter = this.#options.attaches.failures;
    this.#retry.sooner(waitMs);
  }

  succeeded(): void {
    const failure = this.#failure;
    this.#retry.reset();
    this.#failure = 0;
    this.#triedSoonerAfter = undefined;
    this.#reported.succeeded();
    this.#options.attaches.waitsNoMore(this);
    this.#options.attaches.succeeded(failure);
  }

  stop(): void {
    this.#retry.cancel();
    this.#options.attaches.waitsNoMore(this);
  }

  async #attempt(): Promise<void> {
    const { accountId, log, attaches, connect } = this.#options;
    attaches.waitsNoMore(this);
    if (await connect()) log.info({ account: accountId }, 'connected to the bouncer');
  }

  #failed(error: unknown): void {
    const { accountId, log, attaches } = this.#options;
    const reason = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
    this.#reported.failed(reason, (count) => {
      log.warn({ account: accountId, reason, count }, 'no session with the bouncer');
    });
    this.#failure = attaches.waits(this);
  }
}
