import pino, { type Logger } from 'pino';
import type { Account } from '../../../src/connector/domain/account.ts';
import type { NetworkLogin } from '../../../src/connector/domain/login-at-network.ts';
import type { Bouncer } from '../../../src/connector/ports/bouncer.ts';
import type { PresenceStatus } from '../../../src/connector/ports/presence.ts';
import type { Store } from '../../../src/connector/ports/store.ts';
import type { AccountPresence } from '../../../src/connector/presence/account-presence.ts';
import { Presences } from '../../../src/connector/presence/presences.ts';
import type { Clock } from '../../../src/kernel/clock.ts';
import { type Door, type Doorkeeper, withDoors, withDoorsInParts } from '../doors.ts';
import type { OpenStore, TakenOver } from '../open-store.ts';
import { ReplayingBouncer } from '../replaying-bouncer.ts';
import { storeSend } from '../stored-sends.ts';
import type { VirtualTime } from '../virtual-time.ts';
import { permittedBouncer } from './permitted-bouncer.ts';
import {
  type Asked,
  type Asks,
  askedHere,
  askedOf,
  beginningWithOne,
  isOfHolder,
  SharedNotices,
  SLOT,
  storeOfOne,
} from './sharing.ts';

export const BOTH = ['#room', '#Ops'];

const NETWORKS = { network: { name: 'main' }, otherNetworks: [{ name: 'other' }] };

/** The network that the account is on. */
const HERE = { name: 'main', address: '' };

const SILENT = pino({ level: 'silent' });

const BEGINNING = Date.UTC(2026, 0, 1);

/** A process that has lost the database notices it with its next heartbeat, and ends. */
const NOTICE_MS = 2_000;

/** Intervals of looks for what other processes ask, and of attempts to leave an account to another process. */
const LOOK_MS = 500;
const AGAIN_MS = 500;
const TRIES_MAX = 60;

/** Virtual milliseconds of a rest: longer than any work that goes on by itself takes without a fault. */
const QUIET_MS = 2_000;

export interface StoredEntry {
  kind: string;
  sender: string;
  text: string;
}

export interface StoredMessage {
  message_id: string;
  status: string;
  text: string;
  channel: string;
}

/** One run of the program as far as one account is concerned. */
interface Program {
  presences: Presences;
  readonly presence: AccountPresence;
  /** The store as this program sees it. */
  store: Store;
  /** Whether it was killed; a killed program does no more work. */
  isKilled: boolean;
  /** Whether it may write to the bouncer; what it writes to the database is refused there. */
  isTrusted: boolean;
  /** Whether it has left the account to another process. */
  hasLeft: boolean;
}

/**
 * One account with its bouncer, through several runs of the program. `Interleavings` makes one for each play: the
 * scenario acts through it, and the event disturbs one of its parts (program, database, bouncer) at a door.
 */
export class World implements AsyncDisposable {
  readonly bouncer: ReplayingBouncer;
  readonly accountId: string;
  readonly time: VirtualTime;
  /** Resolves when the program was killed. */
  readonly killed = Promise.withResolvers<void>();
  program: Program;
  isDatabaseAway = false;
  closing: Promise<void> | undefined;
  /** Sends that were accepted, and what their status was then. */
  readonly answered: { messageId: string; status: string }[] = [];
  /** Number of lines that had been said when a change of channels was answered. */
  saidAtChange: number | undefined;
  /** Whether the scenario's result is no longer awaited. */
  isOver = false;
  /** Resolves when the account has passed to another process. */
  passing: Promise<void> | undefined;
  /** What processes did for the account that had left it. */
  readonly trespasses: string[] = [];
  /** Number of times that the end of a session was stored. */
  endedCount = 0;
  readonly #open: OpenStore;
  readonly #notices: SharedNotices;
  /** Undefined if one process after the other has all accounts. */
  readonly #asks: Asks | undefined;
  /** The process that is asked, if it need not be the one that has the account. */
  #asker: Program | undefined;
  #isDisposed = false;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #programs: Program[] = [];
  /** Requests beside the scenario; they may fail. */
  readonly #alongside: Promise<unknown>[] = [];
  #takenOver: TakenOver | undefined;
  #knock: ((door: Door) => Promise<void>) | undefined;
  #aheadMs = 0;

  private constructor(
    open: OpenStore,
    time: VirtualTime,
    accountId: string,
    { log, asks }: { log: Logger; asks: Asks | undefined },
  ) {
    this.#open = open;
    this.#log = log;
    this.#asks = asks;
    this.#notices = new SharedNotices(() => time.now());
    this.time = time;
    this.accountId = accountId;
    const monotonic = (): number => time.now() + this.#aheadMs;
    this.#clock = { now: () => BEGINNING + monotonic(), monotonic };
    this.bouncer = new ReplayingBouncer(() => this.#clock.now());
    for (const name of ['ada-there', 'ada-too']) this.bouncer.logins.accounts.set(name, 'right');
    this.program = this.#start();
  }

  /** @param asks given if several processes share the accounts */
  static async begin(open: OpenStore, time: VirtualTime, login: string, log = SILENT, asks?: Asks): Promise<World> {
    const world = new World(open, time, await time.during(open.account(login, BOTH)), { log, asks });
    if (asks !== undefined) await world.program.presences.gain([SLOT], { isShared: false });
    if (asks === 'elsewhere') world.#asker = world.#start();
    return world;
  }

  get presence(): AccountPresence {
    return this.program.presence;
  }

  /** What is asked for the account, wherever its session is. */
  get asked(): Asked {
    const { presences, presence } = this.#asker ?? this.program;
    return this.#asks === undefined ? askedHere(presence) : askedOf(presences, this.accountId);
  }

  /** A later run can't know whether a line that is stored as written was said; after an orderly passing it can. */
  get isFirstRun(): boolean {
    return this.#asks !== undefined || this.#programs.length === 1;
  }

  /** Sets the function that is called at each door from now on. */
  watch(knock: (door: Door) => Promise<void>): void {
    this.#knock = knock;
  }

  /** Ends the event: doors pass again, and the database is back. */
  calmDown(): void {
    this.#knock = undefined;
    this.isDatabaseAway = false;
  }

  /** Resolves when all work under way has ended. */
  quiet(): Promise<void> {
    return this.time.sleep(QUIET_MS);
  }

  /** Moves the clock forward without running any timer. */
  skip(ms: number): void {
    this.#aheadMs += ms;
  }

  /** Adds a request beside the scenario; it may fail. */
  alongside(asked: Promise<unknown>): void {
    this.#alongside.push(asked.catch(() => undefined));
  }

  async allAnswered(): Promise<void> {
    await Promise.all(this.#alongside);
    await this.closing;
  }

  /** The next run of the program, which goes on with what it finds. */
  async restart(): Promise<void> {
    // The last program's work in the database comes to its end.
    await this.time.sleep(1);
    this.program = this.#start();
    if (this.#asks !== undefined) await this.program.presences.gain([SLOT], { isShared: true });
    else if ((await this.account()).isOnline) this.presence.resume(0);
  }

  /** The account passes to this process or to a new one, as soon as its work allows that. */
  async passOn(to = this.#start()): Promise<void> {
    const from = this.program;
    this.#asker ??= from;
    for (let tries = 0; !(await from.presences.release([SLOT])); tries += 1) {
      if (tries === TRIES_MAX) throw new Error('the account does not leave its process');
      await this.time.sleep(AGAIN_MS);
    }
    from.hasLeft = true;
    to.hasLeft = false;
    await to.presences.gain([SLOT], { isShared: true });
    this.program = to;
  }

  /** The account passes to another process and comes back. */
  async passOnAndBack(): Promise<void> {
    const from = this.program;
    await this.passOn();
    await this.passOn(from);
  }

  /** The process is no longer trusted, and another one takes the database and goes on; this one learns of it later. */
  async loseHold(): Promise<void> {
    const loser = this.program;
    loser.isTrusted = false;
    this.#takenOver = await this.time.during(this.#open.takenOver());
    this.program = this.#start();
    await this.program.presences.gain('all', { isShared: false });
    this.alongside(this.time.sleep(NOTICE_MS).then(() => loser.presences.close()));
  }

  kill(): void {
    this.program.isKilled = true;
    this.bouncer.forgetSessions();
    this.killed.resolve();
  }

  async account(): Promise<Account> {
    const account = await this.time.during(this.program.store.accounts.find(this.accountId));
    if (account === undefined) throw new Error('no account');
    return account;
  }

  async select(channels: readonly string[]): Promise<void> {
    await this.time.during(this.program.store.accounts.selectChannels(this.accountId, channels));
    await this.asked.channelsChanged();
  }

  /** The person chooses a longer nick. */
  async rename(): Promise<void> {
    const { nick } = await this.account();
    await this.time.during(this.program.store.accounts.rename(this.accountId, `${nick}_`));
    await this.asked.nickChanged();
  }

  /** The person enters this password for their account at the network, as their settings do. */
  async logIn(name: string, password: string): Promise<void> {
    await this.enterLogin(name, password);
    await this.asked.logIn();
  }

  /** Stores the password, without an attempt yet. */
  async enterLogin(name: string, password: string): Promise<void> {
    const { networkLogins } = this.program.store;
    await this.time.during(networkLogins.enter(this.accountId, HERE, { kind: 'password', name, password }));
  }

  /** The person removes the login again. */
  async forgetLogin(): Promise<void> {
    const { loginId } = (await this.login()) ?? {};
    if (loginId === undefined) throw new Error('no login');
    await this.time.during(this.program.store.networkLogins.clear(loginId));
    await this.asked.loginCleared();
  }

  /** Returns the stored login. */
  login(): Promise<NetworkLogin | undefined> {
    return this.time.during(this.program.store.networkLogins.find(this.accountId, HERE));
  }

  async send(channel: string, text: string, key: string | undefined): Promise<void> {
    const order = { clientId: 'client', sessionId: undefined, idempotencyKey: key, channel, text };
    const { messageId, status } = await this.asked.send(order);
    this.answered.push({ messageId, status });
  }

  /** Stores a send that the server refused. */
  async failed(channel: string, text: string, key: string): Promise<void> {
    const { messages } = this.program.store;
    const message = {
      ...{ accountId: this.accountId, clientId: 'client', sessionId: undefined, idempotencyKey: key },
      ...{ network: 'main', channel, nick: 'ada', text, parts: [{ text, tag: `${this.accountId} ${text}` }] },
    };
    const { messageId } = await this.time.during(storeSend(this.#open, message));
    await this.time.during(messages.setPartStatus({ messageId, number: 1 }, 'failed', 'refused'));
  }

  /** Returns the status of the open session as other processes read it. */
  writtenStatus(): Promise<PresenceStatus | undefined> {
    return this.time.during(this.program.store.presences.find(this.accountId));
  }

  async isStored(text: string): Promise<boolean> {
    return (await this.entries()).some((entry) => entry.text === text);
  }

  entries(): Promise<StoredEntry[]> {
    const entries = this.#open.database('entries').where('account_id', this.accountId);
    return this.time.during(entries.orderBy('row').select('kind', 'sender', 'text'));
  }

  messages(): Promise<StoredMessage[]> {
    const messages = this.#open.database('messages').where('messages.account_id', this.accountId);
    return this.time.during(
      messages
        .join('entries', 'entries.entry_id', 'messages.entry_id')
        .select('messages.message_id', 'messages.status', 'messages.channel', 'entries.text'),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true;
    await this.program.presences.close();
    if (this.#asks !== undefined) await Promise.all(this.#programs.map(({ presences }) => presences.close()));
    for (const { presences, isKilled } of this.#programs) if (isKilled) void presences.close();
    if (this.#takenOver !== undefined) await this.time.during(this.#takenOver[Symbol.asyncDispose]());
  }

  #start(): Program {
    const { accountId, time } = this;
    const invalidations = this.#asks === undefined ? undefined : this.#notices.join();
    const whole = (this.#takenOver ?? this.#open).anew(this.#clock, undefined, invalidations);
    const noteEnd = (): void => {
      this.endedCount += 1;
    };
    const store = this.#asks === undefined ? beginningWithOne(whole, accountId) : storeOfOne(whole, accountId, noteEnd);
    const during = <T>(work: Promise<T>): Promise<T> => time.during(work);
    const knock = async (door: Door): Promise<void> => {
      if (program.hasLeft && isOfHolder(door)) this.trespasses.push(door.call);
      await this.#knock?.(door);
      if (program.isKilled) await new Promise<never>(() => undefined);
    };
    const knockStore = async (door: Door): Promise<void> => {
      await knock(door);
      if (this.isDatabaseAway) throw new Error('the database is away');
    };
    const sharing = invalidations && { invalidations, freshness: invalidations.freshness, owned: store.accounts };
    const presences = new Presences({
      store: withDoorsInParts(store, { knock: knockStore, during }),
      bouncer: withLoginDoors(
        permittedBouncer(this.bouncer, () => program.isTrusted),
        { knock, during },
      ),
      ...{ clock: this.#clock, log: this.#log, settings: NETWORKS },
      ...sharing,
    });
    const program: Program = {
      presences,
      get presence() {
        return presences.of(accountId);
      },
      ...{ store, isKilled: false, isTrusted: true, hasLeft: false },
    };
    this.#programs.push(program);
    invalidations?.on('sends', () => presences.writeStored(accountId));
    if (invalidations !== undefined) void this.#serveOthers(program);
    return program;
  }

  /** Does what processes ask for each other, as the program does at an interval. */
  async #serveOthers({ presences, store }: Program): Promise<void> {
    const pass = async (): Promise<void> => {
      await this.time
        .during(store.orders.waiting())
        .then((ids) => (ids.length > 0 ? presences.takeOrders() : undefined));
      for (const id of await this.time.during(store.messages.accountsWaiting())) presences.lookForStored(id);
    };
    for (;;) {
      await this.time.sleep(LOOK_MS);
      if (this.#isDisposed) return;
      await pass().catch(() => undefined);
    }
  }
}

/** The bouncer with doors at its own methods and at those of its logins. */
function withLoginDoors(bouncer: Bouncer, keeper: Doorkeeper): Bouncer {
  const logins = withDoors(bouncer.logins, 'logins', keeper);
  return new Proxy(withDoors(bouncer, 'bouncer', keeper), {
    get: (of, key) => (key === 'logins' ? logins : Reflect.get(of, key)),
  });
}
