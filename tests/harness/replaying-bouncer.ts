import type { CapturedLine } from '../../src/connector/domain/entry.ts';
import type { Bouncer, BouncerAccount, BouncerUser } from '../../src/connector/ports/bouncer.ts';
import type { LoginAnswer, Password, SessionLogin } from '../../src/connector/ports/bouncer-logins.ts';
import type { BouncerEvents, BouncerSession, ObservedLine } from '../../src/connector/ports/bouncer-session.ts';
import { silentSession } from './bouncer-double.ts';
import { PlayedLogins } from './played-logins.ts';

/** Default network of an account, which it has without a choice. */
const USUAL = 'main';

/** Lines of one page; few, so that catching up takes several. */
const PAGE_LINES = 2;

/** A line that the account said. */
interface Said {
  channel: string;
  text: string;
}

/**
 * Stands in for one user's soju and its network: keeps what is said in the joined channels, replays it, and echoes. It
 * owns this history and the open sessions, for all runs of a `World`'s program.
 */
export class ReplayingBouncer implements Bouncer {
  readonly logins = new PlayedLogins();
  readonly said: Said[] = [];
  isEnabled = false;
  /** The nick in use on the network. */
  nick = 'ada';
  /** The one network of the user that may be enabled. */
  network = USUAL;
  channels: readonly string[] = [];
  /** Number of the user's connections to the network so far. */
  connections = 0;
  /** Called when a session stands, before anything else happens to it. */
  onAttached: () => void = () => undefined;
  /** Called when a session is asked to flush. */
  onFlush: () => void = () => undefined;
  readonly #history: (ObservedLine & { network: string })[] = [];
  readonly #sessions = new Set<Attached>();
  readonly #now: () => number;
  #at = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Number of sessions that are still open and in use. */
  get openSessions(): number {
    return [...this.#sessions].filter(({ isSilent }) => !isSilent).length;
  }

  /** Number of sessions that their process has closed for itself alone. */
  get silentSessions(): number {
    return this.#sessions.size - this.openSessions;
  }

  /** Another person says something, which is kept and heard only in a channel that the account is in. */
  hear(channel: string, text: string): void {
    this.#keep(lineOf(channel, text, this.#nextTime(), 'bob'), undefined);
  }

  /** The program is killed: its sessions end without an event. */
  forgetSessions(): void {
    for (const session of this.#sessions) session.isOpen = false;
    this.#sessions.clear();
  }

  /** Breaks the sockets of all sessions. */
  breakSockets(): void {
    for (const session of [...this.#sessions]) session.break();
  }

  /** The network is lost, until the bouncer is asked to connect to it again. */
  loseNetwork(): void {
    this.isEnabled = false;
    this.logins.lost();
    for (const session of this.#sessions) session.tellUpstream(false);
  }

  /** A user that moves is disconnected from the network of before. */
  async provision({ user }: BouncerAccount): Promise<void> {
    await nextTurn();
    if (networkOf(user) === this.network) return;
    await this.setOnline(user, false);
    this.network = networkOf(user);
  }

  async setOnline(user: BouncerUser, isOnline: boolean): Promise<void> {
    await nextTurn();
    if (isOnline && networkOf(user) !== this.network) throw new Error('another network of this user is there');
    if (this.isEnabled === isOnline) return;
    this.isEnabled = isOnline;
    if (isOnline) this.connections += 1;
    if (isOnline) this.logins.connected();
    else this.logins.lost();
    for (const session of this.#sessions) session.tellUpstream(isOnline);
  }

  async reconnect(user: BouncerUser): Promise<void> {
    await this.setOnline(user, false);
    await this.setOnline(user, true);
  }

  async upstreamState(): Promise<boolean> {
    return this.isEnabled;
  }

  /** Acts like a new password: all sessions end, and lines that they had sent are not heard. */
  async expelOthers(): Promise<void> {
    this.breakSockets();
    await nextTurn();
  }

  async removeUser(): Promise<void> {
    await nextTurn();
  }

  async setChannels(_user: unknown, channels: readonly string[]): Promise<void> {
    await nextTurn();
    this.channels = channels;
    for (const session of this.#sessions) session.tellChanged();
  }

  async attach({ user }: BouncerAccount, channels: readonly string[], events: BouncerEvents): Promise<BouncerSession> {
    await nextTurn();
    const session = new Attached(this, networkOf(user), channels, {
      events,
      gone: () => this.#sessions.delete(session),
    });
    this.#sessions.add(session);
    this.onAttached();
    setImmediate(() => {
      if (session.isOpen && !session.isSilent && session.upstream) events.onUpstreamConnected(false);
    });
    return session;
  }

  rename(nick: string): void {
    setImmediate(() => {
      this.nick = nick;
      for (const session of this.#sessions) session.tellChanged();
    });
  }

  say(channel: string, text: string, tag: string): void {
    this.said.push({ channel, text });
    const echo = lineOf(channel, text, this.#nextTime(), this.nick);
    setImmediate(() => this.#keep(echo, { tag, isNick: true, isJoin: false }));
  }

  /** The lines of a channel from a time on, of one network or of all. */
  linesFrom(channel: string, from: number, network?: string): ObservedLine[] {
    return this.#history.filter(
      ({ line, network: of }) =>
        line.channel === channel && (line.serverAt ?? 0) >= from && (network === undefined || of === network),
    );
  }

  /** Returns a time that no other line has. */
  #nextTime(): number {
    this.#at = Math.max(this.#at + 1, this.#now());
    return this.#at;
  }

  #keep(line: CapturedLine, own: ObservedLine['own']): void {
    if (!this.isEnabled || !this.channels.includes(line.channel)) return;
    this.#history.push({ line, own, network: this.network });
    for (const session of this.#sessions) session.hear({ line, own, nick: this.nick });
  }
}

/** A session of the program with the bouncer; the socket may break, and the program may be killed. */
class Attached implements BouncerSession {
  readonly #bouncer: ReplayingBouncer;
  /** Reports nothing once the session is silent. */
  readonly #events: BouncerEvents;
  readonly #told: BouncerEvents;
  readonly #gone: () => void;
  #channels: readonly string[];
  isOpen = true;
  isSilent = false;
  /** Account that the server has named on the present connection; the bouncer does not pass on all of its messages. */
  #account: string | undefined;
  /** Resolves when the last written message has been said, or ignored because the session had ended. */
  #handled: Promise<void> | undefined;
  readonly network: string;

  readonly isAnswering = true;
  readonly upstreamError = undefined;
  readonly upstreamRefusal = undefined;
  readonly isNickTaken = false;
  readonly nickRefusal = undefined;
  readonly isUnpaced = true;
  readonly hasServerEcho = true;
  readonly canReplay = true;
  readonly login: SessionLogin;
  readonly notJoinedReason = silentSession.notJoinedReason;
  readonly join = silentSession.join;
  readonly part = silentSession.part;
  readonly pause = silentSession.pause;
  readonly resume = silentSession.resume;
  readonly probeUpstream = silentSession.probeUpstream;

  constructor(
    bouncer: ReplayingBouncer,
    network: string,
    channels: readonly string[],
    { events, gone }: { events: BouncerEvents; gone: () => void },
  ) {
    this.#bouncer = bouncer;
    this.network = network;
    this.#channels = channels;
    this.#events = unless(() => this.isSilent, events);
    this.#told = events;
    this.#gone = gone;
    const account = (): string | undefined => (this.upstream ? this.#account : undefined);
    this.login = {
      get account() {
        return account();
      },
      logIn: (password) => this.#logIn(password),
    };
  }

  get nick(): string {
    return this.#bouncer.nick;
  }

  get upstream(): boolean {
    return this.#bouncer.isEnabled && this.#bouncer.network === this.network;
  }

  get joinedChannels(): readonly string[] {
    return this.upstream ? this.#bouncer.channels : [];
  }

  setChannels(channels: readonly string[]): void {
    this.#channels = channels;
  }

  changeNick(nick: string): void {
    this.#bouncer.rename(nick);
  }

  replay(channel: string, from: number): void {
    setImmediate(() => {
      if (!this.isOpen) return;
      const lines = this.#bouncer.linesFrom(channel, from, this.network);
      const page = lines.slice(0, PAGE_LINES);
      const last = page.at(-1)?.line.serverAt;
      const next = lines.length > page.length && last !== undefined ? last + 1 : undefined;
      this.#events.onReplayed({ channel, lines: page, next, overfullAt: undefined });
    });
  }

  sendMessage(channel: string, text: string, tag: string): void {
    if (!this.isOpen || this.isSilent) throw new Error('the bouncer accepts no lines');
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#handled = promise;
    setImmediate(() => {
      if (this.isOpen) this.#bouncer.say(channel, text, tag);
      resolve();
    });
  }

  async flush(): Promise<boolean> {
    this.#bouncer.onFlush();
    await this.#handled;
    return this.isOpen;
  }

  fallSilent(): void {
    this.isSilent = true;
    setImmediate(() => this.#told.onClose(undefined));
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#gone();
    // The end is reported later, as with a real socket.
    setImmediate(() => this.#events.onClose(undefined));
  }

  break(): void {
    this.isOpen = false;
    this.#gone();
    if (this.upstream) this.#events.onUpstreamLost();
    this.#events.onClose('the socket broke');
  }

  hear(observed: ObservedLine): void {
    if (this.upstream && this.#channels.includes(observed.line.channel)) this.#events.onLine(observed);
  }

  tellUpstream(isConnected: boolean): void {
    this.#account = undefined;
    this.tellChanged();
    if (isConnected) this.#events.onUpstreamConnected(true);
    else this.#events.onUpstreamLost();
  }

  /** The network's answer is lost with the session or its connection. */
  async #logIn(password: Password): Promise<LoginAnswer> {
    await nextTurn();
    if (!this.isOpen || !this.upstream) return { outcome: 'unanswered' };
    const connection = this.#bouncer.connections;
    const answer = this.#bouncer.logins.offer(password);
    await nextTurn();
    if (!this.isOpen || this.#bouncer.connections !== connection) return { outcome: 'unanswered' };
    this.#account = this.#bouncer.logins.account;
    // Like soju, for as long as the session that logged in stands.
    if (answer.outcome === 'accepted') this.#bouncer.logins.kept = password;
    this.tellChanged();
    return answer;
  }

  /** Reports another state of the network, or other channels that it is in. */
  tellChanged(): void {
    this.#events.onChanged();
  }
}

/** The same events, of which none is reported while this is so. */
const unless = (isSo: () => boolean, events: BouncerEvents): BouncerEvents =>
  Object.fromEntries(
    Object.entries(events).map(([name, tell]) => [
      name,
      (...told: unknown[]) => (isSo() ? undefined : (tell as (...all: unknown[]) => void)(...told)),
    ]),
  ) as unknown as BouncerEvents;

const networkOf = ({ network }: BouncerUser): string => network ?? USUAL;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const lineOf = (channel: string, text: string, serverAt: number, sender: string): CapturedLine => ({
  ...{ channel, kind: 'message', sender, text, target: null, serverAt },
  ...{ fingerprintBase: `${text} at ${serverAt}`, isExact: true },
});
