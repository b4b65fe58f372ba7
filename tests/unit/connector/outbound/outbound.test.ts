import { createSocket } from 'node:dgram';
import { createServer, setGlobalProxyFromEnv } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { createOutbound, type OutboundOptions } from '../../../../src/connector/outbound/outbound.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';
import { createAuthority } from '../../../harness/test-authority.ts';
import { startDns } from '../../../harness/tiny-dns.ts';
import { watchConnections } from '../../../harness/watch-connections.ts';
import { watchIdle } from '../../../harness/watch-idle.ts';
import { startReceiver } from '../../../harness/webhook-receiver.ts';

/** A free address of global unicast: it passes for public, and no machine answers there. */
const NOBODY = '2e00::1';
const SHORT_MS = 500;

const post = (url: string, options: OutboundOptions = {}, answerBytesMax = 4_096) =>
  createOutbound(options).send({ url, method: 'POST', headers: { 'x-test': 'yes' }, body: '"hello"', answerBytesMax });

const REFUSED = { kind: 'unreachable', failure: 'connection_refused' };

for (const host of [
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '0177.0.0.1',
  '2130706433',
  '%31%32%37.0.0.1',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '0.0.0.0',
  '[::]',
  '10.0.0.1',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  'localhost',
  'localhost.',
  'LOCALHOST',
]) {
  test(`no connection is made to ${host}, which is not public`, async () => {
    await using receiver = await startReceiver();
    await using dns = await startDns(() => ['127.0.0.1', '::1']);
    using watch = watchConnections();

    const answer = await post(`https://${host}:${receiver.port}/`, { dnsServers: [dns.address] });

    expect(answer).toEqual(REFUSED);
    expect([watch.count(), receiver.connectionCount()]).toEqual([0, 0]);
  });
}

for (const [what, addresses] of [
  ['this machine', ['127.0.0.1']],
  ['a private network', ['192.168.7.7', '10.1.1.1']],
  ['a public address and this machine', [NOBODY, '127.0.0.1']],
  ['a public address and this machine as IPv6', [NOBODY, '::1']],
  ['a public address and the metadata of a cloud', [NOBODY, '169.254.169.254']],
  ['this machine, written as IPv6', ['0:0:0:0:0:ffff:7f00:1']],
  ['nothing', []],
] as const) {
  test(`no connection is made to a name that stands for ${what}`, async () => {
    await using dns = await startDns((name) => (name === 'hooks.example' ? addresses : undefined));
    using watch = watchConnections();

    const answer = await post('https://hooks.example/', { dnsServers: [dns.address] });

    expect(answer).toEqual(REFUSED);
    expect(dns.asked).toContain('hooks.example');
    expect(watch.count()).toBe(0);
  });
}

test('an unknown name is refused', async () => {
  await using dns = await startDns(() => undefined);

  expect(await post('https://metadata.google.internal/', { dnsServers: [dns.address] })).toEqual(REFUSED);
});

test('a name that points elsewhere after a request is vetted anew at the next one', async () => {
  await using receiver = await startReceiver();
  await using dns = await startDns(() => [NOBODY]);
  const outbound = createOutbound({ dnsServers: [dns.address], deadlineMs: SHORT_MS });
  const request = {
    url: `https://hooks.example:${receiver.port}/`,
    method: 'POST',
    headers: {},
    answerBytesMax: 10,
  } as const;
  using watch = watchConnections();
  await outbound.send(request);
  const tried = watch.count();

  dns.zone = () => ['127.0.0.1'];
  const answer = await outbound.send(request);

  // The first one was allowed to try.
  expect(tried).toBeGreaterThan(0);
  expect(answer).toEqual(REFUSED);
  expect([watch.count(), receiver.connectionCount()]).toEqual([tried, 0]);
});

test('a name that points elsewhere while a request is under way is not asked for again', async () => {
  await using receiver = await startReceiver();
  await using dns = await startDns(() => {
    // A client that asks twice for a kind of address is sent to this machine.
    return dns.asked.length <= 2 ? [NOBODY] : ['127.0.0.1', '::1'];
  });

  await post(`https://hooks.example:${receiver.port}/`, { dnsServers: [dns.address], deadlineMs: SHORT_MS });

  expect(dns.asked).toEqual(['hooks.example', 'hooks.example']);
  expect(receiver.connectionCount()).toBe(0);
});

test('a name server that does not answer is given up at the deadline', async () => {
  const silent = createSocket('udp4');
  await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
  const dnsServers = [`127.0.0.1:${silent.address().port}`];
  using waited = watchIdle();

  const answer = await post('https://hooks.example/', { dnsServers, deadlineMs: SHORT_MS });
  silent.close();

  expect(answer).toEqual({ kind: 'unreachable', failure: 'timeout' });
  expect(waited.read()).toBeLessThan(SHORT_MS * 4);
});

test('http is for listed hosts that are this machine, and for no others', async () => {
  await using receiver = await startReceiver();
  const { port } = receiver;
  const listed = { allowHosts: ['127.0.0.1', 'localhost', '10.0.0.1', 'hooks.internal'] };

  const answers = [
    await post(`http://127.0.0.1:${port}/`, listed),
    await post(`http://localhost:${port}/`, listed),
    await post(`http://127.1:${port}/`, listed),
    await post(`http://127.0.0.2:${port}/`, listed),
    await post(`http://10.0.0.1:${port}/`, listed),
    await post(`http://hooks.internal:${port}/`, listed),
    await post(`http://127.0.0.1:${port}/`),
  ];

  expect(answers.map((answer) => (answer.kind === 'answered' ? answer.status : answer.failure))).toEqual([
    ...[204, 204, 204],
    ...Array.from({ length: 4 }, () => 'connection_refused'),
  ]);
  expect(receiver.requests).toHaveLength(3);
});

test('a request arrives whole, and its answer comes back', async () => {
  await using receiver = await startReceiver({
    answer: (_request, response) => {
      response.writeHead(201, { 'retry-after': '7' }).end('taken');
      return 'answered';
    },
  });

  const answer = await post(`${receiver.url}?a=1&b=%20x`, { allowHosts: ['127.0.0.1'] });

  expect(answer).toMatchObject({ kind: 'answered', status: 201, body: 'taken', headers: { 'retry-after': '7' } });
  expect(receiver.requests).toMatchObject([
    {
      method: 'POST',
      path: '/hook?a=1&b=%20x',
      body: '"hello"',
      headers: { host: `127.0.0.1:${receiver.port}`, 'x-test': 'yes', 'content-length': '7' },
    },
  ]);
});

test('a process that lost its right to act while the name was looked up sends no request', async () => {
  let isAllowed = true;
  await using dns = await startDns(() => {
    isAllowed = false;
    return [NOBODY];
  });
  using watch = watchConnections();

  const sent = post('https://receiver.test/', { dnsServers: [dns.address], mayAct: () => isAllowed });

  await expect(sent).rejects.toThrow('may not send a request now');
  expect(watch.count()).toBe(0);
});

test('a request that is abandoned before its connection stands is never written, and one that was written is answered', async () => {
  await using receiver = await startReceiver();
  const outbound = createOutbound({ allowHosts: ['127.0.0.1'] });
  const send = (path: string) =>
    outbound.send({
      url: `${receiver.url}/${path}`,
      method: 'POST',
      headers: {},
      body: '"hello"',
      answerBytesMax: 4_096,
    });
  const arrived = Promise.withResolvers<() => void>();
  receiver.answer = (_request, response) => {
    arrived.resolve(() => response.writeHead(204).end());
    return 'answered';
  };
  const written = send('written');
  const answer = await arrived.promise;

  const abandoned = send('abandoned');
  outbound.abandonUnwritten();
  const outcome = expect(abandoned).rejects.toThrow('may not send a request now');
  answer();

  await outcome;
  expect(await written).toMatchObject({ kind: 'answered', status: 204 });
  expect(receiver.requests.map(({ path }) => path)).toEqual(['/hook/written']);
});

test('a redirect is an answer like any other, and is not followed', async () => {
  await using inside = await startReceiver();
  await using receiver = await startReceiver({
    answer: (_request, response) => {
      response.writeHead(302, { location: inside.url }).end();
      return 'answered';
    },
  });

  expect(await post(receiver.url, { allowHosts: ['127.0.0.1'] })).toMatchObject({ kind: 'answered', status: 302 });
  expect(inside.connectionCount()).toBe(0);
});

test('no more of an answer is read than asked for', async () => {
  let written = 0;
  await using receiver = await startReceiver({
    answer: (_request, response) => {
      response.writeHead(200);
      const piece = Buffer.alloc(65_536);
      const more = (): void => {
        while (!response.destroyed && written < 10_485_760) {
          written += piece.length;
          if (!response.write(piece)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
      return 'answered';
    },
  });

  const answer = await post(receiver.url, { allowHosts: ['127.0.0.1'] });

  expect(answer).toMatchObject({ kind: 'answered', status: 200, body: undefined });
  // The rest fits no buffer of the machine.
  expect(written).toBeLessThan(10_485_760);
});

test('a body that trickles in ends at the deadline, and so does a head', async () => {
  await using slowBody = await startPeer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
    const timer = setInterval(() => socket.write('x'), 20);
    socket.on('close', () => clearInterval(timer));
  });
  await using slowHead = await startPeer((socket) => {
    const timer = setInterval(() => socket.write('H'), 20);
    socket.on('close', () => clearInterval(timer));
    socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
  });
  const options = { allowHosts: ['127.0.0.1'], deadlineMs: SHORT_MS };
  using waited = watchIdle();

  const [body, head] = await Promise.all([
    post(`http://127.0.0.1:${slowBody.port}/`, options),
    post(`http://127.0.0.1:${slowHead.port}/`, options),
  ]);

  expect(body).toMatchObject({ kind: 'answered', status: 200, body: undefined });
  expect(head).toEqual({ kind: 'unreachable', failure: 'timeout' });
  expect(waited.read()).toBeLessThan(SHORT_MS * 4);
});

for (const [what, speak, expected] of [
  ['nothing', () => undefined, 'timeout'],
  ['goodbye', (socket: Socket) => socket.destroy(), 'no_answer'],
  ['another protocol', (socket: Socket) => socket.end('220 mail.example ESMTP\r\n'), 'no_answer'],
  [
    'a head of a megabyte',
    (socket: Socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(1_048_576)}\r\n\r\n`),
    'no_answer',
  ],
  [
    'one interim answer after the other',
    (socket: Socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20)),
    'no_answer',
  ],
  [
    'that it switches protocols',
    (socket: Socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    'no_answer',
  ],
] as const) {
  test(`a peer that says ${what} is reported as ${expected}`, async () => {
    await using peer = await startPeer((socket) => void socket.once('data', () => speak(socket)));
    const deadlineMs = expected === 'timeout' ? SHORT_MS : 60_000;
    const options = { allowHosts: ['127.0.0.1'], deadlineMs };

    expect(await post(`http://127.0.0.1:${peer.port}/`, options)).toEqual({ kind: 'unreachable', failure: expected });
  });
}

test('a port without a listener is reported as refused', async () => {
  const receiver = await startReceiver();
  await receiver[Symbol.asyncDispose]();

  expect(await post(receiver.url, { allowHosts: ['127.0.0.1'] })).toEqual(REFUSED);
});

test('certificates are verified: by the authorities of Node.js and the owner’s own, for the name that was asked', async () => {
  await using folder = await tempFolder();
  const authority = await createAuthority(folder.path);
  await using receiver = await startReceiver({ tls: await authority.issue('IP:127.0.0.1') });
  await using other = await startReceiver({ tls: await authority.issue('DNS:other.example') });
  await using plain = await startReceiver();
  const allowHosts = ['127.0.0.1'];
  const trusting = { allowHosts, authorities: authority.certificate };

  expect(await post(receiver.url, trusting)).toMatchObject({ kind: 'answered', status: 204 });
  for (const [url, options] of [
    [receiver.url, { allowHosts }],
    [other.url, trusting],
    [plain.url.replace('http:', 'https:'), trusting],
  ] as const) {
    expect(await post(url, options)).toEqual({ kind: 'unreachable', failure: 'tls_error' });
  }
  expect([other.requests, plain.requests]).toEqual([[], []]);
});

test('proxies that the environment names are not used', async () => {
  await using receiver = await startReceiver();
  let asked = 0;
  const proxy = createServer((_req, res) => {
    asked += 1;
    res.writeHead(502).end();
  });
  proxy.on('connect', (_req, socket) => {
    asked += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const restore = setGlobalProxyFromEnv({ http_proxy: address, https_proxy: address, no_proxy: '' });
  try {
    expect(await post(receiver.url, { allowHosts: ['127.0.0.1'] })).toMatchObject({ status: 204 });
  } finally {
    restore();
    proxy.close();
  }
  expect(asked).toBe(0);
});

test('closing ends the requests under way, and no other begins', async () => {
  await using silent = await startPeer(() => undefined);
  await using receiver = await startReceiver();
  const outbound = createOutbound({ allowHosts: ['127.0.0.1'] });
  const send = (url: string) => outbound.send({ url, method: 'GET', headers: {}, answerBytesMax: 10 });
  const underWay = send(`http://127.0.0.1:${silent.port}/`);

  outbound.close();

  expect(await underWay).toEqual({ kind: 'unreachable', failure: 'timeout' });
  expect(await send(receiver.url)).toEqual({ kind: 'unreachable', failure: 'timeout' });
  expect(receiver.connectionCount()).toBe(0);
});

/** A peer that speaks what the test wants, at the level of bytes. */
async function startPeer(speak: (socket: Socket) => void): Promise<{ port: number } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server: Server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    speak(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
