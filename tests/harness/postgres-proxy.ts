import { rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

export interface PostgresProxy extends AsyncDisposable {
  /** Each answer of the server comes this much later, as from far away. */
  answerLaterBy(ms: number): void;
  /** The next transaction is committed, and the connection ends before the client hears of it. */
  loseNextCommit(): void;
  /** The connection ends at the next statement with these words: before the server gets it, or before its answer. */
  cutAt(words: string, what: 'statement' | 'answer'): void;
  /** Whether a cut that was asked for has still to come. */
  readonly isArmed: boolean;
  /** Stops all traffic for good; connections stay open, so no side notices. */
  hang(): void;
  /** Holds all traffic until `mend`, as a network that is cut: what was sent meanwhile comes later. */
  cut(): void;
  mend(): void;
  /** Stops all traffic on the connections that are open, as when a firewall has forgotten them; new ones work. */
  forget(): void;
  /** Stops all traffic on connections that listen to notices, also on later ones; none of them ends. */
  deafen(): void;
  /** Ends all connections; new ones lead to another server, as when an address passes to a replica. */
  moveTo(server: { host: string; port: number }): void;
  /** Text that clients have sent since `hang`. */
  readonly swallowed: string;
}

const socketOf = (directory: string, port: number): string => join(directory, `.s.PGSQL.${port}`);

/** Stands in a directory of its own before the socket of a real PostgreSQL. */
export async function startPostgresProxy(
  directory: string,
  server: { host: string; port: number },
): Promise<PostgresProxy> {
  const sockets = new Set<Socket>();
  let target = server;
  let armed: { words: string; what: 'statement' | 'answer' } | undefined;
  let isHanging = false;
  let isCut = false;
  let isDeaf = false;
  let swallowed = '';
  let laterMs = 0;
  const cutFor = (chunk: Buffer): 'statement' | 'answer' | undefined => {
    if (armed === undefined || !chunk.includes(armed.words)) return undefined;
    const { what } = armed;
    armed = undefined;
    return what;
  };
  const proxy = createServer((client) => {
    const upstream = connect(socketOf(target.host, target.port));
    let isLost = false;
    let listens = false;
    client.on('data', (chunk) => {
      listens ||= chunk.includes('LISTEN ');
      const cut = cutFor(chunk);
      if (cut === 'statement') {
        client.destroy();
        return;
      }
      isLost ||= cut === 'answer';
      if (isDeaf && listens) return;
      if (isHanging) swallowed += chunk.toString();
      else upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (isLost) client.destroy();
      else if (isDeaf && listens) return;
      else if (!isHanging && laterMs === 0) client.write(chunk);
      // Timers of the same length end in the order in which they began.
      else if (!isHanging) setTimeout(() => client.write(chunk), laterMs);
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      if (isCut) socket.pause();
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  const path = socketOf(directory, server.port);
  await new Promise<void>((resolve) => proxy.listen(path, resolve));
  return {
    answerLaterBy: (ms) => {
      laterMs = ms;
    },
    loseNextCommit: () => {
      armed = { words: 'COMMIT', what: 'answer' };
    },
    cutAt: (words, what) => {
      armed = { words, what };
    },
    get isArmed() {
      return armed !== undefined;
    },
    hang: () => {
      isHanging = true;
    },
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    mend: () => {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
    deafen: () => {
      isDeaf = true;
    },
    forget: () => {
      for (const socket of sockets) socket.pause();
    },
    moveTo: (other) => {
      target = other;
      for (const socket of sockets) socket.destroy();
    },
    get swallowed() {
      return swallowed;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
      await rm(path, { force: true });
    },
  };
}
