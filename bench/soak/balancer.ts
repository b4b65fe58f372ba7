import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { healthOf } from '../../tests/harness/beside.ts';

const HOST = '127.0.0.1';
const CHECK_MS = 500;

export interface Balancer extends AsyncDisposable {
  /** Ends all connections. */
  cut(): void;
}

/** Passes connections on by turns, to the servers whose last `/healthz` was answered with 200. */
export async function startBalancer(port: number, ports: readonly number[]): Promise<Balancer> {
  const sockets = new Set<Socket>();
  const well = new Set<number>();
  let turn = 0;
  const server = createServer({ pauseOnConnect: true }, (client) => {
    keep(client, sockets);
    turn += 1;
    const rotated = ports.map((_, n) => ports[(n + turn) % ports.length]);
    void passOn(
      client,
      rotated.filter((each): each is number => each !== undefined && well.has(each)),
      sockets,
    );
  });
  const ends = new AbortController();
  const look = async (each: number): Promise<void> => {
    if ((await healthOf({ port: each }))?.status === 200) well.add(each);
    else well.delete(each);
  };
  await Promise.all(ports.map(look));
  const checks = ports.map(async (each) => {
    while (!ends.signal.aborted) {
      await look(each);
      await delay(CHECK_MS, undefined, { signal: ends.signal }).catch(() => undefined);
    }
  });
  await new Promise<void>((resolve) => server.listen(port, HOST, resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    cut,
    [Symbol.asyncDispose]: async () => {
      ends.abort();
      cut();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all(checks);
    },
  };
}

async function passOn(client: Socket, ports: readonly number[], sockets: Set<Socket>): Promise<void> {
  for (const port of ports) {
    const socket = await connected(port);
    if (socket === undefined) continue;
    keep(socket, sockets);
    client.on('close', () => socket.destroy());
    socket.on('close', () => client.destroy());
    client.pipe(socket).pipe(client);
    return;
  }
  client.destroy();
}

function connected(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, HOST, () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}

function keep(socket: Socket, sockets: Set<Socket>): void {
  sockets.add(socket);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.once('close', () => sockets.delete(socket));
}
