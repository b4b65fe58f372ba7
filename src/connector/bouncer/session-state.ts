import { fold } from '../irc/casemapping.ts';
import type { IrcLine } from '../irc/line.ts';
import type { UpstreamState } from '../ports.ts';

/** What the lines of a session tell about it: nick, channels, server features, upstream. */
export class SessionState {
  nick: string;
  upstream: UpstreamState = null;
  casemapping = 'rfc1459';
  isUnpaced = false;
  readonly #joined = new Map<string, string>();

  constructor(nick: string) {
    this.nick = nick;
  }

  get joinedChannels(): string[] {
    return [...this.#joined.values()];
  }

  isOwn(nick: string): boolean {
    return this.#fold(nick) === this.#fold(this.nick);
  }

  /** Returns the upstream's state where the line changed it. */
  take(line: IrcLine): boolean | undefined {
    const [first = '', second = ''] = line.params;
    switch (line.command) {
      case '001':
        this.nick = first || this.nick;
        return undefined;
      case '005':
        this.#takeFeatures(line.params);
        return undefined;
      case 'NICK':
        if (this.isOwn(line.sender)) this.nick = first;
        return undefined;
      case 'JOIN':
        if (this.isOwn(line.sender)) this.#joined.set(this.#fold(first), first);
        return undefined;
      case 'PART':
        if (this.isOwn(line.sender)) this.#joined.delete(this.#fold(first));
        return undefined;
      case 'KICK':
        if (this.isOwn(second)) this.#joined.delete(this.#fold(first));
        return undefined;
      case 'BOUNCER':
        return this.#takeNetwork(line.params);
      default:
        return undefined;
    }
  }

  /** `BOUNCER NETWORK 1 state=connected;…`; a change of other attributes leaves the state as it is. */
  #takeNetwork([verb, , attributes = '']: readonly string[]): boolean | undefined {
    const state = verb === 'NETWORK' ? /(?:^|;)state=([a-z]+)/.exec(attributes)?.[1] : undefined;
    if (state === undefined) return undefined;
    this.upstream = state === 'connected';
    if (!this.upstream) this.#joined.clear();
    return this.upstream;
  }

  #takeFeatures(params: readonly string[]): void {
    for (const param of params) {
      const [name, value = ''] = param.split('=', 2);
      if (name === 'CASEMAPPING') this.casemapping = value;
      if (name === 'soju.im/SAFERATE') this.isUnpaced = true;
    }
  }

  #fold(text: string): string {
    return fold(text, this.casemapping);
  }
}
