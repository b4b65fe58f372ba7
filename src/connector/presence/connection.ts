import { messageOf } from '../../kernel/errors.ts';
import { type Account, enabledChannels } from '../domain/account.ts';
import { SlidingWindow } from '../domain/sliding-window.ts';
import { bouncerUnreachable } from '../errors.ts';
import type { BouncerAccount } from '../ports/bouncer.ts';
import type { BouncerSession } from '../ports/bouncer-session.ts';
import type { PresenceStatus } from '../ports/presence.ts';
import type { Semaphore } from '../semaphore.ts';
import { accountOf, networkNameOf, type PresenceContext } from './context.ts';
import { SessionEnded } from './generation.ts';
import type { Joining } from './joining.ts';
import { Keeper } from './keeper.ts';
import { Link, type LinkEvents } from './link.ts';
import type { Mailbox } from './mailbox.ts';
import type { Naming } from './naming.ts';
import { OngoingFailure } from './ongoing-failure.ts';
import type { Outbox } from './outbox.ts';
import { Reattach } from './reattach.ts';
import { Retry } from './retry.ts';

/**
 * So often in such a time an account moves at once: each move costs the bouncer the hash of a password, and the history of all
 * channels. Whoever changes the network faster is connected a little later.
 */
const MOVES_AT_ONCE = 5;
const MOVES_WINDOW_MS = 60_000;

export interface ConnectionOptions {
  accountId: string;
  context: PresenceContext;
  mailbox: Mailbox;
  outbox: Outbox;
  joining: Joining;
  naming: Naming;
  /** Limits how many accounts attach in the background at once. */
  attaches: Semaphore;
  /** The status has changed. */
  changed: () => void;
}

/**
 * An account's connection to the bouncer, as long as it is wanted: made, kept, and made again when it was lost. Whether it
 * is wanted is decided elsewhere.
 */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #keeper: Keeper;
  readonly #reattach: Reattach;
  /** The bouncer is still to be told which channels are enabled. */
  readonly #owedChannels: Retry;
  /** The network is still to be asked for the account's nick. */
  readonly #owedNick: Retry;
  readonly #unfollowed = new OngoingFailure();
  readonly #moves = new SlidingWindow(MOVES_AT_ONCE, MOVES_WINDOW_MS);
  #link: Link | undefined;
  /** The channels that the bouncer and the database know of; undefined while that is not certain. */
  #followed: readonly string[] | undefined;
  #isWanted = false;

  constructor(options: ConnectionOptions) {
    const { accountId, context, attaches } = options;
    this.#options = options;
    const run = (work: () => Promise<void>) => this.#whileWanted(work);
    this.#keeper = new Keeper({ accountId, context, session: () => this.session, run });
    // Waiting for a place holds up nobody: the account's turn begins when there is one.
    const connect = () => attaches.use(() => run(() => this.#reconnect()));
    this.#reattach = new Reattach({ accountId, log: context.log, connect });
    this.#owedChannels = new Retry(() => run(() => this.followChannels()));
    this.#owedNick = new Retry(() => run(() => this.followNick()));
  }

  get isWanted(): boolean {
    return this.#isWanted;
  }

  /** The live session; undefined while there is none. */
  get session(): BouncerSession | undefined {
    return this.#link?.session;
  }

  /** Name of the network of the present session, or of the attempt to have one. */
  get network(): string | undefined {
    return this.#link?.network;
  }

  /** Undefined without a session. */
  get status(): PresenceStatus | undefined {
    const { joining, naming } = this.#options;
    return this.#link?.status(joining.channels, naming.refusal);
  }

  /** From now on a session that ends is replaced. */
  want(): void {
    this.#isWanted = true;
  }

  /** Connects in the background, and keeps trying. */
  wantSoon(waitMs: number): void {
    this.want();
    this.#reattach.soon(waitMs);
  }

  /** Tries again in the background after an attempt that failed. */
  connectLater(): void {
    this.#reattach.later();
  }

  /** Nothing is wanted or planned any more; what was received is still stored. */
  leave(): void {
    this.#isWanted = false;
    this.#owedChannels.stop();
    this.#owedNick.stop();
    this.#reattach.stop();
    this.#keeper.stop();
    this.#options.joining.stop();
    this.#options.naming.stop();
    if (this.#link !== undefined) this.#drop(this.#link);
  }

  /** The bouncer was told to disconnect the network, which is to be connected all the same. */
  networkMayBeLost(): void {
    this.#keeper.lost();
  }

  /**
   * Makes the bouncer and the database follow the account, and attaches if it is not attached; call it in the account's turn.
   * @throws SessionEnded when the session ends before all is done; then, if still wanted, another attempt is planned
   */
  async connect(): Promise<void> {
    const { accountId, context, joining, naming, mailbox, outbox } = this.#options;
    const { store, bouncer, clock } = context;
    const link = this.#link ?? this.#newLink();
    const isNew = this.#link === undefined;
    this.#link = link;
    const { generation } = link;
    try {
      const account = await generation.after(accountOf(context, accountId));
      const user = await generation.after(store.accounts.bouncerUser(accountId));
      const channels = enabledChannels(account);
      joining.channels = channels;
      naming.nick = account.nick;
      // Where a session stands, the bouncer knows the account, and most likely its channels: asking costs it much.
      if (isNew) await generation.after(bouncer.provision({ user, nick: account.nick }));
      if (isNew || this.#followed?.join() !== channels.join()) {
        this.#followed = undefined;
        await generation.after(bouncer.setChannels(user, channels));
        await generation.after(store.capture.begin(accountId, networkNameOf(context, account), channels, clock.now()));
        this.#followed = channels;
      }
      if (isNew) await generation.after(this.#attach(link, { user, nick: account.nick }));
      else await generation.after(link.follow(channels));
      this.#owedChannels.stop();
      // Stored first: a program that ends in between goes on with it at its next start.
      await generation.after(this.storeOnline(account));
      await generation.after(this.#keeper.connect(user, account.nick));
    } catch (error) {
      if (isNew) this.#drop(link);
      throw error;
    }
    this.#reattach.succeeded();
    mailbox.tell(() => outbox.drain());
  }

  async storeOnline({ accountId, isOnline }: Account): Promise<void> {
    const { store, clock } = this.#options.context;
    if (!isOnline) await store.accounts.setOnline(accountId, clock.now());
  }

  /** Channels that were just enabled are followed from now on, and nothing waits for others; call it in the account's turn. */
  async followChannels(): Promise<void> {
    const { accountId, context, joining, outbox } = this.#options;
    const { store, bouncer, clock, log } = context;
    try {
      const account = await accountOf(context, accountId);
      const channels = enabledChannels(account);
      joining.channels = channels;
      this.#followed = undefined;
      await outbox.giveUpDisabled(channels);
      if (!this.#isWanted) return;
      await store.capture.begin(accountId, networkNameOf(context, account), channels, clock.now());
      await this.#link?.follow(channels);
      await bouncer.setChannels(await store.accounts.bouncerUser(accountId), channels);
      this.#followed = channels;
    } catch (error) {
      const reason = messageOf(error);
      this.#unfollowed.failed(reason, (count) => {
        log.warn({ account: accountId, reason, count }, 'channels not set');
      });
      throw error;
    }
    this.#unfollowed.succeeded();
    this.#owedChannels.stop();
  }

  /** The channels could not be followed now. */
  followChannelsLater(): void {
    this.#owedChannels.later();
  }

  /** The network is asked for the nick that the account has now; call it in the account's turn. @throws ConnectorError */
  async followNick(): Promise<void> {
    const { accountId, context, naming, changed } = this.#options;
    const { store } = context;
    const { nick } = await accountOf(context, accountId);
    naming.nick = nick;
    // Why the network did not give the nick of before says nothing about this one.
    changed();
    if (this.#isWanted) {
      naming.ask();
      // Perhaps it is not connected because it could not have the nick of before.
      const user = await store.accounts.bouncerUser(accountId);
      if (this.session?.upstream === false) await this.#keeper.connect(user, nick);
    }
    this.#owedNick.stop();
  }

  /** The nick could not be followed now. */
  followNickLater(): void {
    this.#owedNick.later();
  }

  /**
   * Follows the network that the account has now: a session with another one ends at once, and the account is connected
   * anew; call it in the account's turn. False when it is not connected yet: then another attempt is planned.
   */
  async followNetwork(): Promise<boolean> {
    const { accountId, context, mailbox } = this.#options;
    const { store, clock } = context;
    const account = await accountOf(context, accountId);
    if (!this.#isWanted || this.network === networkNameOf(context, account)) return true;
    const leftAt = clock.now();
    if (this.session !== undefined) mailbox.tell(() => store.accounts.setDisconnected(accountId, leftAt));
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

  /** Work in the background has no point once the account is not wanted online any more. */
  async #whileWanted(work: () => Promise<void>): Promise<void> {
    try {
      await this.#options.mailbox.ask(async () => {
        if (this.#isWanted) await work();
      });
    } catch (error) {
      if (!this.#isWanted) return;
      throw error instanceof SessionEnded ? bouncerUnreachable(error) : error;
    }
  }

  async #reconnect(): Promise<void> {
    await this.connect();
    this.#options.joining.askForAllLater();
  }

  /** ended-ok: whoever calls it looks afterwards whether the session still stands. */
  async #attach(link: Link, account: BouncerAccount): Promise<void> {
    const { joining, outbox } = this.#options;
    await link.attach(account, joining.channels);
    await outbox.recall();
  }

  #newLink(): Link {
    const { accountId, context, mailbox, outbox, joining, naming, changed } = this.#options;
    const events: LinkEvents = {
      onSendRefused: (channel, reason) => outbox.refused(channel, reason),
      onLeft: (channel) => joining.leftFrom(channel),
      onStrayed: (channel) => joining.strayedInto(channel),
      onChanged: changed,
      onUpstreamLost: () => this.#upstreamLost(),
      onUpstreamFailed: () => this.#keeper.failed(),
      onUpstreamHung: () => this.#keeper.hung(),
      onUpstreamRefused: () => this.#keeper.refused(),
      onUpstreamConnected: (isFresh) => {
        this.#keeper.connected();
        if (isFresh) outbox.serverConnected(joining.channels.length);
        naming.askAnew();
        mailbox.tell(() => outbox.drain());
      },
      onEnded: () => {
        this.#keeper.stop();
        this.#drop(link);
        if (this.#isWanted) this.#reattach.later();
      },
    };
    const link = new Link({ accountId, context, mailbox, events });
    return link;
  }

  /** Nothing acts on this link any more. */
  #drop(link: Link): void {
    link.end();
    if (this.#link !== link) return;
    this.#link = undefined;
    this.#options.outbox.linkChanged();
    this.#options.changed();
  }

  #upstreamLost(): void {
    const { accountId, context, mailbox, outbox } = this.#options;
    const at = context.clock.now();
    outbox.linkChanged();
    mailbox.tell(() => context.store.accounts.setDisconnected(accountId, at));
    this.#keeper.lost();
  }
}
