import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../kernel/errors.ts';
import { SerialQueue } from '../../kernel/serial-queue.ts';
import { type Account, enabledChannels } from '../domain/account.ts';
import { backoffMs } from '../domain/backoff.ts';
import { resolveChannel } from '../domain/channel.ts';
import { alternateNick } from '../domain/nick.ts';
import { bouncerUnreachable } from '../errors.ts';
import type { BouncerAccount } from '../ports/bouncer.ts';
import type { BouncerEvents, BouncerSession, ObservedLine, UpstreamState } from '../ports/bouncer-session.ts';
import { CatchUp } from './catch-up.ts';
import type { ServiceContext } from './context.ts';
import { Intake } from './intake.ts';
import { Outbox } from './outbox.ts';
import { Rejoin } from './rejoin.ts';
import { UpstreamKeeper } from './upstream-keeper.ts';

/** Lines and calls that may wait for one account; beyond it the session is dropped, so that memory stays bounded. */
const QUEUE_MAX = 10_000;
/** How long going online waits for the upstream and its channels before it answers without them. */
const JOIN_WAIT_MS = 6_000;
const JOIN_POLL_MS = 50;

/** Work under way when the program ends may take this long. */
const CLOSE_DEADLINE_MS = 3_000;

const CHANCE_STEPS = 1_000;
/** After the bouncer refused to replay a channel. */
const REPLAY_RETRY_MS = 30_000;

/** Owns one account's bouncer session: all that changes it or its messages runs through one queue. */
export class AccountSession {
  readonly #accountId: string;
  readonly #context: ServiceContext;
  readonly #queue = new SerialQueue(QUEUE_MAX);
  readonly #outbox: Outbox;
  readonly #intake: Intake;
  readonly #upstream: UpstreamKeeper;
  readonly #rejoin: Rejoin;
  #nickAttempt = 0;
  #catchUp: CatchUp | undefined;
  #session: BouncerSession | undefined;
  #channels: readonly string[] = [];
  #isWanted = false;
  #attempt = 0;
  #retry: NodeJS.Timeout | undefined;

  constructor(accountId: string, context: ServiceContext) {
    this.#accountId = accountId;
    this.#context = context;
    const { log } = context;
    const run = (task: () => Promise<void>) => this.run(task);
    this.#outbox = new Outbox({ accountId, context, run, session: () => this.#session });
    this.#intake = new Intake({ log, run, store: (lines, synced) => this.#store(lines, synced) });
    this.#rejoin = new Rejoin({ chance, join: (channel) => this.#joinAgain(channel) });
    this.#upstream = new UpstreamKeeper({ log, chance, reconnect: () => this.#reconnectUpstream() });
  }

  /** The live session; undefined while there is none. */
  get live(): BouncerSession | undefined {
    return this.#session;
  }

  get waitingTasks(): number {
    return this.#queue.size;
  }

  get waitingLines(): number {
    return this.#intake.size;
  }

  /** Runs a task when everything before it is done. */
  run<T>(task: () => Promise<T>): Promise<T> {
    return this.#queue.run(task);
  }

  /** Connects the account; where that fails it is not kept trying, because the caller hears of it. */
  async goOnline(): Promise<UpstreamState> {
    await this.run(async () => {
      this.#rejoin.reset();
      const account = await this.#connectOrNot();
      this.#isWanted = true;
      if (!account.isOnline) {
        await this.#context.store.accounts.setOnline(this.#accountId, this.#context.clock.now());
      }
    });
    await this.#channelsJoined();
    return this.#session?.upstream ?? null;
  }

  /** Disconnects the account for everybody: history stays, nothing is captured, and what waits is not sent. */
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
  resume(): void {
    this.#isWanted = true;
    this.#retry = setTimeout(() => void this.#reconnect(), 0);
  }

  /** Stores which channels are enabled and tells the bouncer; false when it could not be told now. */
  async setGrants(grants: Account['grants']): Promise<boolean> {
    return this.run(async () => {
      await this.#context.store.accounts.setGrants(this.#accountId, grants);
      this.#channels = grants.filter(({ enabled }) => enabled).map(({ channel }) => channel);
      if (!this.#isWanted) return true;
      try {
        await this.#followChannels();
        const user = await this.#context.store.accounts.bouncerUser(this.#accountId);
        await this.#context.bouncer.setChannels(user, this.#channels);
        return true;
      } catch (error) {
        this.#context.log.warn({ account: this.#accountId, reason: messageOf(error) }, 'channels not set');
        return false;
      }
    });
  }

  /** The live session. @throws ConnectorError bouncer_unreachable where there is none */
  requireLive(): BouncerSession {
    if (this.#session === undefined) throw bouncerUnreachable(new Error('no session'));
    return this.#session;
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
    this.#intake.close();
    // What waits for a bouncer that hangs is not worth the time the whole program has to end.
    const deadline = new AbortController();
    const timeout = delay(CLOSE_DEADLINE_MS, undefined, { signal: deadline.signal }).catch(() => undefined);
    await Promise.race([this.#queue.idle(), timeout]);
    deadline.abort();
  }

  /** A session that came to nothing is not kept, unless it stood before. */
  async #connectOrNot(): Promise<Account> {
    try {
      return await this.#connect();
    } catch (error) {
      if (!this.#isWanted) this.#session?.close();
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
    if (this.#session === undefined) await this.#attach({ user, nick: account.nick });
    this.#attempt = 0;
    await bouncer.setOnline(user, true, account.nick);
    if (this.#session?.upstream !== true) this.#upstream.lost();
    await this.#outbox.drain();
    return account;
  }

  async #attach(account: BouncerAccount): Promise<void> {
    const catchUp = new CatchUp(this.#accountId, this.#context);
    const session = await this.#context.bouncer.attach(account, this.#channels, this.#events(catchUp));
    this.#session = session;
    this.#catchUp = catchUp;
    this.#intake.flow = session;
    try {
      await catchUp.start(session, this.#channels);
    } catch (error) {
      // A session that does not catch up would never be known to be complete.
      session.close();
      throw error;
    }
  }

  /** Channels that were just enabled are followed from now on. */
  async #followChannels(): Promise<void> {
    await this.#context.store.capture.begin(this.#accountId, this.#channels, this.#context.clock.now());
    this.#session?.setChannels(this.#channels);
    await this.#catchUp?.add(this.#channels);
  }

  #endSession(): void {
    clearTimeout(this.#retry);
    this.#upstream.stop();
    this.#rejoin.reset();
    this.#catchUp?.stop();
    this.#session?.close();
    this.#session = undefined;
  }

  /** True when the network is connected, or it is of no use to try. */
  async #reconnectUpstream(): Promise<boolean> {
    const session = this.#session;
    if (!this.#isWanted || session === undefined || session.upstream === true) return true;
    if (session.upstreamRefusal !== undefined) {
      this.#context.log.warn(
        { account: this.#accountId },
        'the IRC server refuses this account: go_online tries again',
      );
      return true;
    }
    const { store, bouncer } = this.#context;
    const account = await store.accounts.find(this.#accountId);
    if (account === undefined) return true;
    this.#nickAttempt = session.isNickTaken ? this.#nickAttempt + 1 : 0;
    const user = await store.accounts.bouncerUser(this.#accountId);
    await bouncer.setOnline(user, true, alternateNick(account.nick, this.#nickAttempt));
    return false;
  }

  #joinAgain(channel: string): boolean {
    const session = this.#session;
    if (session === undefined || !this.#channels.includes(channel)) return false;
    if (resolveChannel(channel, session.joinedChannels) !== undefined) return false;
    session.join(channel);
    return true;
  }

  async #reconnect(): Promise<void> {
    try {
      await this.run(async () => {
        if (this.#isWanted) await this.#connect();
      });
      this.#context.log.info({ account: this.#accountId }, 'session with the bouncer stands');
    } catch (error) {
      const reason = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
      this.#context.log.warn({ account: this.#accountId, reason }, 'no session with the bouncer');
      this.#reconnectLater();
    }
  }

  #reconnectLater(): void {
    if (!this.#isWanted) return;
    clearTimeout(this.#retry);
    const waitMs = backoffMs(this.#attempt, chance());
    this.#attempt += 1;
    this.#retry = setTimeout(() => void this.#reconnect(), waitMs);
  }

  #events(catchUp: CatchUp): BouncerEvents {
    const inTurn = (run: () => Promise<void>): void => this.#intake.add({ kind: 'task', run });
    return {
      onLine: (observed) => this.#intake.add({ kind: 'line', observed, synced: catchUp.synced }),
      onReplayed: (page) => inTurn(() => catchUp.take(page)),
      onReplayRefused: (channel) => {
        inTurn(() => catchUp.refused(channel));
        setTimeout(() => inTurn(() => catchUp.add([channel])), REPLAY_RETRY_MS).unref();
      },
      onSendRefused: (channel, reason) => inTurn(() => this.#outbox.refused(channel, reason)),
      onUpstreamLost: () => {
        if (!this.#isWanted) return;
        inTurn(() => this.#disconnected());
        this.#upstream.lost();
      },
      onKicked: (channel) => this.#rejoin.kicked(channel),
      onUpstreamConnected: () => {
        this.#upstream.connected();
        inTurn(() => this.#outbox.drain());
      },
      onClose: () => {
        catchUp.stop();
        // One that ended after it was replaced takes nothing along.
        if (this.#catchUp !== catchUp) return;
        this.#session = undefined;
        this.#intake.flow = undefined;
        this.#upstream.stop();
        this.#reconnectLater();
      },
    };
  }

  async #store(lines: readonly ObservedLine[], synced: ReadonlySet<string>): Promise<void> {
    const { store, settings } = this.#context;
    await store.capture.ingest(this.#accountId, settings.network.name, { lines, isReplay: false, synced });
  }

  async #disconnected(): Promise<void> {
    await this.#context.store.accounts.setDisconnected(this.#accountId, this.#context.clock.now());
  }

  async #channelsJoined(): Promise<void> {
    const deadline = performance.now() + JOIN_WAIT_MS;
    const isJoined = (): boolean => {
      const joined = this.#session?.joinedChannels ?? [];
      return this.#session?.upstream === true && this.#channels.every((channel) => resolveChannel(channel, joined));
    };
    while (!isJoined() && performance.now() < deadline) {
      await delay(JOIN_POLL_MS);
    }
  }
}

const chance = (): number => randomInt(CHANCE_STEPS) / CHANCE_STEPS;
