import { rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

export interface PostgresProxy extends AsyncDisposable {
  /** The next transaction is committed, and the connection ends before the client hears of it. */
  loseNextCommit(): void;
  /** Nothing passes any more, and nobody is told. */
  hang(): void;
  /** Nothing passes until `mend`, as in a network that is cut: what was sent meanwhile comes later. */
  cut(): void;
  mend(): void;
  /** Nothing passes on the connections that are open, as when a firewall has forgotten them; new ones work. */
  forget(): void;
  /** Ends all connections; new ones lead to another server, as when an address passes to a replica. */
  moveTo(server: { host: string; port: number }): void;
  /** What clients have sent since `hang`. */
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
  let isArmed = false;
  let isHanging = false;
  let isCut = false;
  let swallowed = '';
  const proxy = createServer((client) => {
    const upstream = connect(socketOf(target.host, target.port));
    let isLost = false;
    client.on('data', (chunk) => {
      if (isArmed && chunk.includes('COMMIT')) {
        isArmed = false;
        isLost = true;
      }
      if (isHanging) swallowed += chunk.toString();
      else upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (isLost) client.destroy();
      else if (!isHanging) client.write(chunk);
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
    loseNextCommit: () => {
      isArmed = true;
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
