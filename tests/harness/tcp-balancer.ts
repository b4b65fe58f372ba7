import { request } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const HOST = '127.0.0.1';
/** Interval and deadline of health checks. */
const CHECK_MS = 400;
const ANSWER_DEADLINE_MS = 10_000;

export interface TcpBalancer extends AsyncDisposable {
  /** Connections that each server has got so far, in the order of the ports. */
  connections(): number[];
  /** Ends all connections by a reset. */
  cut(): void;
}

interface Upstream {
  port: number;
  answerDeadlineMs: number;
  isWell: boolean;
  connections: number;
}

/**
 * Passes connections on to several servers by turns, without a look at what is in them: to those that answered the last
 * `/healthz` with 200, or to the next one where a server takes no connection.
 * @param answerDeadlineMs after which a server that gives no answer gets no more connections
 */
export async function startTcpBalancer(
  port: number,
  ports: readonly number[],
  answerDeadlineMs = ANSWER_DEADLINE_MS,
): Promise<TcpBalancer> {
  const upstreams = ports.map((each): Upstream => ({ port: each, answerDeadlineMs, isWell: false, connections: 0 }));
  const sockets = new Set<Socket>();
  let turn = 0;
  const inTurn = (): Upstream[] => {
    turn += 1;
    const rotated = upstreams.map((_, n) => upstreams[(n + turn) % upstreams.length]);
    return rotated.filter((each): each is Upstream => each?.isWell === true);
  };
  const server = createServer({ pauseOnConnect: true }, (client) => {
    keep(client, sockets);
    void passOn(client, inTurn(), sockets);
  });
  const ends = new AbortController();
  await Promise.all(upstreams.map(check));
  const checks = upstreams.map((upstream) => checkUntil(ends.signal, upstream));
  await new Promise<void>((resolve) => server.listen(port, HOST, resolve));
  return {
    connections: () => upstreams.map(({ connections }) => connections),
    cut: () => {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    [Symbol.asyncDispose]: async () => {
      ends.abort();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await Promise.all(checks);
    },
  };
}

async function passOn(client: Socket, candidates: readonly Upstream[], sockets: Set<Socket>): Promise<void> {
  for (const upstream of candidates) {
    const socket = await connected(upstream.port);
    if (socket === undefined) continue;
    upstream.connections += 1;
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

async function check(upstream: Upstream): Promise<void> {
  upstream.isWell = await isWell(upstream);
}

async function checkUntil(signal: AbortSignal, upstream: Upstream): Promise<void> {
  while (!signal.aborted) {
    await check(upstream);
    await delay(CHECK_MS, undefined, { signal }).catch(() => undefined);
  }
}

function isWell({ port, answerDeadlineMs }: Upstream): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ host: HOST, port, path: '/healthz', agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.setTimeout(answerDeadlineMs, () => asked.destroy());
    asked.once('error', () => resolve(false));
    asked.once('close', () => resolve(false));
    asked.end();
  });
}
