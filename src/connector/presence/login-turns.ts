import { messageOf } from '../../kernel/errors.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';
import type { Mailbox } from './mailbox.ts';
import { OngoingFailure } from './ongoing-failure.ts';
import type { PresenceContext } from './presence-context.ts';
import { Retry } from './retry.ts';

export interface LoginTurnsOptions {
  accountId: string;
  context: Pick<PresenceContext, 'log'>;
  mailbox: Mailbox;
  /** Session of an account that is wanted online. */
  session: () => BouncerSession | undefined;
  /** Takes the next step of the login. */
  follow: (session: BouncerSession) => Promise<void>;
}

/**
 * Runs the work of a login in the account's turn. A failure of the bouncer or the database affects only the login, which
 * is then followed again until that succeeds. Without a session there is nothing to follow: the next one begins with it.
 */
export class LoginTurns {
  readonly #options: LoginTurnsOptions;
  readonly #retry: Retry;
  readonly #failure = new OngoingFailure();

  constructor(options: LoginTurnsOptions) {
    this.#options = options;
    this.#retry = new Retry({ attempt: () => this.#followAgain() });
  }

  /** Enqueues work. ended-ok: the work itself checks the session. */
  soon(work = this.#options.follow): void {
    // The failure is retried; what the person wants is stored.
    this.#run(work).catch(() => this.later());
  }

  /** Plans to follow the login again, because a call failed. */
  later(): void {
    if (this.#options.session() !== undefined) this.#retry.later();
  }

  /** Cancels the plan. */
  stop(): void {
    this.#retry.stop();
  }

  async #followAgain(): Promise<void> {
    try {
      await this.#run(this.#options.follow);
    } catch (error) {
      if (this.#options.session() !== undefined) throw error;
    }
    // A step that could not be taken meanwhile stays planned.
    this.#retry.reset();
  }

  /** ended-ok: the work itself checks the session. */
  async #run(work: (session: BouncerSession) => Promise<void>): Promise<void> {
    const { accountId: account, context, mailbox, session } = this.#options;
    try {
      await mailbox.call(async () => {
        const present = session();
        if (present !== undefined) await work(present);
      });
      this.#failure.succeeded();
    } catch (error) {
      // An account that another process has by now is looked after there.
      if (session() === undefined) throw error;
      const reason = messageOf(error);
      this.#failure.failed(reason, (count) => {
        context.log.warn({ account, reason, count }, 'the login at the network was not looked after; trying again');
      });
      throw error;
    }
  }
}
