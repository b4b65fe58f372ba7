import { messageOf } from '../../kernel/errors.ts';
import type { Attaches } from './attaches.ts';
import type { Mailbox } from './mailbox.ts';
import { OngoingFailure } from './ongoing-failure.ts';
import type { PresenceContext } from './presence-context.ts';
import { Retry } from './retry.ts';

export interface ExpulsionOptions {
  accountId: string;
  context: PresenceContext;
  mailbox: Mailbox;
  /** Each attempt takes a place among those that attach: both cost the bouncer the same. */
  attaches: Attaches;
}

/**
 * Ends one account's sessions that another process may still have: lines that it has written lately may wait in the
 * bouncer, behind a connection that is not read. A new password there ends the sessions, and their unread lines are
 * ignored. It costs the bouncer a hash. The debt is stored until it is settled, so the next run of the program
 * continues.
 */
export class Expulsion {
  readonly #options: ExpulsionOptions;
  readonly #retry: Retry;
  readonly #failure = new OngoingFailure();
  #owed: 'nothing' | 'a new password' | 'to make it known' = 'nothing';
  #isClosed = false;

  constructor(options: ExpulsionOptions) {
    this.#options = options;
    this.#retry = new Retry({ attempt: () => this.#attempt(), onFailure: (error) => this.#report(error) });
  }

  /** Tries until the debt is settled, also for an account that stays offline. */
  owe(): void {
    this.#owed = 'a new password';
    void this.#retry.now();
  }

  /**
   * Settles the debt, if there is one. Call it in the account's turn, before the account attaches: later it would end
   * that session, too.
   * @throws Error if the bouncer or the database fails
   */
  async settle(): Promise<void> {
    const { accountId, context } = this.#options;
    const { store, bouncer } = context;
    if (this.#owed === 'nothing' || (await store.accounts.find(accountId)) === undefined) return;
    // Stored first: a bouncer that does not know it yet gets it when the account attaches.
    if (this.#owed === 'a new password') {
      await store.accounts.renewBouncerPassword(accountId);
      this.#owed = 'to make it known';
    }
    await bouncer.expelOthers(await store.accounts.bouncerUser(accountId));
    await store.accounts.notePasswordKnown(accountId);
    this.#owed = 'nothing';
  }

  /** Stops all attempts. */
  close(): void {
    this.#isClosed = true;
    this.#retry.stop();
  }

  async #attempt(): Promise<void> {
    const { mailbox, attaches } = this.#options;
    try {
      await attaches.use(() => mailbox.call(() => this.settle()));
      this.#failure.succeeded();
      this.#retry.reset();
    } catch (error) {
      if (!this.#isClosed) throw error;
    }
  }

  #report(error: unknown): void {
    const { accountId, context } = this.#options;
    const reason = messageOf(error);
    this.#failure.failed(reason, (count) => {
      context.log.warn({ account: accountId, reason, count }, 'sessions of another process not ended yet');
    });
  }
}
