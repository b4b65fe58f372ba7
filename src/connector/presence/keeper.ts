import { forcedReconnectMs } from '../domain/backoff.ts';
import { alternateNick } from '../domain/nick.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';
import { chance } from '../random.ts';
import type { PresenceContext } from './context.ts';

export interface KeeperOptions {
  accountId: string;
  context: PresenceContext;
  /** The session of an account that is to be online. */
  session: () => BouncerSession | undefined;
  /** Runs a task in the account's queue. */
  run: (task: () => Promise<void>) => Promise<void>;
}

/** Makes the bouncer connect again soon after a loss; by itself it waits one to eleven minutes. */
export class Keeper {
  readonly #options: KeeperOptions;
  #attempt = 0;
  #nickAttempt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  lost(): void {
    this.stop();
    const waitMs = forcedReconnectMs(this.#attempt, chance());
    this.#attempt += 1;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#tryAgain();
    }, waitMs);
  }

  /** The connection hangs, and nothing else would end it; called again as long as it hangs. */
  hung(): void {
    if (this.#timer === undefined) this.lost();
  }

  refused(): void {
    const { accountId, context } = this.#options;
    context.log.warn(
      { account: accountId },
      'the IRC server refuses this account for good; see_account_information says why, go_online tries again',
    );
    this.stop();
  }

  connected(): void {
    this.stop();
    this.#attempt = 0;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #tryAgain(): Promise<void> {
    try {
      // In the account's queue, so that it can't put an account online that is going offline.
      await this.#options.run(() => this.#reconnect());
    } catch (error) {
      this.#options.context.log.warn({ err: error }, 'the bouncer could not be told to connect');
      this.lost();
    }
  }

  async #reconnect(): Promise<void> {
    const { accountId, context } = this.#options;
    const { store, bouncer } = context;
    const session = this.#options.session();
    const account = await store.accounts.find(accountId);
    if (session === undefined || session.upstream === true || account === undefined) return;
    if (session.upstreamRefusal !== undefined) return;
    this.#nickAttempt = session.isNickTaken ? this.#nickAttempt + 1 : 0;
    const nick = alternateNick(account.nick, this.#nickAttempt);
    await bouncer.reconnect(await store.accounts.bouncerUser(accountId), nick);
    this.lost();
  }
}
