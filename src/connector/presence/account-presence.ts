import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../kernel/errors.ts';
import { type Account, enabledChannels } from '../domain/account.ts';
import { resolveChannel } from '../domain/channel.ts';
import { bouncerUnreachable } from '../errors.ts';
import type { BouncerSession, UpstreamState } from '../ports/bouncer-session.ts';
import type { PresenceContext } from './context.ts';
import { Keeper } from './keeper.ts';
import { Link } from './link.ts';
import { Outbox } from './outbox.ts';
import { Reattach } from './reattach.ts';
import { Rejoin } from './rejoin.ts';
import type { Semaphore } from './semaphore.ts';
import { type Hold, SendAdmission } from './send-admission.ts';
import { SerialQueue } from './serial-queue.ts';

/** Tasks that may wait for one account; further calls are refused, so that memory stays bounded. */
const QUEUE_MAX = 10_000;
/** How long going online waits for the upstream and its channels before it answers without them. */
const JOIN_WAIT_MS = 6_000;
const JOIN_POLL_MS = 50;

/** Work under way when the program ends may take this long. */
const CLOSE_DEADLINE_MS = 3_000;

/** One account's presence on IRC: everything that changes it or its messages runs in one queue. */
export class AccountPresence {
  readonly #accountId: string;
  readonly #context: PresenceContext;
  readonly #queue = new SerialQueue(QUEUE_MAX);
  readonly #link: Link;
  readonly #outbox: Outbox;
  readonly #admission: SendAdmission;
  readonly #upstream: Keeper;
  readonly #rejoin: Rejoin;
  readonly #reattach: Reattach;
  #channels: readonly string[] = [];
  #isWanted = false;

  /** @param attaches limits how many accounts attach in the background at once */
  constructor(accountId: string, context: PresenceContext, attaches: Semaphore) {
    this.#accountId = accountId;
    this.#context = context;
    const run = (task: () => Promise<void>) => this.run(task);
    const session = () => this.live;
    const shared = { accountId, context, run };
    const isEnabled = (channel: string) => resolveChannel(channel, this.#channels) !== undefined;
    this.#outbox = new Outbox({ ...shared, session, isEnabled, inTurn: (task) => this.#link.inTurn(task) });
    this.#admission = new SendAdmission((lineCount) => this.#outbox.turnOf(lineCount));
    this.#upstream = new Keeper({ ...shared, session });
    // While the state of the network is unknown, further attempts stay planned.
    this.#rejoin = new Rejoin({ join: (channel) => this.#joinAgain(channel) || this.live?.upstream === null });
    const connect = () => attaches.use(() => this.run(() => this.#reconnect()));
    this.#reattach = new Reattach({ accountId, log: context.log, connect });
    this.#link = new Link({
      ...shared,
      events: {
        onSendRefused: (channel, reason) => this.#link.inTurn(() => this.#outbox.refused(channel, reason)),
        onKicked: (channel) => this.#rejoin.later(channel),
        onUpstreamLost: () => this.#upstreamLost(),
        onUpstreamHung: () => this.#upstream.hung(),
        onUpstreamRefused: () => this.#upstream.refused(),
        onUpstreamConnected: (isFresh) => {
          this.#upstream.connected();
          if (isFresh) this.#outbox.serverConnected(this.#channels.length);
          this.#link.inTurn(() => this.#outbox.drain());
        },
        onEnded: () => {
          this.#link.inTurn(async () => this.#outbox.linkChanged());
          this.#upstream.stop();
          if (this.#isWanted) this.#reattach.later();
        },
      },
    });
  }

  /** What the account's owner should know about its connection, in words. */
  get problems(): string[] {
    return this.#link.problems;
  }

  /** The live session; undefined while there is none. */
  get live(): BouncerSession | undefined {
    return this.#link.session;
  }

  get waitingTasks(): number {
    return this.#queue.size;
  }

  get waitingLines(): number {
    return this.#link.waiting;
  }

  /** Runs a task when everything before it is done. */
  run<T>(task: () => Promise<T>): Promise<T> {
    return this.#queue.run(task);
  }

  /** Connects the account. A failure is not retried, because the caller gets the error. */
  async goOnline(): Promise<UpstreamState> {
    await this.run(async () => {
      this.#rejoin.reset();
      const account = await this.#connectOrNot();
      for (const channel of this.#channels) this.#joinAgain(channel);
      if (!account.isOnline) {
        await this.#context.store.accounts.setOnline(this.#accountId, this.#context.clock.now());
      }
    });
    await this.#channelsSettled();
    return this.live?.upstream ?? null;
  }

  /** Disconnects the account for everybody: history stays, nothing is captured, and waiting messages are not sent. */
  async goOffline(): Promise<void> {
    await this.run(async () => {
      const { store, bouncer, clock } = this.#context;
      const account = await store.accounts.find(this.#accountId);
      if (account?.isOnline !== true) return;
      await bouncer.setOnline(await store.accounts.bouncerUser(this.#accountId), false);
      this.#isWanted = false;
      this.#endSession();
      await this.#outbox.giveUp('the account went offline');
      await store.accounts.setOnline(this.#accountId, null);
      await store.accounts.setDisconnected(this.#accountId, clock.now());
    });
  }

  /** Connects in the background and keeps trying: after a restart, or when the bouncer was away. */
  resume(waitMs: number): void {
    this.#isWanted = true;
    // What was pending when the program ended fails in time, also while the bouncer is away.
    this.#link.inTurn(() => this.#outbox.drain());
    this.#reattach.soon(waitMs);
  }

  /** Stores which channels are enabled and tells the bouncer; false when the bouncer can't be reached now. */
  async setGrants(grants: Account['grants']): Promise<boolean> {
    return this.run(async () => {
      await this.#context.store.accounts.setGrants(this.#accountId, grants);
      this.#channels = grants.filter(({ enabled }) => enabled).map(({ channel }) => channel);
      await this.#outbox.giveUpDisabled();
      if (!this.#isWanted) return true;
      try {
        await this.#followChannels();
        return true;
      } catch (error) {
        this.#context.log.warn({ account: this.#accountId, reason: messageOf(error) }, 'channels not set');
        return false;
      }
    });
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
    return this.run(() => this.#outbox.drain());
  }

  /** Ends the session; the bouncer keeps the network connected. */
  async close(): Promise<void> {
    this.#isWanted = false;
    this.#endSession();
    this.#outbox.close();
    this.#link.close();
    // The end of the whole program must not wait for tasks that a hanging bouncer holds up.
    const deadline = new AbortController();
    const timeout = delay(CLOSE_DEADLINE_MS, undefined, { signal: deadline.signal }).catch(() => undefined);
    await Promise.race([this.#queue.idle(), timeout]);
    deadline.abort();
  }

  async #reconnect(): Promise<void> {
    if (!this.#isWanted) return;
    await this.#connect();
    // The bouncer does not rejoin by itself, and the program that planned to do so may have ended meanwhile.
    for (const channel of this.#channels) this.#rejoin.later(channel);
  }

  /** Wanted from the beginning, so that a session that ends meanwhile is replaced. After a failure all is as before. */
  async #connectOrNot(): Promise<Account> {
    const wasWanted = this.#isWanted;
    this.#isWanted = true;
    try {
      return await this.#connect();
    } catch (error) {
      this.#isWanted = wasWanted;
      if (!wasWanted) this.#endSession();
      throw error;
    }
  }

  async #connect(): Promise<Account> {
    const { store, bouncer } = this.#context;
    const account = await store.accounts.find(this.#accountId);
    if (account === undefined) throw new Error('the account vanished');
    const user = await store.accounts.bouncerUser(this.#accountId);
    this.#channels = enabledChannels(account);
    await bouncer.provision({ user, nick: account.nick });
    await bouncer.setChannels(user, this.#channels);
    await store.capture.begin(this.#accountId, this.#channels, this.#context.clock.now());
    if (this.live === undefined) {
      await this.#link.attach({ user, nick: account.nick }, this.#channels);
      await this.#outbox.recall();
    }
    this.#reattach.succeeded();
    await bouncer.setOnline(user, true, account.nick);
    if (this.live?.upstream !== true) this.#upstream.lost();
    await this.#outbox.drain();
    return account;
  }

  /** Channels that were just enabled are followed from now on. */
  async #followChannels(): Promise<void> {
    const { store, bouncer, clock } = this.#context;
    await store.capture.begin(this.#accountId, this.#channels, clock.now());
    await this.#link.follow(this.#channels);
    await bouncer.setChannels(await store.accounts.bouncerUser(this.#accountId), this.#channels);
  }

  #endSession(): void {
    this.#reattach.stop();
    this.#upstream.stop();
    this.#rejoin.reset();
    this.#link.detach();
  }

  #upstreamLost(): void {
    this.#link.inTurn(async () => this.#outbox.linkChanged());
    if (!this.#isWanted) return;
    this.#link.inTurn(() => this.#context.store.accounts.setDisconnected(this.#accountId, this.#context.clock.now()));
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
      if (session?.upstream !== true) return false;
      return this.#channels.every(
        (channel) =>
          resolveChannel(channel, session.joinedChannels) !== undefined ||
          session.notJoinedReason(channel) !== undefined,
      );
    };
    while (!isSettled() && performance.now() < deadline) {
      await delay(JOIN_POLL_MS);
    }
  }
}
