import type { Casemapping } from '../domain/casemapping.ts';
import { type IrcLine, messageIdOf, parseAttributes } from '../irc/line.ts';
import type { UpstreamState } from '../ports/bouncer-session.ts';
import { Rooms } from './rooms.ts';
import { SEND_TAG } from './send-tag.ts';

/**
 * The server's password, a ban, an unusable nick, an account that is required: asking again changes nothing. Many
 * servers say it in the words of their last line alone, ergo "You are banned from this server", ngircd "(K-Line)".
 */
const PERMANENT_REFUSAL =
  /registration error \((?:432|464|465)\)|ACCOUNT_REQUIRED|fatal server error: .*(?:\bbanned\b|\b[A-Z]-?lined?\b|access denied|bad password)/i;

/** soju's own words when an attempt ends because a later command began another. */
const SUPERSEDED = /operation was canceled|context canceled|use of closed network connection/;

const NICK_TAKEN = /registration error \(43[37]\)/;

/** Numerics that refuse a JOIN; RFC 2812 §3.2.1 and what common servers add to it. */
const JOIN_REFUSALS: ReadonlySet<string> = new Set('403 405 437 470 471 473 474 475 476 477 480 489 520'.split(' '));

/** `470 nick #asked #other :Forwarding to another channel`. */
const FORWARDED = '470';

/** Where a line has brought the account. */
export interface Moves {
  /** Known channels that it was made to leave, or was not let into but sent elsewhere. */
  left: string[];
  /** Channels that are not known, by the names that the server gives them. */
  strayed: string[];
}

const reasonOf = (what: string, why: string | undefined): string =>
  why === undefined || why === '' ? what : `${what}: ${why}`;

/** What the lines of a session tell about it: nick, channels, server features, upstream. */
export class SessionState {
  nick: string;
  upstream: UpstreamState = null;
  /** Whether the network is not connected because another person has the nick. */
  isNickTaken = false;
  /** What kept the network from connecting last; undefined while it is connected. */
  error: string | undefined;
  /** How many attempts to connect have failed, as far as this session was told. */
  failedAttempts = 0;
  /** Grows with each change of the nick, the upstream, the joined channels, or why the account is not in one. */
  changes = 0;
  /** Somebody renamed the network in the bouncer since this session asked for it. */
  isRenamed = false;
  /** False once the account's own line came back without a server's id: then the bouncer makes the echoes. */
  hasServerEcho = true;
  /** Whether the server of the present connection has given the tag of an own line back. */
  givesTagsBack = false;
  /** As the network has announced it; undefined before. */
  casemapping: Casemapping | undefined;
  readonly rooms = new Rooms();
  readonly #network: string;
  /** The bouncer's number of this network; it tells about the other networks of the person, too. Undefined until it is announced. */
  #networkId: string | undefined;
  #moves: Moves = { left: [], strayed: [] };
  /** Why the account is not in a known channel, by the channel's name. */
  readonly #notJoined = new Map<string, string>();

  constructor(nick: string, network: string) {
    this.nick = nick;
    this.#network = network;
  }

  /** Why the IRC server refuses this person for good; the bouncer does not try again. */
  get refusal(): string | undefined {
    return this.error !== undefined && PERMANENT_REFUSAL.test(this.error) ? this.error : undefined;
  }

  notJoinedReason(channel: string): string | undefined {
    return this.#notJoined.get(channel);
  }

  get joinedChannels(): string[] {
    return this.rooms.joined;
  }

  /** The account asks to join again: an earlier refusal no longer counts. */
  asks(channel: string): void {
    this.#notJoined.delete(this.rooms.resolve(channel) ?? '');
  }

  isOwn(nick: string): boolean {
    return this.rooms.fold(nick) === this.rooms.fold(this.nick);
  }

  /** @returns where the account is no longer, and where it is though nobody asked for that */
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

  /** A forward leads elsewhere: the account is to come back, as after a kick. */
  #refused(channel: string, { command, params }: IrcLine): void {
    this.#outside(channel, `${command} ${params.at(-1) ?? ''}`);
    const known = this.rooms.resolve(channel);
    if (command === FORWARDED && known !== undefined && !this.rooms.isIn(channel)) this.#moves.left.push(known);
  }

  /** Those in it are now in the other one; the account did not ask for that. */
  #renamedChannel(from: string, to: string, reason: string): void {
    if (!this.rooms.isIn(from)) return;
    this.#left(from, this.nick, reason);
    this.#entered(to);
  }

  /** The same numerics also refuse a send; they count only when the account is not in the channel. */
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

  /** `BOUNCER NETWORK 1 state=connected;…`; a change of other attributes leaves the state as it is. */
  #takeNetwork([verb, id, attributes = '']: readonly string[]): void {
    if (verb !== 'NETWORK' || (this.#networkId !== undefined && id !== this.#networkId)) return;
    this.changes += 1;
    const { state, error, name } = parseAttributes(attributes);
    if (name !== undefined) this.isRenamed = name !== this.#network;
    // Each new attempt clears the error, and may then fail as the last one did: the old error is kept.
    if (error !== undefined && error !== '' && !SUPERSEDED.test(error)) {
      this.isNickTaken = NICK_TAKEN.test(error);
      this.error = error;
      // With the state it describes the past.
      if (state === undefined) this.failedAttempts += 1;
    }
    if (state === undefined && attributes !== '*') return;
    this.upstream = state === 'connected';
    if (this.upstream) this.error = undefined;
    if (this.upstream) this.#notJoined.clear();
    else {
      this.rooms.leaveAll();
      // The next one may be another server.
      this.givesTagsBack = false;
    }
  }

  #takeCasemapping(announced: string): void {
    this.rooms.announcedCasemapping = announced;
    this.casemapping = this.rooms.casemapping;
    this.changes += 1;
  }

  #takeFeatures(params: readonly string[]): void {
    for (const param of params) {
      const [name, value = ''] = param.split('=', 2);
      if (name === 'CASEMAPPING') this.#takeCasemapping(value);
      if (name === 'STATUSMSG') this.rooms.statusSigns = value;
      if (name === 'BOUNCER_NETID') this.#networkId = value;
    }
  }
}
