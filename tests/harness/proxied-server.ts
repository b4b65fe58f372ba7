import { type ErgoOptions, startErgo } from '../../scripts/stack/ergo.ts';
import type { IrcServer } from '../../scripts/stack/irc-server.ts';
import { type IrcProxy, startIrcProxy } from './irc-proxy.ts';

export interface ProxiedServerOptions {
  /** Starts the server itself; ergo by default. */
  start?: (options: ErgoOptions) => Promise<IrcServer>;
  /** The port that the proxy passes on to, in place of the server's usual one. */
  port?: number;
  /** First bytes of each connection to the server. */
  opening?: string;
}

/**
 * An IRC server with a proxy before it, by which a test changes or drops lines: the bouncers connect to the proxy, all
 * other clients to the server itself.
 */
export class ProxiedServer implements AsyncDisposable {
  readonly #options: ProxiedServerOptions;
  #server: IrcServer | undefined;
  #proxy: IrcProxy | undefined;

  constructor(options: ProxiedServerOptions = {}) {
    this.#options = options;
  }

  /** Starts the server for the stack, which ends it. */
  readonly start = async (options: ErgoOptions): Promise<IrcServer> => {
    const { start = startErgo, port, opening } = this.#options;
    const server = await start(options);
    this.#server = server;
    this.#proxy = await startIrcProxy(port ?? server.port, opening);
    return { ...server, port: this.#proxy.port };
  };

  get proxy(): IrcProxy {
    return started(this.#proxy);
  }

  /** The server as people reach it. */
  get direct(): IrcServer {
    return started(this.#server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy?.[Symbol.asyncDispose]();
  }
}

function started<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('the IRC server was not started');
  return part;
}
