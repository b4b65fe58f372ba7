import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../kernel/errors.ts';
import { type Account, enabledChannels } from '../domain/account.ts';
import { resolveChannel } from '../domain/channel.ts';
import { bouncerUnreachable } from '../errors.ts';
import type { BouncerAccount } from '../ports/bouncer.ts';
import type { BouncerSession, UpstreamState } from '../ports/bouncer-session.ts';
import type { PresenceContext } from './context.ts';
import { SessionEnded } from './generation.ts';
import { Keeper } from './keeper.ts';
import { Link, type LinkEvents } from './link.ts';
import { Mailbox } from './mailbox.ts';
import { Outbox } from './outbox.ts';
import { Reattach } from './reattach.ts';
import { Rejoin } from './rejoin.ts';
import { Retry } from './retry.ts';
import type { Semaphore } from './semaphore.ts';
import { type Hold, SendAdmission } from './send-admission.ts';

/** How long going online waits for the upstream and its channels before it answers without them. */
const JOIN_WAIT_MS = 6_000;
const JOIN_POLL_MS = 50;

/** Work under way when the program ends may take this long. */
const CLOSE_DEADLINE_MS = 3_000;

/**
 * One account's presence on IRC. Everything that changes it, or its messages, passes its mailbox.
 *
 * | state | becomes | by |
 * |---|---|---|
 * | offline: not wanted, no link | connecting | `goOnline` |
 * | connecting: a link without a session | online | it is attached, and stored as online |
 * | | offline | a failure of the first `goOnline`: what it stored is taken back |
 * | | waiting | a failure of any other attempt |
 * | online: a link with a session | waiting | the session ends by itself |
 * | waiting: wanted, no link | connecting | the planned attempt, or `goOnline` |
 * | any | offline | `goOffline`, once the bouncer and the database know |
 *
 * An account is stored as online exactly while it is wanted online; then it has a session, or an attempt is planned.
 */
export class AccountPresence {
  readonly #accountId: string;
  readonly #context: PresenceContext;
  readonly #mailbox: Mailbox;
  readonly #outbox: Outbox;
  readonly #admission: SendAdmission;
  readonly #upstream: Keeper;
  readonly #rejoin: Rejoin;
  readonly #reattach: Reattach;
  /** The bouncer is still to be told which channels are enabled. */
  readonly #owedChannels: Retry;
  #link: Link | undefined;
  #channels: readonly string[] = [];
  #isWanted = false;
  #isClosed = false;

  /** @param attaches limits how many accounts attach in the background at once */
  constructor(accountId: string, context: PresenceContext, attaches: Semaphore) {
    this.#accountId = accountId;
    this.#context = context;
    const session = () => this.live;
    this.#mailbox = new Mailbox({ accountId, log: context.log });
    this.#outbox = new Outbox({ accountId, context, session, tell: (work) => this.#mailbox.tell(work) });
    this.#admission = new SendAdmission((lineCount) => this.#outbox.turnOf(lineCount));
    this.#upstream = new Keeper({ accountId, context, session, run: (work) => this.#whileWanted(work) });
    // While the state of the network is unknown, further attempts stay planned.
    this.#rejoin = new Rejoin({ join: (channel) => this.#joinAgain(channel) || this.live?.upstream === null });
    // Waiting for a place holds up nobody: the account's turn begins when there is one.
    const connect = () => attaches.use(() => this.#whileWanted(() => this.#reconnect()));
    this.#reattach = new Reattach({ accountId, log: context.log, connect });
    this.#owedChannels = new Retry(() => this.#whileWanted(() => this.#followChannels()));
  }

  /** What the account's owner should know about its connection, in words. */
  get problems(): string[] {
    return this.#link?.problems ?? [];
  }

  /** The live session; undefined while there is none. */
  get live(): BouncerSession | undefined {
    return this.#link?.session;
  }

  get depth(): Mailbox['depth'] {
    return this.#mailbox.depth;
  }

  /** Runs a task when everything asked before is done. @throws RetryLater account_busy */
  run<T>(task: () => Promise<T>): Promise<T> {
    return this.#mailbox.ask(task);
  }

  /** Connects the account. A failure of the first time is not retried, because the caller gets the error. */
  async goOnline(): Promise<UpstreamState> {
    await this.#mailbox.ask(async () => {
      this.#rejoin.reset();
      await this.#putOnline();
      for (const channel of this.#channels) this.#joinAgain(channel);
    });
    await this.#channelsSettled();
    return this.live?.upstream ?? null;
  }

  /** Disconnects the account for everybody: history stays, nothing is captured, and waiting messages are not sent. */
  async goOffline(): Promise<void> {
    await this.#mailbox.ask(async () => {
      const { store, bouncer, clock } = this.#context;
      const account = await store.accounts.find(this.#accountId);
      if (account?.isOnline !== true) return;
      const user = await store.accounts.bouncerUser(this.#accountId);
      try {
        await bouncer.setOnline(user, false);
        await this.#outbox.giveUp('the account went offline');
        await store.accounts.setDisconnected(this.#accountId, clock.now());
        await store.accounts.setOnline(this.#accountId, null);
      } catch (error) {
        // Still online as far as is known, so it is connected again; the database alone knows whether it noted the end.
        this.#upstream.lost();
        this.#mailbox.tell(() => this.#leaveIfStoredOffline());
        throw error;
      }
      this.#leave();
    });
  }

  /** Connects in the background and keeps trying: after a restart, or when the bouncer was away. */
  resume(waitMs: number): void {
    this.#isWanted = true;
    // What was pending when the program ended fails in time, also while the bouncer is away.
    this.#mailbox.tell(() => this.#outbox.drain());
    this.#reattach.soon(waitMs);
  }

  /** Follows the channels that are now enabled; false when the bouncer can't be told now, and will be told later. */
  async channelsChanged(): Promise<boolean> {
    try {
      await this.#mailbox.ask(() => this.#followChannels());
      return true;
    } catch {
      // Also where too many calls wait already: what is enabled is stored, so it is followed all the same.
      this.#owedChannels.later();
      return false;
    }
  }

  /** The live session. @throws ConnectorError bouncer_unreachable when there is none */
  requireLive(): BouncerSession {
    if (this.live === undefined) throw bouncerUnreachable(new Error('no session'));
    return this.live;
  }

  /** Undefined when this many lines may be accepted at once; call within `run`. @throws RetryLater backlog_full */
  admit(lineCount: number): Promise<Hold | undefined> {
    return this.#admission.admit(lineCount);
  }

  /** Starts to send what is pending. */
  flush(): Promise<void> {
    return this.#mailbox.ask(() => this.#outbox.drain());
  }

  /** Ends the session; the bouncer keeps the network connected. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#leave();
    this.#outbox.close();
    // The end of the whole program must not wait for work that a hanging bouncer holds up.
    await this.#mailbox.close(CLOSE_DEADLINE_MS);
  }

  /** Work in the background has no point once the account is not wanted online any more. */
  async #whileWanted(work: () => Promise<void>): Promise<void> {
    try {
      await this.#mailbox.ask(async () => {
        if (this.#isWanted) await work();
      });
    } catch (error) {
      if (!this.#isWanted) return;
      throw error instanceof SessionEnded ? bouncerUnreachable(error) : error;
    }
  }

  async #putOnline(): Promise<void> {
    // Stored as online but not wanted: the program has started just now, and has not got to this account yet.
    const wasOnline = this.#isWanted || (await this.#account()).isOnline;
    if (this.#isClosed) throw bouncerUnreachable(new Error('the program ends'));
    // From here on, so that a session that ends while the rest is done is replaced.
    this.#isWanted = true;
    try {
      await this.#connectOrReplace();
    } catch (error) {
      if (this.#isClosed) throw error;
      if (!wasOnline) await this.#takeBack();
      else if (this.live === undefined) this.#reattach.later();
      throw error;
    }
  }

  async #connectOrReplace(): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      if (!(error instanceof SessionEnded)) throw error;
      // What is stored by now decides how the next run of the program goes on.
      if (this.#isClosed) throw bouncerUnreachable(error);
      await this.#storeOnline(await this.#account());
    }
  }

  async #reconnect(): Promise<void> {
    await this.#connect();
    // The bouncer does not rejoin by itself, and the program that planned to do so may have ended meanwhile.
    for (const channel of this.#channels) this.#rejoin.later(channel);
  }

  /** @throws SessionEnded when the session ends before all is done; then, if still wanted, another attempt is planned */
  async #connect(): Promise<void> {
    const { store, bouncer, clock } = this.#context;
    const link = this.#link ?? this.#newLink();
    const isNew = this.#link === undefined;
    this.#link = link;
    const { generation } = link;
    try {
      const account = await generation.after(this.#account());
      const user = await generation.after(store.accounts.bouncerUser(this.#accountId));
      const channels = enabledChannels(account);
      this.#channels = channels;
      await generation.after(bouncer.provision({ user, nick: account.nick }));
      await generation.after(bouncer.setChannels(user, channels));
      await generation.after(store.capture.begin(this.#accountId, channels, clock.now()));
      if (isNew) await generation.after(this.#attach(link, { user, nick: account.nick }));
      else await generation.after(link.follow(channels));
      this.#owedChannels.stop();
      // Stored first: a program that ends in between goes on with it at its next start.
      await generation.after(this.#storeOnline(account));
      await generation.after(this.#upstream.connect(user, account.nick));
    } catch (error) {
      if (isNew) this.#drop(link);
      throw error;
    }
    this.#reattach.succeeded();
    this.#mailbox.tell(() => this.#outbox.drain());
  }

  async #attach(link: Link, account: BouncerAccount): Promise<void> {
    const { store, clock } = this.#context;
    await link.attach(account, this.#channels);
    const since = clock.now();
    this.#mailbox.tell(() => store.presences.began(this.#accountId, since));
    await this.#outbox.recall();
  }

  #newLink(): Link {
    const mailbox = this.#mailbox;
    const events: LinkEvents = {
      onSendRefused: (channel, reason) => this.#outbox.refused(channel, reason),
      onKicked: (channel) => this.#rejoin.later(channel),
      onUpstreamLost: () => this.#upstreamLost(),
      onUpstreamFailed: () => this.#upstream.failed(),
      onUpstreamHung: () => this.#upstream.hung(),
      onUpstreamRefused: () => this.#upstream.refused(),
      onUpstreamConnected: (isFresh) => {
        this.#upstream.connected();
        if (isFresh) this.#outbox.serverConnected(this.#channels.length);
        mailbox.tell(() => this.#outbox.drain());
      },
      onEnded: () => {
        this.#upstream.stop();
        this.#drop(link);
        if (this.#isWanted) this.#reattach.later();
      },
    };
    const link = new Link({ accountId: this.#accountId, context: this.#context, mailbox, events });
    return link;
  }

  /** Nothing acts on this link any more. */
  #drop(link: Link): void {
    link.end();
    if (this.#link !== link) return;
    this.#link = undefined;
    this.#outbox.linkChanged();
    this.#mailbox.tell(() => this.#context.store.presences.ended(this.#accountId));
  }

  /** Nothing is wanted or planned any more; what was received is still stored. */
  #leave(): void {
    this.#isWanted = false;
    this.#owedChannels.stop();
    this.#reattach.stop();
    this.#upstream.stop();
    this.#rejoin.reset();
    if (this.#link !== undefined) this.#drop(this.#link);
  }

  /** The first attempt failed: the caller knows, and everything is as it was before. */
  async #takeBack(): Promise<void> {
    const { store, bouncer, log } = this.#context;
    this.#leave();
    // Each is left out when the account was put online again meanwhile.
    const unstore = async (): Promise<void> => {
      if (!this.#isWanted) await store.accounts.setOnline(this.#accountId, null);
    };
    await unstore().catch(() => this.#mailbox.tell(unstore));
    this.#mailbox.tell(async () => {
      if (this.#isWanted) return;
      const user = await store.accounts.bouncerUser(this.#accountId);
      // Tried once: most likely the bouncer is what failed, and then the network was not connected either.
      await bouncer.setOnline(user, false).catch((error: unknown) => {
        log.warn(
          { account: this.#accountId, reason: messageOf(error) },
          'the bouncer could not be told to stay offline',
        );
      });
    });
  }

  /** After a failure only the database knows whether it has noted the end. */
  async #leaveIfStoredOffline(): Promise<void> {
    if (!(await this.#account()).isOnline) this.#leave();
  }

  async #storeOnline(account: Account): Promise<void> {
    if (account.isOnline) return;
    await this.#context.store.accounts.setOnline(this.#accountId, this.#context.clock.now());
  }

  /** Channels that were just enabled are followed from now on, and nothing waits for others. */
  async #followChannels(): Promise<void> {
    const { store, bouncer, clock, log } = this.#context;
    try {
      const channels = enabledChannels(await this.#account());
      this.#channels = channels;
      await this.#outbox.giveUpDisabled(channels);
      if (!this.#isWanted) return;
      await store.capture.begin(this.#accountId, channels, clock.now());
      await this.#link?.follow(channels);
      await bouncer.setChannels(await store.accounts.bouncerUser(this.#accountId), channels);
    } catch (error) {
      log.warn({ account: this.#accountId, reason: messageOf(error) }, 'channels not set');
      throw error;
    }
    this.#owedChannels.stop();
  }

  async #account(): Promise<Account> {
    const account = await this.#context.store.accounts.find(this.#accountId);
    if (account === undefined) throw new Error('the account vanished');
    return account;
  }

  #upstreamLost(): void {
    const { store, clock } = this.#context;
    const at = clock.now();
    this.#outbox.linkChanged();
    this.#mailbox.tell(() => store.accounts.setDisconnected(this.#accountId, at));
    this.#upstream.lost();
  }

  #joinAgain(channel: string): boolean {
    const session = this.live;
    if (session?.upstream !== true || !this.#channels.includes(channel)) return false;
    if (resolveChannel(channel, session.joinedChannels) !== undefined) return false;
    session.join(channel);
    return true;
  }

  async #channelsSettled(): Promise<void> {
    const deadline = performance.now() + JOIN_WAIT_MS;
    const isSettled = (): boolean => {
      const session = this.live;
      if (session?.upstream !== true) return !this.#isWanted;
      return this.#channels.every(
        (channel) =>
          resolveChannel(channel, session.joinedChannels) !== undefined ||
          session.notJoinedReason(channel) !== undefined,
      );
    };
    while (!isSettled() && performance.now() < deadline) await delay(JOIN_POLL_MS);
  }
}
