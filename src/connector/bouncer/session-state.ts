import type { IrcLine } from '../irc/line.ts';
import type { UpstreamState } from '../ports/bouncer-session.ts';
import { Rooms } from './rooms.ts';

/** The server's password, a ban, an unusable nick, an account that is required: asking again changes nothing. */
const PERMANENT_REFUSAL = /registration\\serror\\s\((?:432|464|465)\)|ACCOUNT_REQUIRED/;

const NICK_TAKEN = /registration\\serror\\s\(43[37]\)/;

/** What the lines of a session tell about it: nick, channels, server features, upstream. */
export class SessionState {
  nick: string;
  upstream: UpstreamState = null;
  /** Whether the network is not connected because another person has the nick. */
  isNickTaken = false;
  /** Why the IRC server refuses this person, after which the bouncer itself tries no more. */
  refusal: string | undefined;
  readonly rooms = new Rooms();

  constructor(nick: string) {
    this.nick = nick;
  }

  get joinedChannels(): string[] {
    return this.rooms.joined;
  }

  isOwn(nick: string): boolean {
    return this.rooms.fold(nick) === this.rooms.fold(this.nick);
  }

  take(line: IrcLine): void {
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
        if (this.isOwn(line.sender)) this.nick = first;
        break;
      case 'JOIN':
        if (this.isOwn(line.sender)) this.rooms.enter(first);
        this.rooms.add(first, [line.sender]);
        break;
      case 'PART':
        this.#left(first, line.sender);
        break;
      case 'KICK':
        this.#left(first, second);
        break;
      case 'QUIT':
        this.rooms.quit(line.sender);
        break;
      case 'BOUNCER':
        this.#takeNetwork(line.params);
        break;
    }
  }

  #left(channel: string, nick: string): void {
    if (this.isOwn(nick)) this.rooms.leave(channel);
    else this.rooms.remove(channel, nick);
  }

  /** `BOUNCER NETWORK 1 state=connected;…`; a change of other attributes leaves the state as it is. */
  #takeNetwork([verb, , attributes = '']: readonly string[]): void {
    if (verb !== 'NETWORK') return;
    const error = /(?:^|;)error=([^;]*)/.exec(attributes)?.[1];
    if (error !== undefined) this.isNickTaken = NICK_TAKEN.test(error);
    if (error !== undefined) this.refusal = PERMANENT_REFUSAL.test(error) ? error.replaceAll('\\s', ' ') : undefined;
    const state = attributes === '*' ? 'deleted' : /(?:^|;)state=([a-z]+)/.exec(attributes)?.[1];
    if (state === undefined) return;
    this.upstream = state === 'connected';
    if (this.upstream) this.refusal = undefined;
    if (!this.upstream) this.rooms.leaveAll();
  }

  #takeFeatures(params: readonly string[]): void {
    for (const param of params) {
      const [name, value = ''] = param.split('=', 2);
      if (name === 'CASEMAPPING') this.rooms.casemapping = value;
    }
  }
}
