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

  take(line: IrcLine): void {
    const [first = '', second = ''] = line.params;
    const isOwn = this.isOwn(line.sender);
    switch (line.command) {
      case '005':
        this.#takeFeatures(line.params);
        break;
      case 'NICK':
        if (isOwn) this.nick = first;
        break;
      case 'JOIN':
        if (isOwn) this.#joined.set(this.#fold(first), first);
        break;
      case 'PART':
        if (isOwn) this.#joined.delete(this.#fold(first));
        break;
      case 'KICK':
        if (this.isOwn(second)) this.#joined.delete(this.#fold(first));
        break;
      case 'BOUNCER':
        this.#takeNetwork(line.params);
        break;
    }
  }

  /** `BOUNCER NETWORK 1 state=connected;…`; a change of other attributes leaves the state as it is. */
  #takeNetwork([verb, , attributes = '']: readonly string[]): void {
    const state = verb === 'NETWORK' ? /(?:^|;)state=([a-z]+)/.exec(attributes)?.[1] : undefined;
    if (state === undefined) return;
    this.upstream = state === 'connected';
    if (!this.upstream) this.#joined.clear();
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
