import type { IrcLine } from '../irc/line.ts';

/**
 * Capabilities that the session uses if they are offered. `sasl` is requested while registering, and whenever another
 * network offers it.
 */
const WANTED: ReadonlySet<string> = new Set([
  'message-tags',
  'server-time',
  'echo-message',
  'batch',
  'cap-notify',
  // Without it soju replays on its own what a client missed, mixed with live lines.
  'draft/chathistory',
  // Offered only after registration; without it a replay lacks joins, parts and the like.
  'draft/event-playback',
  'soju.im/bouncer-networks',
  'soju.im/bouncer-networks-notify',
]);

const isUsed = (name: string): boolean => WANTED.has(name) || name === 'sasl';

/** Capability negotiation; IRCv3 `CAP` version 302. */
export class Capabilities {
  readonly #enabled = new Set<string>();
  readonly #offered = new Set<string>();

  has(name: string): boolean {
    return this.#enabled.has(name);
  }

  isOffered(name: string): boolean {
    return this.#offered.has(name);
  }

  /** Handles a CAP line; returns the capabilities to request now, undefined while more lines of a list follow. */
  take({ params }: IrcLine): string[] | undefined {
    const [, verb = '', ...rest] = params;
    const words = (rest.at(-1) ?? '').split(' ');
    const names = words.flatMap((word) => word.split('=', 1).filter(isUsed));
    switch (verb.toUpperCase()) {
      case 'LS':
        for (const name of names) this.#offered.add(name);
        return rest[0] === '*' ? undefined : [...this.#offered].filter((name) => WANTED.has(name) && !this.has(name));
      case 'NEW':
        for (const name of names) this.#offered.add(name);
        return [...this.#offered].filter((name) => !this.has(name));
      case 'ACK':
        for (const name of names) this.#enabled.add(name);
        return [];
      case 'DEL':
        for (const name of names) {
          this.#enabled.delete(name);
          this.#offered.delete(name);
        }
        return [];
      default:
        return [];
    }
  }
}
