import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** Stands between the bouncer and a real IRC server and does what networks and servers do wrong. */
export interface IrcProxy extends AsyncDisposable {
  port: number;
  /** Number of connections that it has accepted. */
  accepted: number;
  /** Ends every connection by a TCP reset. */
  reset(): void;
  /** Reads the bytes of both directions and drops them; connections stay open. */
  isBlackhole: boolean;
  /** Sends a line to every client as if it came from the server; characters up to 255 are bytes. */
  tell(line: string): void;
  /** Changes or drops a line on its way to the server. */
  toServer: (line: string) => string | undefined;
  /** Changes or drops a line on its way from the server. */
  fromServer: (line: string) => string | undefined;
}

const REFUSAL = 'refused-by-the-proxy';

/**
 * Keeps some lines from the server, which the server seems to refuse: the refusal comes behind all that it has answered
 * before, as a real one does. The functions that were set for both directions before still get the other lines. Returns
 * a function that restores them.
 */
export function refuseLines(proxy: IrcProxy, isRefused: (line: string) => boolean, refusal: string): () => void {
  const { toServer, fromServer } = proxy;
  proxy.toServer = (line) => (isRefused(line) ? `PING ${REFUSAL}` : toServer(line));
  proxy.fromServer = (line) => (/ PONG /.test(line) && line.includes(REFUSAL) ? refusal : fromServer(line));
  return () => Object.assign(proxy, { toServer, fromServer });
}

/** @param opening what each connection to the server begins with, a line of the PROXY protocol perhaps */
export async function startIrcProxy(serverPort: number, opening?: string): Promise<IrcProxy> {
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    if (opening !== undefined) upstream.write(`${opening}\r\n`);
    proxy.accepted += 1;
    clients.add(client);
    client.once('close', () => clients.delete(client));
    pass(client, upstream, (line) => proxy.toServer(line));
    pass(upstream, client, (line) => proxy.fromServer(line));
  });
  const pass = (from: Socket, to: Socket, change: (line: string) => string | undefined): void => {
    sockets.add(from);
    let rest = '';
    from.setEncoding('latin1');
    from.on('data', (chunk: string) => {
      if (proxy.isBlackhole) return;
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop() ?? '';
      const changed = lines.map(change).filter((line) => line !== undefined);
      if (changed.length > 0) to.write(`${changed.join('\r\n')}\r\n`, 'latin1');
    });
    from.on('error', () => undefined);
    from.once('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const proxy: IrcProxy = {
    port: (server.address() as AddressInfo).port,
    accepted: 0,
    isBlackhole: false,
    toServer: (line) => line,
    fromServer: (line) => line,
    tell: (line) => {
      for (const client of clients) client.write(`${line}\r\n`, 'latin1');
    },
    reset: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
