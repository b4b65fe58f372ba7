import { setTimeout as delay } from 'node:timers/promises';
import { type IrcConnection, openConnection } from '../../src/connector/irc/irc-connection.ts';
import { formatLine, type IrcLine } from '../../src/connector/irc/line.ts';
import type { HeardLine, Movement } from './observations.ts';

const AGAIN_AFTER_MS = 500;

export interface PersonOptions {
  nick: string;
  server: () => { host: string; port: number };
  channels: readonly string[];
  heard: HeardLine[];
  /** Arrivals and departures of others; for one of all people. */
  movements?: Movement[];
}

/** Somebody on IRC without a bouncer, who connects again when the server was away, and writes down what is said. */
export class Person implements Disposable {
  readonly #options: PersonOptions;
  readonly #inside = new Set<string>();
  #connection: IrcConnection | undefined;
  #hasEnded = false;

  constructor(options: PersonOptions) {
    this.#options = options;
    void this.#connect();
  }

  /** Whether it is in all channels. */
  get isThere(): boolean {
    return this.#inside.size === this.#options.channels.length;
  }

  /** Says a line; false if it is not there. */
  say(channel: string, text: string): boolean {
    if (!this.#inside.has(channel)) return false;
    // What one says oneself is not heard: the server may pass it on later, or never.
    return this.#connection?.write(formatLine('PRIVMSG', [channel, text])) ?? false;
  }

  [Symbol.dispose](): void {
    this.#hasEnded = true;
    this.#connection?.close();
  }

  async #connect(): Promise<void> {
    const { nick, server, channels } = this.#options;
    while (!this.#hasEnded) {
      try {
        const closed = Promise.withResolvers<void>();
        const connection = await openConnection(server(), {
          onLine: (line) => this.#take(line),
          onClose: () => closed.resolve(),
        });
        this.#connection = connection;
        for (const [command, ...params] of [
          ['NICK', nick],
          ['USER', nick, '0', '*', nick],
        ] as const) {
          connection.write(formatLine(command, params));
        }
        for (const channel of channels) connection.write(formatLine('JOIN', [channel]));
        await closed.promise;
        this.#inside.clear();
        this.#options.movements?.push({ at: Date.now(), kind: 'reset', channel: '', nick: '', line: '' });
      } catch {
        // The server is away.
      }
      await delay(AGAIN_AFTER_MS);
    }
  }

  #take({ command, sender = '', params }: IrcLine): void {
    const [first = '', text = ''] = params;
    if (command === 'PING') this.#connection?.write(formatLine('PONG', params));
    else if (command === '366') this.#inside.add(text);
    else if (command === 'PRIVMSG') this.#hear(sender, first, text);
    else if (command === 'JOIN') this.#moved('came', first, sender, command);
    else if (command === 'PART') this.#moved('left', first, sender, `${command} ${text}`);
    else if (command === 'KICK') this.#moved('left', first, text, command);
    // A departure from the network names no channel.
    else if (command === 'QUIT' || command === 'NICK') this.#moved('left', '', sender, `${command} ${first}`);
  }

  #hear(sender: string, channel: string, text: string): void {
    this.#options.heard.push({ listener: this.#options.nick, channel, sender, text, at: Date.now() });
  }

  #moved(kind: 'came' | 'left', channel: string, nick: string, line: string): void {
    if (nick === this.#options.nick) return;
    this.#options.movements?.push({ at: Date.now(), kind, channel, nick, line });
  }
}
