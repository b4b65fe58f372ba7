import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../kernel/errors.ts';
import { SerialQueue } from '../../kernel/serial-queue.ts';
import { type Account, enabledChannels } from '../domain/account.ts';
import { backoffMs } from '../domain/backoff.ts';
import { resolveChannel } from '../domain/channel.ts';
import type { CapturedLine } from '../domain/entry.ts';
import { bouncerUnreachable } from '../errors.ts';
import type { BouncerEvents, BouncerSession, OwnLine, UpstreamState } from '../ports.ts';
import type { ServiceContext } from './context.ts';
import { Outbox } from './outbox.ts';

/** Lines and calls that may wait for one account; beyond it the session is dropped, so that memory stays bounded. */
const QUEUE_MAX = 10_000;
/** How long going online waits for the upstream and its channels before it answers without them. */
const JOIN_WAIT_MS = 6_000;
const JOIN_POLL_MS = 50;

/** Work under way when the program ends may take this long. */
const CLOSE_DEADLINE_MS = 3_000;

const CHANCE_STEPS = 1_000;

/** Owns one account's bouncer session: all that changes it or its messages runs through one queue. */
export class AccountSession {
  readonly #accountId: string;
  readonly #context: ServiceContext;
  readonly #queue = new SerialQueue(QUEUE_MAX);
  readonly #outbox: Outbox;
  #session: BouncerSession | undefined;
  #channels: readonly string[] = [];
  #isWanted = false;
  #attempt = 0;
  #retry: NodeJS.Timeout | undefined;

  constructor(accountId: string, context: ServiceContext) {
    this.#accountId = accountId;
    this.#context = context;
    this.#outbox = new Outbox(accountId, context, () => this.run(() => this.#drain()));
  }

  /** The live session; undefined while there is none. */
  get live(): BouncerSession | undefined {
    return this.#session;
  }

  /** Runs a task when everything before it is done. */
  run<T>(task: () => Promise<T>): Promise<T> {
    return this.#queue.run(task);
  }

  /** Connects the account; where that fails it is not kept trying, because the caller hears of it. */
  async goOnline(): Promise<UpstreamState> {
    await this.run(async () => {
      const account = await this.#connectOrNot();
      this.#isWanted = true;
      if (!account.isOnline) {
        await this.#context.store.accounts.setOnline(this.#accountId, this.#context.clock.now());
      }
    });
    await this.#channelsJoined();
    return this.#session?.upstream ?? null;
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
    return this.run(() => this.#drain());
  }

  /** Ends the session; the bouncer keeps the network connected. */
  async close(): Promise<void> {
    this.#isWanted = false;
    clearTimeout(this.#retry);
    this.#outbox.close();
    this.#session?.close();
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
    this.#session ??= await bouncer.attach({ user, nick: account.nick }, this.#events());
    this.#attempt = 0;
    await bouncer.setOnline(user, true);
    await this.#drain();
    return account;
  }

  #drain(): Promise<void> {
    return this.#outbox.drain(this.#session);
  }

  async #reconnect(): Promise<void> {
    try {
      await this.run(async () => {
        if (this.#isWanted) await this.#connect();
      });
      this.#context.log.info({ account: this.#accountId }, 'session with the bouncer stands');
    } catch (error) {
      this.#context.log.warn({ account: this.#accountId, reason: messageOf(error) }, 'no session with the bouncer');
      this.#reconnectLater();
    }
  }

  #reconnectLater(): void {
    if (!this.#isWanted) return;
    clearTimeout(this.#retry);
    const waitMs = backoffMs(this.#attempt, randomInt(CHANCE_STEPS) / CHANCE_STEPS);
    this.#attempt += 1;
    this.#retry = setTimeout(() => void this.#reconnect(), waitMs);
  }

  #events(): BouncerEvents {
    return {
      onLine: (line, own) => this.#later(() => this.#ingest(line, own)),
      onSendRefused: (channel, reason) => {
        const known = channel === undefined ? undefined : this.#known(channel);
        if (channel === undefined || known !== undefined) this.#later(() => this.#outbox.refused(known, reason));
      },
      onUpstreamLost: () => {
        if (this.#isWanted) this.#later(() => this.#disconnected());
      },
      onClose: () => {
        this.#session = undefined;
        this.#reconnectLater();
      },
    };
  }

  /** Queues what the session told; a queue that is full or a database that fails ends the session, which is then made anew. */
  #later(task: () => Promise<void>): void {
    const run = async () => this.run(task);
    run().catch((error: unknown) => {
      this.#context.log.error({ account: this.#accountId, err: error }, 'an IRC line could not be kept');
      this.#session?.close();
    });
  }

  #known(channel: string): string | undefined {
    return resolveChannel(channel, this.#channels);
  }

  async #ingest(line: CapturedLine, own: OwnLine | undefined): Promise<void> {
    const channel = this.#known(line.channel);
    if (channel === undefined) return;
    const known = { ...line, channel };
    if (own !== undefined && (await this.#outbox.echoed(known, own))) return;
    await this.#context.store.entries.insert(this.#accountId, this.#context.settings.network.name, known);
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
