import { messageOf } from '../../kernel/errors.ts';
import { type OutgoingMessage, WENT_OFFLINE } from '../domain/outgoing-message.ts';
import { bouncerUnreachable } from '../errors.ts';
import type { BouncerSession, UpstreamState } from '../ports/bouncer-session.ts';
import type { PresenceStatus, SendOrder } from '../ports/presence.ts';
import { AccountLogin } from './account-login.ts';
import type { Attaches } from './attaches.ts';
import { CasemappingRecord } from './casemapping-record.ts';
import { Connection, FLUSH_DEADLINE_MS } from './connection.ts';
import { Departure } from './departure.ts';
import { Expulsion } from './expulsion.ts';
import { SessionEnded } from './generation.ts';
import { Joining } from './joining.ts';
import { Mailbox } from './mailbox.ts';
import { Naming } from './naming.ts';
import { atOnce, type Begins } from './open-orders.ts';
import { Outbox } from './outbox.ts';
import { ownWriter } from './own-writer.ts';
import { accountOf, type PresenceContext } from './presence-context.ts';
import { Sending } from './sending.ts';
import { StatusRecord } from './status-record.ts';
import { StoredChoices } from './stored-choices.ts';

/** Longest wait for work under way when the program ends. */
const CLOSE_DEADLINE_MS = 3_000;

/**
 * One account's presence on IRC. All changes of it or its messages pass its mailbox.
 *
 * | state | becomes | by |
 * |---|---|---|
 * | offline: not wanted, no link | connecting | `goOnline` |
 * | connecting: a link without a session | online | it is attached, and stored as online |
 * | | offline | a failure of the first `goOnline`, whose changes are reverted |
 * | | waiting | a failure of any other attempt |
 * | online: a link with a session | waiting | the session ends by itself |
 * | waiting: wanted, no link | connecting | the planned attempt, or `goOnline` |
 * | any | offline | `goOffline`, once the bouncer and the database know |
 *
 * An account is stored as online exactly while it is wanted online; then it has a session, or an attempt is planned.
 */
export class AccountPresence {
  /** Its end here, while another process goes on. */
  readonly departure: Departure;
  /** What its person has chosen. */
  readonly choices: StoredChoices;
  readonly #accountId: string;
  readonly #context: PresenceContext;
  readonly #mailbox: Mailbox;
  readonly #outbox: Outbox;
  readonly #joining: Joining;
  readonly #connection: Connection;
  readonly #sending: Sending;
  readonly #record: StatusRecord;
  readonly #expulsion: Expulsion;
  #isClosed = false;
  #isResuming = false;
  #writesStored = false;

  /** @param attaches limits how many accounts attach in the background at once */
  constructor(accountId: string, context: PresenceContext, attaches: Attaches) {
    this.#accountId = accountId;
    this.#context = context;
    const session = () => this.live;
    const mailbox = new Mailbox({ accountId, log: context.log });
    const enqueue = (work: () => Promise<void>) => mailbox.enqueue(work);
    const network = () => this.#connection.network;
    const outbox = new Outbox({
      ...{ accountId, context, session, network, enqueue },
      isHeard: (channel) => this.#connection.channels.isHeard(channel),
    });
    const keyOf = (channel: string): string | undefined =>
      context.channelKey?.(this.#connection.network ?? '', channel, this.live?.casemapping);
    const joining = new Joining(session, keyOf);
    const naming = new Naming(session);
    const record = new StatusRecord({
      ...{ accountId, presences: context.store.presences, enqueue, status: () => this.status },
      sending: () => this.#connection.sendingState,
      isUndecided: () => this.#isResuming || this.#connection.isToBeTried,
    });
    this.#record = record;
    const login = new AccountLogin({ accountId, context, mailbox, changed: () => record.changed() });
    const casemapping = () => this.live?.casemapping;
    const casemappings = new CasemappingRecord({ accountId, accounts: context.store.accounts, casemapping, enqueue });
    const changed = () => {
      record.changed();
      login.heard();
      joining.offerKeys();
      casemappings.changed();
    };
    const expulsion = new Expulsion({ accountId, context, mailbox, attaches });
    const connection = new Connection({
      ...{ accountId, context, mailbox, outbox, joining, naming, login, attaches, changed, expulsion },
    });
    this.#connection = connection;
    login.of(connection);
    const departure = new Departure({ mailbox, outbox, login, connection, expulsion });
    this.departure = departure;
    this.choices = new StoredChoices({
      ...{ accountId, context, mailbox, outbox, naming, login, connection, record, departure },
    });
    const hasLeft = () => departure.isDone;
    const writer = ownWriter({ accountId, context, mailbox, outbox, record, session, hasLeft });
    this.#sending = new Sending({ accountId, messages: context.store.messages, writer });
    this.#mailbox = mailbox;
    this.#outbox = outbox;
    this.#joining = joining;
    this.#expulsion = expulsion;
  }

  /** Live session; undefined while there is no session. */
  get live(): BouncerSession | undefined {
    return this.#connection.session;
  }

  /** Undefined without a session. */
  get status(): PresenceStatus | undefined {
    return this.#connection.status;
  }

  /** Whether this process has found out, and stored, whether there is a session. */
  get isKnown(): boolean {
    return this.#record.isKnown;
  }

  /** Whether the account is to have a session. */
  get isWanted(): boolean {
    return this.#connection.isWanted;
  }

  get depth(): Mailbox['depth'] {
    return this.#mailbox.depth;
  }

  /** Connects the account. A failure of the first attempt is not retried, because the caller gets the error. */
  async goOnline(begins: Begins = atOnce): Promise<UpstreamState> {
    await this.#mailbox.call(async () => {
      await begins();
      await this.#putOnline();
      this.#joining.askForAll();
      // A send may follow at once, at any process.
      await this.#record.settled();
    });
    await this.#joining.settled(() => this.departure.awaitsNetwork);
    return this.live?.upstream ?? null;
  }

  /** Disconnects the account for all clients: history stays, capture stops, and waiting messages are not sent. */
  async goOffline(begins: Begins = atOnce): Promise<void> {
    await this.#mailbox.call(async () => {
      await begins();
      const { store, bouncer, clock } = this.#context;
      const account = await store.accounts.find(this.#accountId);
      // After a failure the database may store the end later than its deadline: then the session still stands.
      if (account?.isOnline !== true && !this.#connection.isWanted) return;
      const user = await store.accounts.bouncerUser(this.#accountId);
      try {
        await bouncer.setOnline(user, false);
        await this.#outbox.giveUp(WENT_OFFLINE);
        await store.accounts.setDisconnected(this.#accountId, clock.now());
        await store.accounts.setOnline(this.#accountId, null);
      } catch (error) {
        // The account counts as online, so it is connected again; only the database knows whether it stored the end.
        this.#connection.networkMayBeLost();
        this.#mailbox.enqueue(() => this.#leaveIfStoredOffline());
        throw error;
      }
      this.#connection.leave();
      this.#record.changed();
    });
  }

  /** Ends sessions that another process may still have, before this one attaches. */
  expelOthers(): void {
    this.#expulsion.owe();
  }

  /** Connects in the background and keeps trying: after a restart, or after a loss of the bouncer. */
  resume(waitMs: number): void {
    this.#isResuming = true;
    this.#mailbox.enqueue(async () => {
      // Messages that were pending when the program ended fail in time, also while the bouncer is away.
      await this.#outbox.drain();
      // The account may have gone offline since it was listed as online.
      const { isOnline } = await accountOf(this.#context, this.#accountId);
      if (isOnline && !this.#isClosed) this.#connection.wantSoon(waitMs);
      this.#isResuming = false;
    });
  }

  /** Offers the present keys to the channels that require one. */
  channelKeysChanged(): void {
    this.#joining.offerKeys();
  }

  /** @throws ConnectorError account_offline, bouncer_unreachable, idempotency_conflict, rate_limited, backlog_full, account_busy */
  send(order: SendOrder): Promise<OutgoingMessage> {
    return this.#sending.send(order);
  }

  /** Writes what another process has accepted, in the account's turn. */
  writeStored(): void {
    if (this.#writesStored) return;
    this.#writesStored = true;
    this.#mailbox.enqueue(async () => {
      // A send that is accepted from now on plans another write.
      this.#writesStored = false;
      await this.#outbox.drain();
    });
  }

  /** Plans a look at what waits to be written, unless one is planned. */
  lookForStored(): void {
    this.#outbox.lookLater();
  }

  /**
   * Ends the session; the bouncer keeps the network connected. Resolves to false if work under way did not end in time.
   */
  async close(): Promise<boolean> {
    this.#isClosed = true;
    this.#outbox.close();
    this.#expulsion.close();
    // The end of the program must not wait for work that hangs on the bouncer.
    const closed = this.#mailbox.close(CLOSE_DEADLINE_MS);
    await this.live?.flush(FLUSH_DEADLINE_MS);
    this.#connection.leave();
    return closed;
  }

  async #putOnline(): Promise<void> {
    // Stored as online but not wanted: the program has just started, and has not resumed this account yet.
    const wasOnline = this.#connection.isWanted || (await accountOf(this.#context, this.#accountId)).isOnline;
    if (this.#isClosed) throw bouncerUnreachable(new Error('the program ends'));
    // Set here, so that a session that ends during the following steps is replaced.
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
      // The stored state decides what the next run of the program does.
      if (this.#isClosed) throw bouncerUnreachable(error);
      await this.#connection.storeOnline(await accountOf(this.#context, this.#accountId));
    }
  }

  /** Reverts a failed first attempt: its caller gets the error. */
  async #takeBack(): Promise<void> {
    const { store, bouncer, log } = this.#context;
    this.#connection.leave();
    // Each step is skipped if the account was put online again meanwhile.
    const unstore = async (): Promise<void> => {
      if (!this.#connection.isWanted) await store.accounts.setOnline(this.#accountId, null);
    };
    // The same step is enqueued, which repeats it until it succeeds.
    await unstore().catch(() => this.#mailbox.enqueue(unstore));
    this.#mailbox.enqueue(async () => {
      if (this.#connection.isWanted) return;
      const user = await store.accounts.bouncerUser(this.#accountId);
      // Tried once: most likely the bouncer has failed, and then the network was not connected either.
      await bouncer.setOnline(user, false).catch((error: unknown) => {
        log.warn(
          { account: this.#accountId, reason: messageOf(error) },
          'the command to stay offline did not reach the bouncer',
        );
      });
    });
  }

  /** Leaves if the database stored the end, which is unknown after a failure. */
  async #leaveIfStoredOffline(): Promise<void> {
    if (!(await accountOf(this.#context, this.#accountId)).isOnline) this.#connection.leave();
  }
}
