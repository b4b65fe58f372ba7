import type { Casemapping } from '../domain/casemapping.ts';
import { type IrcLine, messageIdOf, parseAttributes } from '../irc/line.ts';
import type { UpstreamState } from '../ports/bouncer-session.ts';
import { Rooms } from './rooms.ts';
import { SEND_TAG } from './send-tag.ts';

/**
 * Permanent refusals: the server's password, a ban, an unusable nick, a required account. Many servers report them only
 * in the text of their last line, ergo "You are banned from this server", ngircd "(K-Line)".
 */
const PERMANENT_REFUSAL =
  /registration error \((?:432|464|465)\)|ACCOUNT_REQUIRED|fatal server error: .*(?:\bbanned\b|\b[A-Z]-?lined?\b|access denied|bad password)/i;

/** soju's own text when an attempt ends because a later command began another. */
const SUPERSEDED = /operation was canceled|context canceled|use of closed network connection/;

const NICK_TAKEN = /registration error \(43[37]\)/;

/** Numerics that refuse a JOIN; RFC 2812 §3.2.1 and what common servers add to it. */
const JOIN_REFUSALS: ReadonlySet<string> = new Set('403 405 437 470 471 473 474 475 476 477 480 489 520'.split(' '));

/** `470 nick #asked #other :Forwarding to another channel`. */
const FORWARDED = '470';

/** Forced moves of the account by a line. */
export interface Moves {
  /** Known channels that it was forced to leave, or was forwarded from. */
  left: string[];
  /** Unknown channels, by the server's names. */
  strayed: string[];
}

const reasonOf = (what: string, why: string | undefined): string =>
  why === undefined || why === '' ? what : `${what}: ${why}`;

/** State of a session, derived from its lines: nick, channels, server features, upstream. */
export class SessionState {
  nick: string;
  upstream: UpstreamState = null;
  /** Whether the network is disconnected because another user has the nick. */
  isNickTaken = false;
  /** Last reason for which the network could not connect; undefined while it is connected. */
  error: string | undefined;
  /** Number of failed attempts to connect that this session was notified of. */
  failedAttempts = 0;
  /** Account that this person is logged in to, as the network reports. */
  login: string | undefined;
  /** Counts changes of the nick, the upstream, the joined channels, the reasons for missing ones, and the login. */
  changes = 0;
  /** Whether the network was renamed in the bouncer since this session requested it. */
  isRenamed = false;
  /** False once the account's own line came back without a server's id: then the bouncer makes the echoes. */
  hasServerEcho = true;
  /** Whether the server of the present connection has returned the tag of an own line. */
  givesTagsBack = false;
  /** Casemapping as the network has announced it; undefined before. */
  casemapping: Casemapping | undefined;
  /** Whether the login is known from WHOIS alone, and so may end without a message of the server. */
  #isLoginAsked = false;
  /** Whether the present answer to WHOIS names a login. */
  #isLoginNamed = false;
  readonly rooms = new Rooms();
  readonly #network: string;
  /**
   * Id of this network in the bouncer, which also reports the person's other networks. Undefined until it is announced.
   */
  #networkId: string | undefined;
  #moves: Moves = { left: [], strayed: [] };
  /** Known channel → reason why the account is not in it. */
  readonly #notJoined = new Map<string, string>();

  constructor(nick: string, network: string) {
    this.nick = nick;
    this.#network = network;
  }

  /** Reason for which the IRC server permanently refuses this person; the bouncer does not retry. */
  get refusal(): string | undefined {
    return this.error !== undefined && PERMANENT_REFUSAL.test(this.error) ? this.error : undefined;
  }

  notJoinedReason(channel: string): string | undefined {
    return this.#notJoined.get(channel);
  }

  get joinedChannels(): string[] {
    return this.rooms.joined;
  }

  /** Drops an earlier refusal, because the account asks to join again. */
  asks(channel: string): void {
    this.#notJoined.delete(this.rooms.resolve(channel) ?? '');
  }

  isOwn(nick: string): boolean {
    return this.rooms.fold(nick) === this.rooms.fold(this.nick);
  }

  /** Handles a line. @returns channels that the account has left, and channels that it was moved into */
  take(line: IrcLine): Moves {
    this.#moves = { left: [], strayed: [] };
    this.#noticeEcho(line);
    const [first = '', second = ''] = line.params;
    switch (line.command) {
      case '005':
        this.#takeFeatures(line.params);
        break;
      case '353':
        this.rooms.add(line.params[2] ?? '', (line.params[3] ?? '').split(' ').filter(Boolean));
        break;
      case 'NICK':
        this.rooms.rename(line.sender, first);
        if (this.isOwn(line.sender)) this.#renamed(first);
        break;
      case 'JOIN':
        if (this.isOwn(line.sender)) this.#entered(first);
        this.rooms.add(first, [line.sender]);
        break;
      case 'PART':
        this.#left(first, line.sender, reasonOf('taken out of the channel', second));
        break;
      case 'KICK':
        this.#left(first, second, reasonOf(`kicked by ${line.sender}`, line.params[2]));
        break;
      case 'RENAME':
        this.#renamedChannel(first, second, reasonOf(`renamed to ${second}`, line.params[2]));
        break;
      case 'QUIT':
        this.rooms.quit(line.sender);
        break;
      case 'BOUNCER':
        this.#takeNetwork(line.params);
        break;
      case '900':
        this.#loggedIn(line.params[2]);
        break;
      case '901':
        this.#loggedIn(undefined);
        break;
      case '330':
        if (this.isOwn(second)) this.#namesLogin(line.params[2]);
        break;
      case '318':
        if (this.isOwn(second)) this.#endsAnswer();
        break;
      default:
        if (JOIN_REFUSALS.has(line.command)) this.#refused(second, line);
    }
    return this.#moves;
  }

  #noticeEcho(line: IrcLine): void {
    const { command, tags, sender } = line;
    if (command !== 'PRIVMSG' || !this.isOwn(sender)) return;
    if (messageIdOf(line) === undefined) this.hasServerEcho = false;
    if (tags[SEND_TAG] !== undefined) this.givesTagsBack = true;
  }

  #namesLogin(account: string | undefined): void {
    this.#isLoginNamed = true;
    if (this.login === account) return;
    this.#loggedIn(account);
    this.#isLoginAsked = true;
  }

  #endsAnswer(): void {
    if (this.#isLoginAsked && !this.#isLoginNamed) this.#loggedIn(undefined);
    this.#isLoginNamed = false;
  }

  #loggedIn(account: string | undefined): void {
    this.#isLoginAsked = false;
    if (this.login === account) return;
    this.login = account;
    this.changes += 1;
  }

  #renamed(nick: string): void {
    this.nick = nick;
    this.changes += 1;
  }

  #entered(channel: string): void {
    this.changes += 1;
    this.rooms.enter(channel);
    const known = this.rooms.resolve(channel);
    if (known === undefined) this.#moves.strayed.push(channel);
    else this.#notJoined.delete(known);
  }

  /** Handles a refused JOIN. After a forward the account must come back, as after a kick. */
  #refused(channel: string, { command, params }: IrcLine): void {
    this.#outside(channel, `${command} ${params.at(-1) ?? ''}`);
    const known = this.rooms.resolve(channel);
    if (command === FORWARDED && known !== undefined && !this.rooms.isIn(channel)) this.#moves.left.push(known);
  }

  /** Handles a renamed channel: its members are now in the other one, though the account did not request that. */
  #renamedChannel(from: string, to: string, reason: string): void {
    if (!this.rooms.isIn(from)) return;
    this.#left(from, this.nick, reason);
    this.#entered(to);
  }

  /**
   * Records why the account is not in a channel. The same numerics also refuse a send; they count only if the account
   * is not in the channel.
   */
  #outside(channel: string, reason: string): void {
    const known = this.rooms.resolve(channel);
    if (known === undefined || this.rooms.isIn(channel)) return;
    this.#notJoined.set(known, reason);
    this.changes += 1;
  }

  #left(channel: string, nick: string, reason: string): void {
    if (!this.isOwn(nick)) {
      this.rooms.remove(channel, nick);
      return;
    }
    this.rooms.leave(channel);
    this.changes += 1;
    const known = this.rooms.resolve(channel);
    if (known === undefined) return;
    this.#outside(channel, reason);
    this.#moves.left.push(known);
  }

  /** Handles `BOUNCER NETWORK 1 state=connected;…`; a change of other attributes leaves the state as it is. */
  #takeNetwork([verb, id, attributes = '']: readonly string[]): void {
    if (verb !== 'NETWORK' || (this.#networkId !== undefined && id !== this.#networkId)) return;
    this.changes += 1;
    const { state, error, name } = parseAttributes(attributes);
    if (name !== undefined) this.isRenamed = name !== this.#network;
    // Each new attempt clears the error, and may then fail like the last one: the old error is kept.
    if (error !== undefined && error !== '' && !SUPERSEDED.test(error)) {
      this.isNickTaken = NICK_TAKEN.test(error);
      this.error = error;
      // An error together with a state describes the past.
      if (state === undefined) this.failedAttempts += 1;
    }
    if (state === undefined && attributes !== '*') return;
    this.upstream = state === 'connected';
    if (this.upstream) this.error = undefined;
    if (this.upstream) this.#notJoined.clear();
    else {
      this.rooms.leaveAll();
      // The next connection may be to another server.
      this.givesTagsBack = false;
      this.login = undefined;
    }
  }

  #takeCasemapping(announced: string | undefined): void {
    this.rooms.announcedCasemapping = announced;
    this.casemapping = this.rooms.casemapping;
    this.changes += 1;
  }

  #takeFeatures(params: readonly string[]): void {
    for (const param of params) {
      const [name, value = ''] = param.split('=', 2);
      if (name === 'CASEMAPPING') this.#takeCasemapping(value);
      // The server has withdrawn it; @see draft-brocklesby-irc-isupport §3
      if (name === '-CASEMAPPING') this.#takeCasemapping(undefined);
      if (name === 'STATUSMSG') this.rooms.statusSigns = value;
      if (name === 'BOUNCER_NETID') this.#networkId = value;
    }
  }
}
