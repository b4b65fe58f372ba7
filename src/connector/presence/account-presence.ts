import { messageOf } from '../../kernel/errors.ts';
import type { Casemapping } from '../domain/casemapping.ts';
import type { OutgoingMessage } from '../domain/outgoing-message.ts';
import { bouncerUnreachable } from '../errors.ts';
import type { BouncerSession, UpstreamState } from '../ports/bouncer-session.ts';
import type { PresenceStatus, SendOrder } from '../ports/presence.ts';
import type { Semaphore } from '../semaphore.ts';
import { Connection } from './connection.ts';
import { accountOf, networkNameOf, type PresenceContext } from './context.ts';
import { SessionEnded } from './generation.ts';
import { Joining } from './joining.ts';
import { Mailbox } from './mailbox.ts';
import { Naming } from './naming.ts';
import { Outbox } from './outbox.ts';
import { Sending } from './sending.ts';
import { StatusRecord } from './status-record.ts';

/** Why a line is not said. */
const MOVED = 'the account moved to another network';

/** Lines that a bouncer may not have read yet are no older; also where the clocks of two machines differ by as much as is allowed. */
const RECENT_MS = 120_000;

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
  readonly #joining: Joining;
  readonly #naming: Naming;
  readonly #connection: Connection;
  readonly #sending: Sending;
  #isClosed = false;
  #notedCasemapping: Casemapping | undefined;

  /** @param attaches limits how many accounts attach in the background at once */
  constructor(accountId: string, context: PresenceContext, attaches: Semaphore) {
    this.#accountId = accountId;
    this.#context = context;
    const session = () => this.live;
    const mailbox = new Mailbox({ accountId, log: context.log });
    const tell = (work: () => Promise<void>) => mailbox.tell(work);
    const outbox = new Outbox({ accountId, context, session, tell });
    const joining = new Joining(session);
    const naming = new Naming(session);
    const { presences } = context.store;
    const record = new StatusRecord({ accountId, presences, status: () => this.status, tell });
    const changed = () => {
      record.changed();
      this.#noteCasemapping();
    };
    this.#connection = new Connection({
      ...{ accountId, context, mailbox, outbox, joining, naming, attaches, changed },
    });
    const network = () => this.#connection.network;
    this.#sending = new Sending({ accountId, context, mailbox, outbox, network, session });
    this.#mailbox = mailbox;
    this.#outbox = outbox;
    this.#joining = joining;
    this.#naming = naming;
  }

  /** The live session; undefined while there is none. */
  get live(): BouncerSession | undefined {
    return this.#connection.session;
  }

  /** Needed while the account is offline, too. */
  #noteCasemapping(): void {
    const casemapping = this.live?.casemapping;
    if (casemapping === this.#notedCasemapping) return;
    this.#notedCasemapping = casemapping;
    if (casemapping === undefined) return;
    this.#mailbox.tell(async () => {
      // It may be another network's by now.
      if (this.live?.casemapping !== casemapping) return;
      const { accounts } = this.#context.store;
      if ((await accounts.find(this.#accountId))?.casemapping !== casemapping) {
        await accounts.setCasemapping(this.#accountId, casemapping);
      }
    });
  }

  /** Undefined without a session. */
  get status(): PresenceStatus | undefined {
    return this.#connection.status;
  }

  get depth(): Mailbox['depth'] {
    return this.#mailbox.depth;
  }

  /** Connects the account. A failure of the first time is not retried, because the caller gets the error. */
  async goOnline(): Promise<UpstreamState> {
    await this.#mailbox.ask(async () => {
      await this.#putOnline();
      this.#joining.askForAll();
    });
    await this.#joining.settled(() => this.#connection.isWanted);
    return this.live?.upstream ?? null;
  }

  /** Disconnects the account for everybody: history stays, nothing is captured, and waiting messages are not sent. */
  async goOffline(): Promise<void> {
    await this.#mailbox.ask(async () => {
      const { store, bouncer, clock } = this.#context;
      const account = await store.accounts.find(this.#accountId);
      // After a failure the database may note the end when nobody waits for that any more: then the session still stands.
      if (account?.isOnline !== true && !this.#connection.isWanted) return;
      const user = await store.accounts.bouncerUser(this.#accountId);
      try {
        await bouncer.setOnline(user, false);
        await this.#outbox.giveUp('the account went offline');
        await store.accounts.setDisconnected(this.#accountId, clock.now());
        await store.accounts.setOnline(this.#accountId, null);
      } catch (error) {
        // Still online as far as is known, so it is connected again; the database alone knows whether it noted the end.
        this.#connection.networkMayBeLost();
        this.#mailbox.tell(() => this.#leaveIfStoredOffline());
        throw error;
      }
      this.#connection.leave();
    });
  }

  /**
   * Connects in the background and keeps trying: after a restart, or when the bouncer was away.
   * @param isAfterDeath another process may still have a session, and wake
   */
  resume(waitMs: number, isAfterDeath = false): void {
    this.#mailbox.tell(async () => {
      if (isAfterDeath) await this.#expelEarlier();
      // What was pending when the program ended fails in time, also while the bouncer is away.
      await this.#outbox.drain();
      // It may have gone offline since it was found to be online.
      const { isOnline } = await accountOf(this.#context, this.#accountId);
      if (isOnline && !this.#isClosed) this.#connection.wantSoon(waitMs);
    });
  }

  /** Follows the channels that are now enabled; false when the bouncer can't be told now, and will be told later. */
  async channelsChanged(): Promise<boolean> {
    try {
      await this.#mailbox.ask(() => this.#connection.followChannels());
      return true;
    } catch {
      // Also where too many calls wait already: what is enabled is stored, so it is followed all the same.
      this.#connection.followChannelsLater();
      return false;
    }
  }

  /** Asks the network for the nick that is stored now; resolves when it has answered, or after a while. */
  async nickChanged(): Promise<void> {
    try {
      await this.#mailbox.ask(() => this.#connection.followNick());
    } catch {
      // What is stored is followed all the same.
      this.#connection.followNickLater();
    }
    await this.#naming.settled(() => this.#connection.isWanted);
  }

  /** Moves the account to another network; false when the bouncer can't be told now, and will be told later. */
  chooseNetwork(name: string): Promise<boolean> {
    return this.#mailbox.ask(async () => {
      const { store } = this.#context;
      const account = await accountOf(this.#context, this.#accountId);
      const isMove = networkNameOf(this.#context, account) !== name;
      // Said on the other network they would reach people whom nobody meant.
      if (isMove) await this.#outbox.giveUp(MOVED);
      try {
        await store.accounts.chooseNetwork(this.#accountId, name);
      } catch (error) {
        // The database alone knows whether it noted the choice.
        this.#followNetworkLater();
        throw error;
      }
      try {
        return await this.#connection.followNetwork();
      } catch {
        this.#followNetworkLater();
        return false;
      }
    });
  }

  /** @throws ConnectorError bouncer_unreachable, idempotency_conflict, backlog_full, account_busy */
  send(order: SendOrder): Promise<OutgoingMessage> {
    return this.#sending.send(order);
  }

  /** Ends the session; the bouncer keeps the network connected. False while work that is under way still holds that up. */
  async close(): Promise<boolean> {
    this.#isClosed = true;
    this.#connection.leave();
    this.#outbox.close();
    // The end of the whole program must not wait for work that a hanging bouncer holds up.
    return this.#mailbox.close(CLOSE_DEADLINE_MS);
  }

  /**
   * What the process before has written lately may wait in the bouncer, behind a connection that is not read. Its sessions end,
   * and what they had sent is ignored. Costs the hash of a password, so not for accounts that have said nothing lately.
   */
  async #expelEarlier(): Promise<void> {
    const { store, bouncer, clock } = this.#context;
    const since = clock.now() - RECENT_MS;
    if ((await store.messages.countWrittenParts(this.#accountId, since, 1)) === 0) return;
    // Stored first: a bouncer that does not know it yet is told of it when the account attaches.
    await store.accounts.renewBouncerPassword(this.#accountId);
    await bouncer.expelOthers(await store.accounts.bouncerUser(this.#accountId));
  }

  #followNetworkLater(): void {
    this.#mailbox.tell(async () => void (await this.#connection.followNetwork()));
  }

  async #putOnline(): Promise<void> {
    // Stored as online but not wanted: the program has started just now, and has not got to this account yet.
    const wasOnline = this.#connection.isWanted || (await accountOf(this.#context, this.#accountId)).isOnline;
    if (this.#isClosed) throw bouncerUnreachable(new Error('the program ends'));
    // From here on, so that a session that ends while the rest is done is replaced.
    this.#connection.want();
    try {
      await this.#connectOrReplace();
    } catch (error) {
      if (this.#isClosed) throw error;
      if (!wasOnline) await this.#takeBack();
      else if (this.live === undefined) this.#connection.connectLater();
      throw error;
    }
  }

  async #connectOrReplace(): Promise<void> {
    try {
      await this.#connection.connect();
    } catch (error) {
      if (!(error instanceof SessionEnded)) throw error;
      // What is stored by now decides how the next run of the program goes on.
      if (this.#isClosed) throw bouncerUnreachable(error);
      await this.#connection.storeOnline(await accountOf(this.#context, this.#accountId));
    }
  }

  /** The first attempt failed: the caller knows, and everything is as it was before. */
  async #takeBack(): Promise<void> {
    const { store, bouncer, log } = this.#context;
    this.#connection.leave();
    // Each is left out when the account was put online again meanwhile.
    const unstore = async (): Promise<void> => {
      if (!this.#connection.isWanted) await store.accounts.setOnline(this.#accountId, null);
    };
    await unstore().catch(() => this.#mailbox.tell(unstore));
    this.#mailbox.tell(async () => {
      if (this.#connection.isWanted) return;
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
    if (!(await accountOf(this.#context, this.#accountId)).isOnline) this.#connection.leave();
  }
}
