import { Router } from 'express';
import { expect, test } from 'vitest';
import type { VerifiedToken } from '../../../../src/connector/domain/verified-token.ts';
import { ConnectorError } from '../../../../src/connector/errors.ts';
import { openToAnyOrigin } from '../../../../src/connector/http/cors.ts';
import type { GuardedRoute } from '../../../../src/connector/http/guarded-route.ts';
import { startEdge } from '../../../harness/edge-server.ts';

const PAGE = 'https://inspector.example';
const TOKEN: VerifiedToken = { accountId: 'acc_1', clientId: 'client', scopes: ['irc:read'], expiresAt: 2_000_000 };

const forSomePages: GuardedRoute = {
  method: 'post',
  path: '/some',
  guard: { token: {} },
  speaks: 'jsonrpc',
  crossOrigin: { mayCall: (origin) => origin === PAGE, methods: ['POST', 'GET'] },
  handlers: [(_req, res) => void res.json({ ok: true })],
};

const forAllPages = Router()
  .all('/all', openToAnyOrigin(['POST']))
  .post('/all', () => {
    throw new ConnectorError('body_malformed', 'the reason');
  });

const edgeOfBoth = (limits: { perAddress?: number } = {}) =>
  startEdge({ guarded: [forSomePages], open: [forAllPages], tokens: { good: TOKEN }, ...limits });

const corsHeaders = ({ headers }: Response) =>
  ['origin', 'methods', 'headers', 'credentials'].map((name) => headers.get(`access-control-allow-${name}`));

test('a page that may call the endpoint learns so before it asks, and may read the answer', async () => {
  await using edge = await edgeOfBoth();

  const before = await fetch(`${edge.url}/some`, preflight(PAGE));
  const answer = await fetch(`${edge.url}/some`, {
    method: 'POST',
    headers: { origin: PAGE, authorization: 'Bearer good' },
  });

  expect([before.status, await before.text()]).toEqual([204, '']);
  expect(corsHeaders(before)).toEqual([PAGE, 'POST, GET', 'Authorization, *', null]);
  expect([answer.status, ...corsHeaders(answer)]).toEqual([200, PAGE, null, null, null]);
});

test('refusals can be read, too: without them a page could not learn that it has to sign in', async () => {
  await using edge = await edgeOfBoth();
  const ask = (method: string, origin: string) => fetch(`${edge.url}/some`, { method, headers: { origin } });

  const refused = await ask('POST', PAGE);
  const other = await ask('GET', PAGE);

  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, PAGE]);
  expect(refused.headers.get('access-control-expose-headers')).toBe('WWW-Authenticate, Mcp-Session-Id, Retry-After');
  expect([other.status, other.headers.get('access-control-allow-origin')]).toEqual([405, PAGE]);
});

for (const [what, origin] of [
  ['another site', 'https://evil.example'],
  ['a document without an origin', 'null'],
  ['the same host under another scheme', 'http://inspector.example'],
  ['the same host at another port', 'https://inspector.example:8443'],
  ['an origin that begins alike', 'https://inspector.example.evil'],
] as const) {
  test(`the pages of ${what} get no permission`, async () => {
    await using edge = await edgeOfBoth();

    const answers = [
      await fetch(`${edge.url}/some`, preflight(origin)),
      await fetch(`${edge.url}/some`, { method: 'POST', headers: { origin, authorization: 'Bearer good' } }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([405, 200]);
    for (const answer of answers) {
      expect(corsHeaders(answer)).toEqual([null, null, null, null]);
      // A cache must not hand this answer to a page that may read it, nor the other way round.
      expect(answer.headers.get('vary')).toContain('Origin');
    }
  });
}

test('routes that are open to every page ask for no cookies and say so to each page alike', async () => {
  await using edge = await edgeOfBoth();

  const before = await fetch(`${edge.url}/all`, preflight('https://anybody.example'));
  const answer = await fetch(`${edge.url}/all`, { method: 'POST', headers: { origin: 'https://anybody.example' } });

  expect([before.status, ...corsHeaders(before)]).toEqual([204, '*', 'POST', 'Authorization, *', null]);
  expect([answer.status, ...corsHeaders(answer)]).toEqual([400, '*', null, null, null]);
});

test('a request without an origin, or without a method, is no preflight', async () => {
  await using edge = await edgeOfBoth();
  const { origin: _none, ...without } = preflight(PAGE).headers;

  const statuses = [
    (await fetch(`${edge.url}/some`, { method: 'OPTIONS', headers: without })).status,
    (await fetch(`${edge.url}/some`, { method: 'OPTIONS', headers: { origin: PAGE } })).status,
  ];

  expect(statuses).toEqual([405, 405]);
});

test('preflights count for the limit of an address as every other request without a token', async () => {
  await using edge = await edgeOfBoth({ perAddress: 2 });
  const statuses: number[] = [];

  for (const path of ['/some', '/all', '/some']) statuses.push((await fetch(edge.url + path, preflight(PAGE))).status);

  expect(statuses).toEqual([204, 204, 429]);
});

function preflight(origin: string) {
  return {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,mcp-protocol-version',
    },
  };
}
