import type { Casemapping } from '../domain/casemapping.ts';
import { bouncerUnreachable } from '../errors.ts';
import { type IrcAddress, type IrcConnection, openConnection } from '../irc/irc-connection.ts';
import { formatLine, type IrcLine } from '../irc/line.ts';
import type { Permit } from '../irc/permit.ts';
import type { BouncerAccount } from '../ports/bouncer.ts';
import type { SessionLogin } from '../ports/bouncer-logins.ts';
import type { BouncerEvents, BouncerSession, ObservedLine, UpstreamState } from '../ports/bouncer-session.ts';
import { Capabilities } from './capabilities.ts';
import { Flush } from './flush.ts';
import { isForged } from './forged.ts';
import { Heartbeat } from './heartbeat.ts';
import { judgeLine } from './judge-line.ts';
import { NickRequest } from './nick-request.ts';
import { Probe } from './probe.ts';
import { AuthenticationRefused, Registration } from './registration.ts';
import { type RawPage, Replay } from './replay.ts';
import { type SendRefusal, sendRefusal } from './send-refusal.ts';
import { SEND_TAG } from './send-tag.ts';
import { type Moves, SessionState } from './session-state.ts';
import { UpstreamLogin } from './upstream-login.ts';

export { AuthenticationRefused };

const REGISTER_DEADLINE_MS = 10_000;

export interface SessionOptions {
  address: IrcAddress;
  network: string;
  /** Name under which fingerprints of its lines are made; see `KnownNetwork`. */
  linesAs: string;
  /** Whether the server does not limit the pace of lines. The bouncer's announcements describe only itself. */
  isUnpaced: boolean;
  account: BouncerAccount;
  /** Channels whose lines are reported. */
  channels: readonly string[];
  /** Interval of probes of the IRC server itself, in milliseconds. */
  probeIntervalMs: number;
  /** Longest time for one page of history from the bouncer, in milliseconds. */
  replayDeadlineMs: number;
  /** Permit that is needed to send or change anything. */
  permit?: Permit | undefined;
}

/** Attaches to soju. @throws AuthenticationRefused, ConnectorError bouncer_unreachable */
export async function openSession(options: SessionOptions, events: BouncerEvents): Promise<BouncerSession> {
  const session = new Session(options, events);
  try {
    await session.open();
    return session;
  } catch (error) {
    session.close();
    throw error instanceof AuthenticationRefused ? error : bouncerUnreachable(error);
  }
}

/**
 * One session with soju, from the registration to its end. It owns the IRC connection, the heartbeat, the replay under
 * way and the state derived from lines, and reports events in the order of the lines to the account's presence.
 */
class Session implements BouncerSession {
  readonly #options: SessionOptions;
  readonly #events: BouncerEvents;
  readonly #capabilities = new Capabilities();
  readonly #state: SessionState;
  readonly #replay: Replay;
  #connection: IrcConnection | undefined;
  /** Connection that is closed for this process alone. */
  #silent: IrcConnection | undefined;
  #registration: Registration | undefined;
  #registered: { resolve: () => void; reject: (error: Error) => void } | undefined;
  readonly #probe = new Probe();
  readonly #flush = new Flush((line) => this.#connection?.write(line));
  readonly #nickRequest = new NickRequest((nick) => this.#state.rooms.fold(nick));
  readonly #heartbeat: Heartbeat;
  readonly #upstreamLogin = new UpstreamLogin((line) => this.#connection?.write(line) ?? false);
  readonly login: SessionLogin = this.#loginOf();
  #isClosed = false;
  #endReason: string | undefined;

  constructor(options: SessionOptions, events: BouncerEvents) {
    this.#options = options;
    this.#events = events;
    this.#state = new SessionState(options.account.nick, options.network);
    this.#state.rooms.known = options.channels;
    const replayEvents = {
      onPage: (page: RawPage) => this.#onPage(page),
      onRefused: (channel: string) => events.onReplayRefused(channel),
      onTimeout: () => this.#end('the bouncer did not send all missed lines in time'),
    };
    this.#replay = new Replay((line) => this.#connection?.write(line), replayEvents, options.replayDeadlineMs);
    const heartbeatEvents = {
      ping: () => this.#connection?.write(formatLine('PING', ['homeport'])),
      probe: async (deadlineMs: number) => this.#state.upstream !== true || this.probeUpstream(deadlineMs),
      onDead: () => this.#end('the bouncer has been silent for too long'),
      // A probe from before the network was disconnected may still be open.
      onHung: () => this.#state.upstream === true && events.onUpstreamHung(),
      onCertaintyChanged: () => events.onChanged(),
    };
    this.#heartbeat = new Heartbeat(heartbeatEvents, options.probeIntervalMs);
  }

  get nick(): string {
    return this.#state.nick;
  }

  get joinedChannels(): readonly string[] {
    return this.#state.joinedChannels;
  }

  get upstream(): boolean | null {
    return this.#heartbeat.isCertain ? this.#state.upstream : null;
  }

  get isAnswering(): boolean {
    return this.#heartbeat.isAnswering;
  }

  get upstreamError(): string | undefined {
    return this.#state.error;
  }

  get upstreamRefusal(): string | undefined {
    return this.#state.refusal;
  }

  get isUnpaced(): boolean {
    return this.#options.isUnpaced;
  }

  /** A server without tags has no echoes either. */
  get hasServerEcho(): boolean {
    return this.#capabilities.has('message-tags') && this.#state.hasServerEcho;
  }

  get isNickTaken(): boolean {
    return this.#state.isNickTaken;
  }

  get nickRefusal(): string | undefined {
    return this.#nickRequest.refusal;
  }

  get casemapping(): Casemapping | undefined {
    return this.#state.casemapping;
  }

  get canReplay(): boolean {
    return this.#capabilities.has('draft/chathistory');
  }

  async open(): Promise<void> {
    const { account, network, address } = this.#options;
    const connection = await openConnection(
      address,
      {
        onLine: (line) => this.#onLine(line),
        onClose: (error) => this.#onClose(error),
      },
      this.#options.permit,
    );
    this.#connection = connection;
    const registered = new Promise<void>((resolve, reject) => {
      this.#registered = { resolve, reject };
    });
    const timer = setTimeout(
      () => this.#registered?.reject(new Error('no registration in time')),
      REGISTER_DEADLINE_MS,
    );
    this.#registration = new Registration({ connection, capabilities: this.#capabilities, account, network });
    this.#registration.begin();
    await registered.finally(() => clearTimeout(timer));
    this.#heartbeat.start();
  }

  setChannels(channels: readonly string[]): void {
    this.#state.rooms.known = channels;
  }

  notJoinedReason(channel: string): string | undefined {
    return this.#state.notJoinedReason(channel);
  }

  join(channel: string, key?: string): void {
    this.#state.asks(channel);
    this.#events.onChanged();
    this.#connection?.write(formatLine('JOIN', key === undefined ? [channel] : [channel, key]));
  }

  part(channel: string): void {
    this.#connection?.write(formatLine('PART', [channel]));
  }

  changeNick(nick: string): void {
    this.#nickRequest.asks(nick);
    this.#events.onChanged();
    this.#connection?.write(formatLine('NICK', [nick]));
  }

  replay(channel: string, from: number): void {
    this.#replay.ask(channel, from);
  }

  #loginOf(): SessionLogin {
    const account = (): string | undefined => this.#state.login;
    return {
      get account() {
        return account();
      },
      logIn: (password, deadlineMs) =>
        // An offered capability is enough: the session requests it at once, and soju handles lines in order.
        this.#upstreamLogin.try(this.#capabilities.isOffered('sasl') ? 'sasl' : 'nickserv', password, deadlineMs),
    };
  }

  pause(): void {
    this.#heartbeat.isPaused = true;
    this.#connection?.pause();
  }

  resume(): void {
    this.#heartbeat.isPaused = false;
    this.#connection?.resume();
  }

  probeUpstream(deadlineMs: number): Promise<boolean> {
    const ask = () => this.#connection?.write(formatLine('WHOIS', [this.nick]));
    return this.#probe.answers(ask, deadlineMs);
  }

  sendMessage(channel: string, text: string, tag: string): void {
    const tags = this.#capabilities.has('message-tags') ? { [SEND_TAG]: tag } : {};
    const isWritten = this.#connection?.write(formatLine('PRIVMSG', [channel, text], tags)) ?? false;
    if (!isWritten) throw new Error('the bouncer accepts no lines');
    this.#flush.wrote();
  }

  flush(deadlineMs: number): Promise<boolean> {
    if (this.#connection === undefined) return Promise.resolve(false);
    // A paused connection would not read the answer.
    this.resume();
    return this.#flush.done(deadlineMs);
  }

  fallSilent(): void {
    this.#silent ??= this.#connection;
    this.#stop();
    this.#silent?.fallSilent();
  }

  close(): void {
    const connection = this.#connection ?? this.#silent;
    this.#stop();
    connection?.close();
  }

  #stop(): void {
    this.#isClosed = true;
    this.#disconnected();
  }

  /** Ends all that needs the connection. */
  #disconnected(): void {
    this.#flush.end();
    this.#heartbeat.stop();
    this.#upstreamLogin.reset();
    this.#replay.close();
    this.#connection = undefined;
  }

  #end(reason: string): void {
    this.#endReason ??= reason;
    this.close();
  }

  #onLine(line: IrcLine): void {
    this.#heartbeat.heard();
    if (line.command === 'PING') this.#connection?.write(formatLine('PONG', line.params));
    if (this.#registration === undefined) this.#onSessionLine(line);
    else this.#onRegistrationLine(line, this.#registration);
  }

  #onRegistrationLine(line: IrcLine, registration: Registration): void {
    try {
      const nick = registration.take(line);
      if (nick === undefined) return;
      this.#state.nick = nick;
      this.#registration = undefined;
      this.#registered?.resolve();
    } catch (error) {
      this.#registered?.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #onSessionLine(line: IrcLine): void {
    if (isForged(line)) return;
    if (this.#flush.take(line) || this.#replay.take(line) || this.#upstreamLogin.take(line)) return;
    if (line.command === 'CAP') {
      for (const name of this.#capabilities.take(line) ?? []) {
        this.#connection?.write(formatLine('CAP', ['REQ', name]));
      }
    }
    this.#noticeLife(line);
    // Observe first, then change the state: the state must still contain a user who quits or is kicked.
    const observed = this.#judge(line);
    const before = this.#state.upstream;
    const { failedAttempts, changes, nick } = this.#state;
    const wasRefused = this.#state.refusal !== undefined;
    const moves = this.#state.take(line);
    this.#probe.take(line.command);
    this.#reportUpstream(before);
    if (this.#state.failedAttempts > failedAttempts) this.#events.onUpstreamFailed();
    if (!wasRefused && this.#state.refusal !== undefined) this.#events.onUpstreamRefused();
    if (this.#state.changes > changes) this.#events.onChanged();
    this.#noticeNickAnswer(line, nick);
    // A renamed network obeys no command; attaching again restores its name.
    if (this.#state.isRenamed) this.#end('the network was renamed in the bouncer');
    for (const each of observed) this.#events.onLine(each);
    this.#reportMoves(moves);
    const refusal = sendRefusal(line);
    if (refusal !== undefined) this.#onRefusal(refusal);
  }

  /** Notes a line of another person. soju adds a time to all that the server sends, and may itself echo an own line. */
  #noticeLife({ tags, sender }: IrcLine): void {
    if ('time' in tags && !this.#state.isOwn(sender)) this.#heartbeat.networkHeard();
  }

  #noticeNickAnswer(line: IrcLine, nickBefore: string): void {
    const { nick } = this.#state;
    if (this.#nickRequest.take(line, nick === nickBefore ? undefined : nick)) this.#events.onChanged();
  }

  /** Reports all ways out of a channel and into another: KICK, a forced PART, a rename, a forward. */
  #reportMoves({ left, strayed }: Moves): void {
    for (const channel of left) this.#events.onLeft(channel);
    for (const channel of strayed) this.#events.onStrayed(channel);
  }

  #reportUpstream(before: UpstreamState): void {
    const isConnected = this.#state.upstream === true;
    if (before === true && !isConnected) {
      this.#upstreamLogin.reset();
      this.#events.onUpstreamLost();
    }
    if (before !== true && isConnected) {
      this.#heartbeat.reconnected();
      this.#probe.reset();
      this.#events.onUpstreamConnected(before === false);
    }
  }

  #onRefusal({ channel, reason }: SendRefusal): void {
    const known = channel === undefined ? undefined : this.#state.rooms.resolve(channel);
    // Ignored for an unknown channel: another client of the same user may have sent to it.
    if (channel === undefined || known !== undefined) this.#events.onSendRefused(known, reason);
  }

  #onPage({ channel, lines, next, overfullAt }: RawPage): void {
    const observed = lines.flatMap((line) => this.#judge(line, channel));
    this.#events.onReplayed({ channel, lines: observed, next, overfullAt });
  }

  #judge(line: IrcLine, replayedIn?: string): ObservedLine[] {
    const hasTags = this.#capabilities.has('message-tags');
    return judgeLine(line, { state: this.#state, network: this.#options.linesAs, hasTags }, replayedIn);
  }

  #onClose(error: Error | undefined): void {
    this.#registered?.reject(error ?? new Error('the bouncer closed the connection'));
    this.#disconnected();
    if (this.#registration !== undefined) return;
    if (this.#state.upstream === true) this.#events.onUpstreamLost();
    const reason = this.#isClosed ? this.#endReason : (error?.message ?? 'the bouncer closed the connection');
    this.#events.onClose(reason);
  }
}
