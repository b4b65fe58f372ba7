import { messageOf } from '../../kernel/errors.ts';
import { CONNECT_MAX_MS, forcedReconnectMs, STABLE_MS } from '../domain/backoff.ts';
import { alternateNick } from '../domain/nick.ts';
import { SlidingWindow } from '../domain/sliding-window.ts';
import type { BouncerUser } from '../ports/bouncer.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';
import { chance } from '../random.ts';
import { OngoingFailure } from './ongoing-failure.ts';
import type { PresenceContext } from './presence-context.ts';

/**
 * At most this many connections per minute are immediate on request. All accounts come from the bouncer's address,
 * which a server would ban for one that goes online and offline all the time.
 */
const CONNECTS_AT_ONCE = 5;
const CONNECTS_WINDOW_MS = 60_000;

export interface KeeperOptions {
  accountId: string;
  context: PresenceContext;
  /** Session of an account that is wanted online. */
  session: () => BouncerSession | undefined;
  /** Runs a task in the account's queue. */
  run: (task: () => Promise<void>) => Promise<void>;
}

/** Event that the keeper waits for; undefined while the network is stable, or must be left alone. */
interface Wait {
  for: 'the next attempt' | 'a connection' | 'a stable connection';
  timer: NodeJS.Timeout;
}

/**
 * Makes the bouncer connect again soon after a loss; on its own it waits one to eleven minutes. Each command aborts an
 * attempt under way, so the next one is sent only after the last has failed or timed out.
 */
export class Keeper {
  readonly #options: KeeperOptions;
  #attempt = 0;
  #nickAttempt = 0;
  /** Nick of the last attempt. */
  #triedNick: string | undefined;
  #wait: Wait | undefined;
  readonly #failure = new OngoingFailure();
  readonly #connects = new SlidingWindow(CONNECTS_AT_ONCE, CONNECTS_WINDOW_MS);

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /**
   * Connects the network, unless it is connected or an attempt is under way; a little later after too many requests.
   * Call it in the account's turn.
   * @throws ConnectorError
   */
  async connect(user: BouncerUser, nick: string): Promise<void> {
    const { bouncer, clock } = this.#options.context;
    if (this.#wait?.for === 'a connection') return;
    if (this.#options.session()?.upstream === true) {
      await bouncer.setOnline(user, true, nick);
      return;
    }
    const waitMs = this.#connects.take(clock.monotonic());
    if (waitMs > 0) {
      this.#begin('the next attempt', waitMs, () => void this.#tryAgain());
      return;
    }
    this.#triedNick = nick;
    const wait = this.#expectConnection();
    try {
      await bouncer.setOnline(user, true, nick);
    } catch (error) {
      if (this.#wait === wait) this.#planAttempt();
      throw error;
    }
  }

  /**
   * Reconnects the network though it is connected, so that a login takes effect. Call it in the account's turn.
   * @throws ConnectorError
   */
  async renew(user: BouncerUser, nick: string): Promise<void> {
    const wait = this.#expectConnection();
    try {
      await this.#options.context.bouncer.reconnect(user, nick);
    } catch (error) {
      if (this.#wait === wait) this.stop();
      throw error;
    }
  }

  lost(): void {
    // The old connection may end by our own command.
    if (this.#wait?.for !== 'a connection') this.#planAttempt();
  }

  /** Handles a failed attempt, perhaps one of the bouncer's own. */
  failed(): void {
    if (this.#wait?.for === 'a connection') this.#planAttempt();
  }

  /** Handles a connection that hangs, which would not end by itself; called repeatedly as long as it hangs. */
  hung(): void {
    if (this.#wait?.for !== 'the next attempt') this.#planAttempt();
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
    this.#begin('a stable connection', STABLE_MS, () => {
      this.#attempt = 0;
    });
  }

  stop(): void {
    clearTimeout(this.#wait?.timer);
    this.#wait = undefined;
  }

  #planAttempt(): void {
    this.#begin('the next attempt', forcedReconnectMs(this.#attempt, chance()), () => void this.#tryAgain());
    this.#attempt += 1;
  }

  #expectConnection(): Wait {
    return this.#begin('a connection', CONNECT_MAX_MS, () => this.#planAttempt());
  }

  #begin(what: Wait['for'], ms: number, ended: () => void): Wait {
    this.stop();
    const timer = setTimeout(() => {
      this.#wait = undefined;
      ended();
    }, ms);
    this.#wait = { for: what, timer };
    return this.#wait;
  }

  async #tryAgain(): Promise<void> {
    const wait = this.#expectConnection();
    // After each wait, another event may have come: an end, a connection, a command.
    const isDue = (): boolean => this.#wait === wait;
    try {
      // Runs in the account's queue, so that it can't put an account online that is going offline.
      await this.#options.run(async () => {
        if (isDue() && !(await this.#reconnect(isDue)) && isDue()) this.#settle();
      });
      this.#failure.succeeded();
    } catch (error) {
      this.#logFailure(error);
      if (isDue()) this.#planAttempt();
    }
  }

  #logFailure(error: unknown): void {
    const { accountId: account, context } = this.#options;
    this.#failure.failed(messageOf(error), (count) => {
      context.log.warn({ account, err: error, count }, 'the command to connect did not reach the bouncer');
    });
  }

  /** Ends an attempt without work: a connection that hung may have recovered, which counts as a connection. */
  #settle(): void {
    if (this.#options.session()?.upstream === true) this.connected();
    else this.stop();
  }

  /** Makes the bouncer reconnect; false if that is not needed. ended-ok: it reads the session after the awaits. */
  async #reconnect(isDue: () => boolean): Promise<boolean> {
    const { accountId, context } = this.#options;
    const { store, bouncer } = context;
    const account = await store.accounts.find(accountId);
    if (account === undefined) return false;
    const user = await store.accounts.bouncerUser(accountId);
    const session = this.#options.session();
    if (!isDue() || session === undefined || session.upstream === true) return false;
    if (session.upstreamRefusal !== undefined) return false;
    const wasTaken = session.isNickTaken && this.#triedNick === account.nick;
    this.#nickAttempt = wasTaken ? this.#nickAttempt + 1 : 0;
    this.#triedNick = account.nick;
    await bouncer.reconnect(user, alternateNick(account.nick, this.#nickAttempt));
    return true;
  }
}
