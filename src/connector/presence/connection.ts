import { messageOf } from '../../kernel/errors.ts';
import { type Account, enabledChannels } from '../domain/account.ts';
import { SlidingWindow } from '../domain/sliding-window.ts';
import { bouncerUnreachable } from '../errors.ts';
import type { BouncerAccount, BouncerUser } from '../ports/bouncer.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';
import type { PresenceStatus } from '../ports/presence.ts';
import type { SendingState } from '../ports/presence-store.ts';
import type { AccountLogin } from './account-login.ts';
import type { Attaches } from './attaches.ts';
import type { Expulsion } from './expulsion.ts';
import { FollowedChannels } from './followed-channels.ts';
import { SessionEnded } from './generation.ts';
import { HeldLines } from './held-lines.ts';
import type { Joining } from './joining.ts';
import { Keeper } from './keeper.ts';
import { Link, type LinkEvents } from './link.ts';
import type { LoginConnection } from './login-removal.ts';
import type { Mailbox } from './mailbox.ts';
import type { Naming } from './naming.ts';
import type { Outbox } from './outbox.ts';
import { accountOf, networkNameOf, type PresenceContext } from './presence-context.ts';
import { Reattach } from './reattach.ts';
import { Retry } from './retry.ts';

/**
 * At most this many network changes per minute are immediate: each costs the bouncer the hash of a password, and the
 * history of all channels. Further changes connect a little later.
 */
const MOVES_AT_ONCE = 5;
const MOVES_WINDOW_MS = 60_000;

/** Longest wait for the bouncer to handle the written messages before a session is closed on purpose. */
export const FLUSH_DEADLINE_MS = 2_000;

export interface ConnectionOptions {
  accountId: string;
  context: PresenceContext;
  mailbox: Mailbox;
  outbox: Outbox;
  joining: Joining;
  naming: Naming;
  login: AccountLogin;
  /** Limits the accounts that attach in the background at once. */
  attaches: Attaches;
  /** Called when the status has changed. */
  changed: () => void;
  expulsion: Pick<Expulsion, 'settle'>;
}

/**
 * An account's connection to the bouncer: it attaches, keeps the session, and attaches again after a loss, as long as
 * the account is wanted online. `AccountPresence` decides whether it is wanted.
 */
export class Connection implements LoginConnection {
  readonly channels: FollowedChannels;
  readonly #options: ConnectionOptions;
  readonly #keeper: Keeper;
  readonly #reattach: Reattach;
  /** Set while the network still has to get the account's nick. */
  readonly #owedNick: Retry;
  readonly #moves = new SlidingWindow(MOVES_AT_ONCE, MOVES_WINDOW_MS);
  /** Live lines that wait for missed ones, also of a session that was lost. */
  readonly #held = new HeldLines();
  #link: Link | undefined;
  /** The session that was lost last, until the next one stands. */
  #lost: Link | undefined;
  #isWanted = false;
  #hasTried = false;

  constructor(options: ConnectionOptions) {
    const { accountId, context, attaches } = options;
    this.#options = options;
    const run = (work: () => Promise<void>) => this.#whileWanted(work).then(() => undefined);
    this.#keeper = new Keeper({ accountId, context, session: () => this.session, run });
    // Waiting for a place does not block the account: its turn begins when a place is free.
    const connect = () => attaches.use(() => this.#whileWanted(() => this.#reconnect()));
    this.#reattach = new Reattach({ accountId, log: context.log, attaches, connect });
    this.channels = new FollowedChannels({ ...options, run, isWanted: () => this.#isWanted, link: () => this.#link });
    const followNick = () => run(() => this.followNick());
    // An account that is offline owes no nick, so that the attempt succeeds there, too.
    this.#owedNick = new Retry({ attempt: () => followNick().then(() => this.#owedNick.reset()) });
  }

  get isWanted(): boolean {
    return this.#isWanted;
  }

  /** Whether the account is wanted online and no attempt to connect it has ended yet. */
  get isToBeTried(): boolean {
    return this.#isWanted && !this.#hasTried;
  }

  /** Live session; undefined while there is no session. */
  get session(): BouncerSession | undefined {
    return this.#link?.session;
  }

  /** Name of the network of the present session or attempt. */
  get network(): string | undefined {
    return this.#link?.network;
  }

  /** Undefined without a session. */
  get status(): PresenceStatus | undefined {
    const { joining, naming, login } = this.#options;
    return this.#link?.status(joining, naming.refusal, login.record);
  }

  /** Facts by which any process accepts a send; undefined without a session. */
  get sendingState(): SendingState | undefined {
    const { session, network } = this;
    if (session === undefined || network === undefined) return undefined;
    const { nick, upstream, isUnpaced, hasServerEcho } = session;
    const { pacedUntil, pacedAt } = this.#options.outbox;
    return { nick, network, isUnpaced: upstream === true && isUnpaced, hasServerEcho, pacedUntil, pacedAt };
  }

  /** Makes the account wanted: from now on a session that ends is replaced. */
  want(): void {
    this.#isWanted = true;
  }

  /** Connects in the background and keeps trying. */
  wantSoon(waitMs: number): void {
    this.want();
    this.#reattach.soon(waitMs);
  }

  /** Plans another attempt in the background after a failed one. */
  connectLater(): void {
    this.#reattach.later();
  }

  /**
   * Makes the account unwanted and cancels all plans; received lines are still stored.
   * @param isSilent whether the bouncer is to see no end of the session yet
   */
  leave(isSilent = false): void {
    this.#isWanted = false;
    this.channels.stop();
    this.#owedNick.stop();
    this.#reattach.stop();
    this.#keeper.stop();
    this.#options.joining.stop();
    this.#options.naming.stop();
    this.#options.login.stop();
    this.#lost?.storeHeld();
    this.#lost = undefined;
    this.#link?.end(isSilent);
    if (this.#link !== undefined) this.#drop(this.#link);
  }

  connectNetwork(user: BouncerUser, nick: string): Promise<void> {
    return this.#keeper.connect(user, nick);
  }

  renewNetwork(user: BouncerUser, nick: string): Promise<void> {
    return this.#keeper.renew(user, nick);
  }

  /** Handles a network that the bouncer may have disconnected, though it is wanted. */
  networkMayBeLost(): void {
    this.#keeper.lost();
  }

  /**
   * Brings the bouncer and the database in line with the account, and attaches if needed; call it in the account's
   * turn.
   * @throws SessionEnded if the session ends during the steps; then, if still wanted, another attempt is planned
   */
  async connect(): Promise<void> {
    const { accountId, context, joining, naming, login, mailbox, outbox, expulsion } = this.#options;
    const { store, bouncer } = context;
    const link = this.#link ?? this.#newLink();
    const isNew = this.#link === undefined;
    this.#link = link;
    const { generation } = link;
    try {
      if (isNew) await generation.after(expulsion.settle());
      const account = await generation.after(accountOf(context, accountId));
      const user = await generation.after(store.accounts.bouncerUser(accountId));
      const channels = enabledChannels(account);
      joining.channels = channels;
      naming.nick = account.nick;
      // With a live session the bouncer knows the account: the request is expensive for it.
      if (isNew) await generation.after(bouncer.provision({ user, nick: account.nick }));
      await generation.after(this.channels.set(generation, account, { user, isNew }));
      if (isNew) await generation.after(this.#attach(link, { user, nick: account.nick }));
      else await generation.after(link.follow(channels));
      // Stored first: if the program crashes in between, its next start continues.
      await generation.after(this.storeOnline(account));
      await generation.after(login.prepare(user));
      await generation.after(this.#keeper.connect(user, account.nick));
    } catch (error) {
      this.#hasTried = true;
      if (isNew) {
        link.abandon();
        if (link.network !== undefined) this.#lost = link;
        this.#drop(link);
      }
      throw error;
    }
    this.#hasTried = true;
    this.#reattach.succeeded();
    mailbox.enqueue(() => outbox.drain());
  }

  async storeOnline({ accountId, isOnline }: Account): Promise<void> {
    const { store, clock } = this.#options.context;
    if (!isOnline) await store.accounts.setOnline(accountId, clock.now());
  }

  /** Requests the account's present nick from the network; call it in the account's turn. @throws ConnectorError */
  async followNick(): Promise<void> {
    const { accountId, context, naming, changed } = this.#options;
    const { store } = context;
    // A plan from before is done with this; one that comes from here on may be about a later nick.
    this.#owedNick.cancel();
    const { nick } = await accountOf(context, accountId);
    naming.nick = nick;
    // A refusal of the former nick does not apply to this one.
    changed();
    if (this.#isWanted) {
      naming.ask();
      // The network may be disconnected because the former nick was refused.
      const user = await store.accounts.bouncerUser(accountId);
      if (this.session?.upstream === false) await this.#keeper.connect(user, nick);
    }
    this.#owedNick.reset();
  }

  /** Plans a retry, because the nick could not be followed now. */
  followNickLater(): void {
    this.#owedNick.later();
  }

  /**
   * Follows the account's present network: a session with another one ends at once, and the account connects again;
   * call it in the account's turn. Resolves to false if it is not connected yet: then another attempt is planned.
   */
  async followNetwork(): Promise<boolean> {
    const { accountId, context, mailbox } = this.#options;
    const { store, clock } = context;
    const account = await accountOf(context, accountId);
    if (!this.#isWanted || this.network === networkNameOf(context, account)) return true;
    const leftAt = clock.now();
    if (this.session !== undefined) mailbox.enqueue(() => store.accounts.setDisconnected(accountId, leftAt));
    await this.session?.flush(FLUSH_DEADLINE_MS);
    // The program may have ended meanwhile.
    if (!this.#isWanted) return true;
    this.leave();
    this.want();
    const waitMs = this.#moves.take(clock.monotonic());
    if (waitMs > 0) {
      this.wantSoon(waitMs);
      return false;
    }
    try {
      await this.connect();
      return true;
    } catch (error) {
      context.log.warn({ account: accountId, reason: messageOf(error) }, 'not connected to the chosen network yet');
      if (this.session === undefined) this.connectLater();
      return false;
    }
  }

  /** Runs work in the account's turn, if the account is still wanted online then; returns whether it was. */
  async #whileWanted(work: () => Promise<void>): Promise<boolean> {
    try {
      return await this.#options.mailbox.call(async () => {
        if (!this.#isWanted) return false;
        await work();
        return true;
      });
    } catch (error) {
      if (!this.#isWanted) return false;
      throw error instanceof SessionEnded ? bouncerUnreachable(error) : error;
    }
  }

  async #reconnect(): Promise<void> {
    await this.connect();
    this.#options.joining.askForAllLater();
  }

  /** Attaches and counts recent lines. ended-ok: the caller checks afterwards whether the session still stands. */
  async #attach(link: Link, account: BouncerAccount): Promise<void> {
    const { joining, outbox } = this.#options;
    await link.attach(account, joining.channels);
    this.#lost = undefined;
    await outbox.recall();
    this.#options.changed();
  }

  #newLink(): Link {
    const { accountId, context, mailbox, outbox, joining, naming, login, changed } = this.#options;
    const events: LinkEvents = {
      onSendRefused: (channel, reason) => outbox.refused(channel, login.record.masked(reason)),
      onLeft: (channel) => joining.leftFrom(channel),
      onStrayed: (channel) => joining.strayedInto(channel),
      onChanged: changed,
      onUpstreamLost: () => this.#upstreamLost(),
      onUpstreamFailed: () => {
        login.failed();
        this.#keeper.failed();
      },
      onUpstreamHung: () => this.#keeper.hung(),
      onUpstreamRefused: () => this.#keeper.refused(),
      onUpstreamConnected: (isFresh) => {
        this.#keeper.connected();
        joining.connectedAnew();
        if (isFresh) outbox.serverConnected(joining.channels.length);
        changed();
        naming.askAnew();
        login.connected();
        mailbox.enqueue(() => outbox.drain());
      },
      onEnded: () => {
        this.#keeper.stop();
        this.#lost = link;
        this.#drop(link);
        if (this.#isWanted) this.#reattach.later();
        else link.storeHeld();
      },
    };
    const link = new Link({ accountId, context, mailbox, held: this.#held, events });
    return link;
  }

  /** Drops a link that has ended. */
  #drop(link: Link): void {
    if (this.#link !== link) return;
    this.#link = undefined;
    this.#options.outbox.linkChanged();
    this.#options.changed();
  }

  #upstreamLost(): void {
    const { accountId, context, mailbox, outbox, login } = this.#options;
    const at = context.clock.now();
    outbox.linkChanged();
    login.lost();
    mailbox.enqueue(() => context.store.accounts.setDisconnected(accountId, at));
    this.#keeper.lost();
  }
}
