import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Drain } from '../../../../src/connector/http/drain.ts';

const TIMES = { listenMs: 20, idleMs: 40, deadlineMs: 60_000 };

test('connections without a request, with a part of a header, and with an answer behind them are closed as idle ones', async () => {
  await using draining = await startDraining();
  const [silent, half, used] = [await draining.connect(), await draining.connect(), await draining.connect()];
  half.socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
  used.socket.write('GET /used HTTP/1.1\r\nHost: x\r\n\r\nGET / HTT');
  await expect.poll(used.text).toContain('answer');

  await draining.drain.end(draining.server, TIMES);

  await Promise.all([silent.closed, half.closed, used.closed]);
  expect(draining.handled).toEqual(['/used']);
});

test('requests behind the one whose answer is the last of its connection are not carried out', async () => {
  await using draining = await startDraining();
  const { socket, text, closed } = await draining.connect();
  const ended = draining.drain.end(draining.server, { ...TIMES, listenMs: 500, idleMs: 2_000 });
  socket.write(
    ['/1', '/2', '/3'].map((path) => `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`).join(''),
  );

  await closed;

  expect(draining.handled).toEqual(['/1']);
  expect(text().match(/Connection: close/g)).toHaveLength(1);
  await draining[Symbol.asyncDispose]();
  await ended;
});

test('a request under way is answered after the listener and idle connections have closed', async () => {
  await using draining = await startDraining();
  const { socket, text, closed } = await draining.connect();
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
  await expect.poll(() => draining.open.has('/slow')).toBe(true);
  const idle = await draining.connect();

  const ended = draining.drain.end(draining.server, TIMES);
  await idle.closed;
  expect(draining.server.listening).toBe(false);
  draining.open.get('/slow')?.end('late answer');

  await Promise.all([closed, ended]);
  expect(text()).toContain('late answer');
  expect(text()).toContain('Connection: close');
});

test('a process that was stopped for a moment refuses no client that connects behind those who did so meanwhile', async () => {
  await using draining = await startDraining();
  await draining.connect();
  const followers: Promise<Socket>[] = [];
  draining.server.on('connection', () => {
    if (followers.length < FOLLOWERS) followers.push(connected(draining.port));
  });

  const ended = draining.drain.end(draining.server, TIMES);
  followers.push(connected(draining.port));
  stopProcess();

  await expect.poll(() => followers.length).toBe(FOLLOWERS);
  const sockets = await Promise.all(followers);
  await ended;
  expect(sockets.map(({ errored }) => errored)).toEqual(sockets.map(() => null));
});

const FOLLOWERS = 6;

/** Stops for longer than it takes until no client counts as about to connect. */
const stopProcess = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);

/** Connects; an error of the connection stays with it. */
function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) =>
    socket.once('connect', () => socket.once('close', () => resolve(socket))).once('error', () => resolve(socket)),
  );
}

/** A server that answers all but `/slow` at once. */
async function startDraining(): Promise<Draining> {
  const [handled, open, drain] = [[] as string[], new Map<string, ServerResponse>(), new Drain()];
  const server = createServer(
    drain.serving((req, res) => {
      handled.push(req.url ?? '');
      if (req.url === '/slow') open.set(req.url, res);
      else res.end('answer');
    }),
  );
  drain.watch(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ drain, server, port, handled, open },
    connect: async () => {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      socket.on('error', () => undefined);
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      await new Promise<void>((resolve) => socket.once('connect', () => resolve()));
      return { socket, text: () => text, closed };
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Draining extends AsyncDisposable {
  drain: Drain;
  server: Server;
  port: number;
  /** Paths that were handled, in order. */
  handled: string[];
  /** Requests that the test answers. */
  open: Map<string, ServerResponse>;
  connect(): Promise<{ socket: Socket; text: () => string; closed: Promise<void> }>;
}
