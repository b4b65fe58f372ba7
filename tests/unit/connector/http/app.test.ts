import { request } from 'node:http';
import { type RequestHandler, Router } from 'express';
import { expect, test } from 'vitest';
import type { VerifiedToken } from '../../../../src/connector/domain/verified-token.ts';
import { ConnectorError } from '../../../../src/connector/errors.ts';
import { formBody } from '../../../../src/connector/http/body.ts';
import type { GuardedRoute } from '../../../../src/connector/http/guarded-route.ts';
import { type Language, requesterOf, speak } from '../../../../src/connector/http/requester.ts';
import { type EdgeServer, startEdge } from '../../../harness/edge-server.ts';

const TOKEN: VerifiedToken = { accountId: 'acc_1', clientId: 'client', scopes: ['irc:read'], expiresAt: 2_000_000 };
const LIMIT = 5;

const done: RequestHandler = (_req, res) => {
  res.json({ ok: true });
};

const ofToken: GuardedRoute = {
  method: 'get',
  path: '/mine/:what',
  guard: { token: { scope: 'irc:read' } },
  speaks: 'json',
  handlers: [(_req, res) => void res.json({ account: requesterOf(res).accountId })],
};

const ofAdmin: GuardedRoute = {
  method: 'post',
  path: '/owner',
  guard: 'admin',
  speaks: 'json',
  bodyMaxBytes: 100,
  handlers: [done],
};

const ofNobody: GuardedRoute = {
  ...ofToken,
  path: '/nobodys',
  before: [() => Promise.reject(new ConnectorError('origin_refused', 'not from there'))],
};

const opening = (path: string, ...handlers: RequestHandler[]): Router => Router().all(path, ...handlers);

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const within = <T>(count: number, first: T, then: T): T[] =>
  Array.from({ length: 9 }, (_, n) => (n < count ? first : then));

for (const [what, path, init, status] of [
  ['an open route', '/open', {}, 200],
  ['a path that leads nowhere', '/nowhere', {}, 404],
  ['a route for tokens', '/mine/a', {}, 401],
  ['a route for tokens, whose path is not UTF-8', '/mine/%ff', {}, 401],
  ['another method of a route for tokens', '/mine/a', { method: 'DELETE' }, 405],
  ['the options of a route for tokens', '/mine/a', { method: 'OPTIONS' }, 405],
  ['a route that refuses where a request comes from', '/nobodys', {}, 403],
  ['a route of the owner', '/owner', { method: 'POST' }, 401],
  ['another method of a route of the owner', '/owner', {}, 405],
] as const) {
  for (const [who, headers] of [
    ['nothing', {}],
    ['a made-up token', bearer('made-up')],
    ['a password', { authorization: 'Basic YTpi' }],
  ] as const) {
    test(`${what}, asked with ${who}, refuses an address that asks too often`, async () => {
      await using edge = await startEdge({
        guarded: [ofToken, ofNobody, ofAdmin],
        open: [opening('/open', done)],
        perAddress: LIMIT,
      });

      expect((await statuses(9, edge.url + path, { ...init, headers })).toSorted()).toEqual(within(LIMIT, status, 429));
    });
  }
}

test('the count of an address is one over all routes, and that of another address is its own', async () => {
  await using edge = await startEdge({
    guarded: [ofToken, ofAdmin],
    open: [opening('/open', done)],
    perAddress: LIMIT,
  });
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address, ...bearer('made-up') } });
  await statuses(3, `${edge.url}/open`, from('192.0.2.1'));
  await statuses(3, `${edge.url}/mine/a`, from('192.0.2.1'));

  expect(await statuses(1, `${edge.url}/nowhere`, from('192.0.2.1'))).toEqual([429]);
  expect(await statuses(1, `${edge.url}/open`, from('192.0.2.2'))).toEqual([200]);
});

test('a caller with a valid token is refused for its own count alone, with the time to come back', async () => {
  const tokens = { good: TOKEN, renewed: TOKEN, other: { ...TOKEN, clientId: 'other' } };
  await using edge = await startEdge({ guarded: [ofToken], tokens, perAddress: 2, perClient: LIMIT });
  await statuses(9, `${edge.url}/mine/a`);

  const own = await statuses(9, `${edge.url}/mine/a`, { headers: bearer('good') });
  const refused = await fetch(`${edge.url}/mine/a`, { headers: bearer('renewed') });

  expect(own.toSorted()).toEqual(within(LIMIT, 200, 429));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
  expect(await statuses(1, `${edge.url}/mine/a`, { headers: bearer('other') })).toEqual([200]);
});

test('an address that guessed the admin token too often is refused with the right one, too; one that only asked is not', async () => {
  await using edge = await startEdge({ guarded: [ofAdmin], adminToken: 'right', perAddress: LIMIT });
  const post = (count: number, token: string, address: string) =>
    statuses(count, `${edge.url}/owner`, {
      method: 'POST',
      headers: { ...bearer(token), 'x-forwarded-for': address, 'content-type': 'application/json' },
      body: '{}',
    });
  await statuses(9, `${edge.url}/owner`, { method: 'POST', headers: { 'x-forwarded-for': '192.0.2.1' } });

  expect(await post(9, 'right', '192.0.2.1')).toEqual(within(9, 200, 429));
  expect((await post(9, 'wrong', '192.0.2.1')).filter((status) => status === 200)).toEqual([]);
  expect(await post(1, 'right', '192.0.2.1')).toEqual([429]);
  expect(await post(1, 'right', '192.0.2.2')).toEqual([200]);
});

test('no caller is admitted where no admin token is configured', async () => {
  await using edge = await startEdge({ guarded: [ofAdmin] });

  expect(await statuses(1, `${edge.url}/owner`, { method: 'POST', headers: bearer('undefined') })).toEqual([401]);
});

test('a refused token learns the scopes that it has and the one that the route needs, and where the person allows it', async () => {
  const tokens: Record<string, VerifiedToken> = { poor: { ...TOKEN, scopes: ['irc:write'] } };
  await using edge = await startEdge({ guarded: [ofToken], tokens });

  const answer = await fetch(`${edge.url}/mine/a`, { headers: bearer('poor') });

  const words =
    'the person has not allowed irc:read to this client: let it sign in again and ask for irc:read irc:write; the person sees what it has at http://127.0.0.1/settings, and can revoke it there so that it asks anew';
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
    401,
    `Bearer error="insufficient_scope", error_description="${words}", scope="irc:read irc:write"`,
  ]);
  expect(await answer.json()).toEqual({ error: { code: 'scope_missing', message: words } });
});

const REFUSED = new ConnectorError('limit_invalid', 'the reason');

for (const [language, type, body] of [
  ['json', 'application/json', { error: { code: 'limit_invalid', message: 'the reason' } }],
  ['jsonrpc', 'application/json', { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'the reason' } }],
  ['oauth', 'application/json', { error: 'invalid_request', error_description: 'the reason' }],
  ['page', 'text/html', '<h1>That did not work</h1>the reason'],
] as const satisfies [Language, string, unknown][]) {
  test(`a refusal is answered in the language that its route speaks, as ${language}`, async () => {
    const refuse: RequestHandler = () => Promise.reject(REFUSED);
    await using edge = await startEdge({ open: [opening('/it', speak(language), refuse)] });

    const answer = await fetch(`${edge.url}/it`, { headers: { accept: language === 'page' ? '*/*' : 'text/html' } });

    expect([answer.status, answer.headers.get('cache-control')]).toEqual([400, 'no-store']);
    expect(answer.headers.get('content-type')).toContain(type);
    expect(type === 'text/html' ? await answer.text() : await answer.json()).toEqual(body);
  });
}

test('where no route has named a language, people get a page and programs get JSON', async () => {
  await using edge = await startEdge({});

  const page = await fetch(`${edge.url}/nowhere`, { headers: { accept: 'text/html,*/*' } });
  const json = await fetch(`${edge.url}/nowhere`);

  expect([page.status, await page.text()]).toEqual([404, '<h1>Not here</h1>there is nothing at this address']);
  expect([json.status, await json.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
});

test('a bug is logged, and the answer has no detail of it', async () => {
  const broken: RequestHandler = () => Promise.reject(new Error('the details'));
  await using edge = await startEdge({ open: [opening('/broken', broken)] });

  const answer = await fetch(`${edge.url}/broken`);

  expect([answer.status, await answer.json()]).toMatchObject([500, { error: { code: 'internal' } }]);
  expect(edge.log()).toContain('the details');
});

for (const [language, body] of [
  ['json', { error: { code: 'database_unavailable' } }],
  ['jsonrpc', { jsonrpc: '2.0', id: null, error: { code: -32603 } }],
  ['oauth', { error: 'temporarily_unavailable' }],
] as const) {
  test(`a database that does not answer is a fault of the service in ${language}, with the time of another try`, async () => {
    const refuse: RequestHandler = () => Promise.reject(new ConnectorError('database_unavailable', 'try again'));
    await using edge = await startEdge({ open: [opening('/it', speak(language), refuse)] });

    const answer = await fetch(`${edge.url}/it`);

    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await answer.json()).toMatchObject(body);
  });
}

for (const address of ['http://[', 'http://a%']) {
  test(`the address ${address}, which no router can read, is refused with a code`, async () => {
    await using edge = await startEdge({});
    const { port } = new URL(edge.url);

    const answer = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path: address }, async (res) => {
        let body = '';
        for await (const part of res) body += String(part);
        resolve({ status: res.statusCode, body });
      });
      asked.on('error', reject).end();
    });

    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 'not_found' } });
  });
}

test('the cause of a refusal goes to the log and not to the peer', async () => {
  const refuse: RequestHandler = () =>
    Promise.reject(new ConnectorError('database_unavailable', 'try again', { cause: new Error('the address') }));
  await using edge = await startEdge({ open: [opening('/it', refuse)] });

  const answer = await fetch(`${edge.url}/it`);

  expect([answer.status, await answer.text()]).toEqual([503, expect.not.stringContaining('the address')]);
  expect(edge.log()).toContain('the address');
});

for (const [why, body, type, status] of [
  ['is JSON', '{"a":1}', 'application/json', 200],
  ['is not JSON', '{', 'application/json', 400],
  ['has a key that schemas do not see', '{"a":{"__proto__":{}}}', 'application/json', 400],
  ['is too large', JSON.stringify('x'.repeat(200)), 'application/json', 413],
  ['has another type', 'a=1', 'application/x-www-form-urlencoded', 415],
  ['is in another character set', '{}', 'application/json; charset=latin1', 415],
] as const) {
  test(`a body that ${why} is answered ${status}`, async () => {
    await using edge = await startEdge({ guarded: [ofAdmin], adminToken: 'right' });
    const headers = { ...bearer('right'), 'content-type': type };

    expect(await statuses(1, `${edge.url}/owner`, { method: 'POST', headers, body })).toEqual([status]);
    expect(await statuses(1, `${edge.url}/owner`, { method: 'POST', headers: { 'content-type': type }, body })).toEqual(
      [401],
    );
  });
}

test('a form that is too large is refused', async () => {
  await using edge = await startEdge({ open: [opening('/form', formBody(10), done)] });
  const post = (body: string) =>
    statuses(1, `${edge.url}/form`, { method: 'POST', body: new URLSearchParams({ body }) });

  expect([await post('x'), await post('x'.repeat(20))]).toEqual([[200], [413]]);
});

test('every answer carries the content policy, also that of an error', async () => {
  await using edge = await startEdge({ guarded: [ofToken], open: [opening('/open', done)] });

  for (const path of ['/open', '/nowhere', '/mine/a', '/healthz']) {
    const { headers } = await fetch(edge.url + path);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none';style-src 'self';img-src 'self';form-action 'self';base-uri 'none';frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-powered-by')).toBeNull();
  }
});

test('pages that clients open stay tied to their opener with every answer they give, others are cut off', async () => {
  const onward: RequestHandler = (req, res, next) => (req.query['go'] === undefined ? next() : res.redirect(303, '/'));
  await using edge = await startEdge({ open: [opening('/opened/here', onward)], perAddress: 4 });
  const policy = async (path: string) => {
    const { status, headers } = await fetch(edge.url + path, { redirect: 'manual' });
    return [status, headers.get('cross-origin-opener-policy')];
  };

  expect(await policy('/opened/here?go')).toEqual([303, 'unsafe-none']);
  expect(await policy('/opened/here')).toEqual([404, 'unsafe-none']);
  expect(await policy('/openedhere')).toEqual([404, 'same-origin']);
  expect(await policy('/else')).toEqual([404, 'same-origin']);
  expect(await policy('/opened')).toEqual([429, 'unsafe-none']);
});

test('bytes of a path that are not UTF-8 reach its route as a character that no name has', async () => {
  const tokens = { good: TOKEN };
  const echo: GuardedRoute = { ...ofToken, handlers: [(req, res) => void res.json(req.params)] };
  await using edge = await startEdge({ guarded: [echo], tokens });
  const raw = (path: string) =>
    new Promise<string>((resolve) => {
      request(edge.url, { path, headers: bearer('good') }, (answer) => {
        answer.setEncoding('utf8').once('data', resolve);
      }).end();
    });

  expect(await raw('/mine/a%ffb')).toBe('{"what":"a\\u0000b"}');
  expect(await raw('http://elsewhere.example/mine/a%ffb')).toBe('{"what":"a\\u0000b"}');
  expect(await raw('/mine/a%b')).toBe('{"what":"a\\u0000b"}');
  expect(await raw('/mine/%c3%a4?a=%ff')).toBe('{"what":"ä"}');
});

test('whether the program is up may be asked without a limit', async () => {
  await using edge: EdgeServer = await startEdge({ perAddress: 1 });

  expect(await statuses(9, `${edge.url}/healthz`)).toEqual(within(9, 200, 429));
});

async function statuses(count: number, url: string, init: RequestInit = {}): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => fetch(url, init)));
  return answers.map(({ status }) => status);
}
