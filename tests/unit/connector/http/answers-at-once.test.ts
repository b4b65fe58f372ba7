import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { RequestHandler } from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { REQUESTS_OF_ACCOUNT_AT_ONCE as AT_ONCE } from '../../../../src/connector/domain/limits.ts';
import type { VerifiedToken } from '../../../../src/connector/domain/verified-token.ts';
import type { GuardedRoute } from '../../../../src/connector/http/guarded-route.ts';
import { type EdgeParts, startEdge } from '../../../harness/edge-server.ts';
import { type FrontDoor, openFrontDoor } from '../../../harness/front-door.ts';

const WORDS = `${AT_ONCE} requests of this account are being answered, and no more may be at once: let some of them end: try again in 1 s`;

const ofAda: VerifiedToken = { accountId: 'acc_ada', clientId: 'one', scopes: [], expiresAt: 4_000_000_000 };
const TOKENS: Record<string, VerifiedToken> = {
  ada: ofAda,
  adas: { ...ofAda, clientId: 'another' },
  bob: { ...ofAda, accountId: 'acc_bob' },
};

const until = (count: () => number, expected: number): Promise<void> => expect.poll(count).toBe(expected);

test('while a hundred requests of a person are being answered, over all clients, the next is refused; another person’s is not, and afterwards all are served', async () => {
  const edge = await startSlow();
  const held = [...edge.askOften('ada', AT_ONCE / 2), ...edge.askOften('adas', AT_ONCE / 2)];
  await until(edge.come, AT_ONCE);

  const refused = await edge.ask('ada', '/quick');

  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  expect(await refused.json()).toEqual({ error: { code: 'too_many_requests', message: WORDS } });
  expect([await edge.status('adas'), await edge.status('bob')]).toEqual([429, 200]);
  edge.end();
  expect((await Promise.all(held)).filter(({ status }) => status === 200)).toHaveLength(AT_ONCE);
  const again = edge.askOften('adas', AT_ONCE);
  await until(edge.come, AT_ONCE);
  edge.end();
  expect((await Promise.all(again)).filter(({ status }) => status === 200)).toHaveLength(AT_ONCE);
});

test('an answer that has ended gives back one place, also when its connection closes afterwards', async () => {
  const edge = await startSlow();
  const socket = await edge.connection('ada', 1);
  await until(edge.come, 1);
  const held = edge.askOften('ada', AT_ONCE - 1);
  await until(edge.come, AT_ONCE);

  edge.end(1);
  await once(socket, 'data');
  socket.destroy();
  await until(edge.closed, 1);
  const next = edge.ask('ada');
  await until(edge.come, AT_ONCE);

  expect(await edge.status('ada')).toBe(429);
  edge.end();
  expect((await Promise.all([...held, next])).filter(({ status }) => status === 200)).toHaveLength(AT_ONCE);
});

test('a client that hangs up gives back the places of all it has asked on that connection, and no more', async () => {
  const edge = await startSlow();
  const [several, one] = [await edge.connection('ada', 20), await edge.connection('ada', 1)];
  await until(edge.come, 21);
  edge.leave('ada', AT_ONCE - 21);
  await until(edge.come, AT_ONCE);
  expect(await edge.status('ada')).toBe(429);

  several.destroy();
  one.destroy();
  await until(edge.closed, 2);
  edge.leave('ada', 21);

  await until(edge.come, AT_ONCE + 21);
  expect(await edge.status('ada')).toBe(429);
});

test('a client that hangs up while its token is being checked keeps no place', async () => {
  const known = Promise.withResolvers<void>();
  let checked = 0;
  const edge = await startSlow({
    verifyToken: async (token) => {
      if (token !== 'ada') return TOKENS[token];
      checked += 1;
      await known.promise;
      return ofAda;
    },
  });
  const sockets = await Promise.all(Array.from({ length: AT_ONCE }, () => edge.connection('ada', 1)));
  await until(() => checked, AT_ONCE);

  for (const socket of sockets) socket.destroy();
  await until(edge.closed, AT_ONCE);
  known.resolve();
  await until(edge.come, AT_ONCE);

  expect(await edge.status('adas')).toBe(200);
});

/** Makes a bouncer without an answer to an account that goes online, until the returned function is called. */
function slowBouncer(door: FrontDoor): () => void {
  const released = Promise.withResolvers<void>();
  const { attach } = door.bouncer;
  door.bouncer.attach = async (...given) => {
    await released.promise;
    return attach(...given);
  };
  return () => released.resolve();
}

test('tools and REST are refused together, each in its own language, and another person’s are not', async () => {
  await using door = await openFrontDoor();
  const release = slowBouncer(door);
  const [ada, another, bob] = [
    await door.agent('ada'),
    await door.agent('ada', { client: 'another' }),
    await door.agent('bob'),
  ];
  const held = Array.from({ length: AT_ONCE }, () => ada.ask('go_online'));
  await until(() => door.presences.of(ada.accountId).depth.calls, AT_ONCE);

  const [tool, route] = [await another.ask('see_account_information'), await another.get('/v1/status')];

  for (const refused of [tool, route]) {
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
  }
  expect(await tool.json()).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: WORDS } });
  expect(await route.json()).toEqual({ error: { code: 'too_many_requests', message: WORDS } });
  expect([(await bob.get('/v1/status')).status, (await bob.ask('see_account_information')).status]).toEqual([200, 200]);
  release();
  expect((await Promise.all(held)).filter(({ status }) => status === 200)).toHaveLength(AT_ONCE);
  expect(await another.call('see_account_information')).toMatchObject({ presence: 'online' });
});

/** An edge with a route at `/slow` that answers when the test says, and one at `/quick` that answers at once. */
async function startSlow(parts: EdgeParts = {}) {
  const ends: (() => void)[] = [];
  const connections = new Set<Socket>();
  const seen: RequestHandler = ({ socket }, _res, next) => {
    connections.add(socket);
    next();
  };
  const route = (path: string, answer: RequestHandler): GuardedRoute => ({
    ...{ method: 'get', path, before: [seen], guard: { token: {} }, speaks: 'json', handlers: [answer] },
  });
  const edge = await startEdge({
    tokens: TOKENS,
    guarded: [
      route('/slow', (_req, res) => void ends.push(() => res.json({ ok: true }))),
      route('/quick', (_req, res) => void res.json({ ok: true })),
    ],
    ...parts,
  });
  onTestFinished(() => edge[Symbol.asyncDispose]());
  const ask = (token: string, path = '/slow') =>
    fetch(edge.url + path, { headers: { authorization: `Bearer ${token}` } });
  return {
    ask,
    /** Sends `count` requests of this client at once, and returns their answers. */
    askOften: (token: string, count: number) => Array.from({ length: count }, () => ask(token)),
    /** Sends `count` requests of this client and ignores their answers. */
    leave: (token: string, count: number) => {
      for (let n = 0; n < count; n += 1) ask(token).catch(() => undefined);
    },
    status: async (token: string) => (await ask(token, '/quick')).status,
    /** Sends `count` requests of this client, one behind the other on one connection. */
    connection: async (token: string, count: number, path = '/slow'): Promise<Socket> => {
      const socket = connect(Number(new URL(edge.url).port), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`.repeat(count));
      return socket;
    },
    /** Number of requests that came through to `/slow`. */
    come: () => ends.length,
    /** Number of connections that have been seen to close. */
    closed: () => [...connections].filter(({ closed }) => closed).length,
    end: (count = ends.length) => {
      for (const end of ends.splice(0, count)) end();
    },
  };
}
