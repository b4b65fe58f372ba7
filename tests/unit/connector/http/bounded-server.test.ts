import { once } from 'node:events';
import { Agent, get, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createBoundedServer, type ServerLimits } from '../../../../src/connector/http/bounded-server.ts';

const LIMITS: ServerLimits = {
  ...{ waitingMax: 1_000, connectionsMax: 4_000 },
  ...{ headersMs: 60_000, requestMs: 60_000, silentMs: 60_000, keepAliveMs: 60_000, checkMs: 20 },
};

/** Length of a body that is larger than the buffers on the way. */
const LONG_BYTES = 16_000_000;

const POST_WITHOUT_END = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nnot all of it';

test('two thousand silent connections keep no client out: the oldest are closed, and a thousand stay', async () => {
  const { server, url, stranger } = await listening();
  const strangers: Stranger[] = [];
  for (let group = 0; group < 20; group += 1) {
    strangers.push(...(await Promise.all(Array.from({ length: 100 }, () => stranger()))));
  }

  expect(await (await fetch(url)).text()).toBe('ok');

  await expect.poll(() => strangers.filter(({ isOpen }) => isOpen).length).toBeLessThanOrEqual(LIMITS.waitingMax);
  expect(strangers.slice(0, 100).filter(({ isOpen }) => isOpen)).toEqual([]);
  const connections = await new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  expect(connections).toBeLessThanOrEqual(LIMITS.waitingMax + 1);
});

for (const [what, written] of [
  ['never end their headers', 'GET / HTTP/1.1\r\nHost: x\r\n'],
  ['never end their body', POST_WITHOUT_END],
  ['have had an answer and stay', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
] as const) {
  test(`connections that ${what} stay open up to their bound, and the newest is served`, async () => {
    const { url, stranger } = await listening({ waitingMax: 2 }, (req, res) => {
      req.resume().once('end', () => res.end('ok'));
    });
    const strangers: Stranger[] = [];
    for (let count = 0; count < 6; count += 1) strangers.push(await stranger(written));

    expect(await (await fetch(url)).text()).toBe('ok');

    await expect.poll(() => strangers.filter(({ isOpen }) => isOpen)).toHaveLength(1);
  });
}

test('connections that do not take their answer stay open up to their bound, and the newest is served', async () => {
  const { url, stranger } = await listening({ waitingMax: 2 }, ({ url: path }, res) => {
    res.end(path === '/long' ? Buffer.alloc(LONG_BYTES) : 'ok');
  });
  const strangers: Stranger[] = [];
  for (let count = 0; count < 6; count += 1) {
    const one = await stranger('GET /long HTTP/1.1\r\nHost: x\r\n\r\n');
    one.socket.pause();
    strangers.push(one);
  }

  expect(await (await fetch(url)).text()).toBe('ok');
  for (const { socket } of strangers) socket.resume();

  await expect.poll(() => strangers.filter(({ isOpen }) => isOpen)).toHaveLength(1);
});

test('a request that is being answered is not closed for others that wait', async () => {
  const arrived = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  const { url, stranger } = await listening({ waitingMax: 2 }, (req, res) => {
    req.resume().once('end', async () => {
      arrived.resolve();
      await mayAnswer.promise;
      res.end('late');
    });
  });
  const answer = fetch(url, { method: 'POST', body: 'all of it' });
  await arrived.promise;

  const strangers = [await stranger(), await stranger(), await stranger()];
  await expect.poll(() => strangers[0]?.isOpen).toBe(false);
  mayAnswer.resolve();

  expect(await (await answer).text()).toBe('late');
});

test('a connection that asks again waits from its last answer on', async () => {
  const { url, stranger } = await listening({ waitingMax: 2 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const ask = async (): Promise<Socket> => {
    const request = get(url, { agent });
    const [response] = await once(request, 'response');
    await once(response.resume(), 'end');
    return request.socket as Socket;
  };
  const kept = await ask();
  const older = await stranger();
  expect(await ask()).toBe(kept);

  await stranger();

  await expect.poll(() => older.isOpen).toBe(false);
  expect(await ask()).toBe(kept);
});

test('above the number of all connections a further one is closed, and those that are served stay', async () => {
  const arrived = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<void>();
  const { url, stranger } = await listening({ connectionsMax: 1 }, async (_req, res) => {
    arrived.resolve();
    await mayAnswer.promise;
    res.end('served');
  });
  const answer = fetch(url);
  await arrived.promise;

  const refused = await stranger();

  await expect.poll(() => refused.isOpen).toBe(false);
  mayAnswer.resolve();
  expect(await (await answer).text()).toBe('served');
});

for (const [what, limits, written] of [
  ['no word', { headersMs: 50 }, ''],
  ['not all headers', { headersMs: 50 }, 'GET / HTTP/1.1\r\nHost: x\r\n'],
  ['not all of a body', { headersMs: 50, requestMs: 50 }, POST_WITHOUT_END],
  ['no answer, and nothing else,', { silentMs: 50 }, 'GET /never HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['no further request', { keepAliveMs: 50 }, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
] as const) {
  test(`a connection on which ${what} comes is closed when its time is over`, async () => {
    const { stranger } = await listening(limits, (req, res) => {
      if (req.url !== '/never') req.resume().once('end', () => res.end('ok'));
    });

    const one = await stranger(written);

    await expect.poll(() => one.isOpen).toBe(false);
  });
}

async function listening(limits: Partial<ServerLimits> = {}, handler: RequestListener = (_req, res) => res.end('ok')) {
  const server = createBoundedServer(handler, { ...LIMITS, ...limits });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  /** Connects a client that writes no more than this. */
  const stranger = async (written = ''): Promise<Stranger> => {
    const socket = connect(port, '127.0.0.1');
    const one = { socket, isOpen: true };
    socket.on('error', () => undefined).on('data', () => undefined);
    socket.once('close', () => {
      one.isOpen = false;
    });
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write(written);
    return one;
  };
  return { server, url: `http://127.0.0.1:${port}`, stranger };
}

interface Stranger {
  socket: Socket;
  isOpen: boolean;
}
