import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Agent, connectAgent } from '../../harness/agent.ts';
import { postMcp } from '../../harness/oauth-client.ts';
import { ADMIN_TOKEN, type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

let stack: ConnectorStack;
let agent: Agent;
let metricsPort: number;

beforeAll(async () => {
  metricsPort = await freePort();
  stack = await startConnectorStack({
    config: { trustedProxies: ['127.0.0.1'], metricsListen: { port: metricsPort }, adminEvents: { enable: true } },
  });
  agent = await connectAgent(stack, 'ada');
});

afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
  await stack?.[Symbol.asyncDispose]();
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

const from = (address: string) => ({ 'x-forwarded-for': address });

test('SIGHUP puts soft options in force and says which, and names those that wait for the next start', async () => {
  const log = await reload({ rateLimits: { perClient: 30, perAddress: 10 }, baseUrl: 'https://other.example' });

  expect(log).toMatchObject([
    { level: 'info', msg: 'configuration reloaded', changed: ['rateLimits.perClient', 'rateLimits.perAddress'] },
    { level: 'warn', options: ['baseUrl'] },
  ]);
});

test('a file that is not valid keeps the options in force, with each problem logged', async () => {
  const log = await reload('{"baseUrl": 1}');

  expect(log).toMatchObject([
    { level: 'error', problems: expect.arrayContaining([expect.stringContaining('baseUrl: expected')]) },
  ]);
  expect((await fetch(`${stack.baseUrl}/healthz`)).status).toBe(200);
});

test('an address without a valid token gets 429 with the time to wait, another address does not', async () => {
  const flooding = await statuses(15, from('192.0.2.1'));
  const refused = await fetch(`${stack.baseUrl}/v1/status`, { headers: from('192.0.2.1') });

  expect(flooding.filter((status) => status === 401)).toHaveLength(10);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
  expect(await refused.json()).toMatchObject({ error: { code: 'too_many_requests' } });
  expect(await statuses(1, from('192.0.2.2'))).toEqual([401]);
  expect(await statuses(1, { ...from('192.0.2.1'), accept: 'text/html' }, '/privacy')).toEqual([429]);
});

test('a client with a valid token is not refused for its address, one with an invented token is', async () => {
  await statuses(15, from('192.0.2.3'));
  const mcp = (token: string) => postMcp(stack, LIST, { ...bearer(token), ...from('192.0.2.3') });

  expect(await statuses(1, { ...from('192.0.2.3'), ...bearer('made-up') })).toEqual([429]);
  expect((await mcp('made-up')).status).toBe(429);
  expect(await statuses(1, { ...from('192.0.2.3'), ...bearer(agent.accessToken) })).toEqual([200]);
  expect((await mcp(agent.accessToken)).status).toBe(200);
});

const ROUTES = [
  'GET /',
  'GET /login',
  'GET /login/idp',
  'GET /login/idp/callback',
  'POST /logout',
  'GET /settings',
  'POST /settings',
  'GET /privacy',
  'GET /style.css',
  'GET /icon.svg',
  'GET /openapi.json',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/oauth-authorization-server',
  'GET /oauth/authorize',
  'GET /oauth/authorize/made-up',
  'GET /oauth/interaction/made-up',
  'POST /oauth/interaction/made-up',
  'POST /oauth/register',
  'POST /oauth/revoke',
  'POST /oauth/token',
  'POST /mcp',
  'POST /mcp/',
  'GET /mcp',
  'OPTIONS /mcp',
  'GET /sse',
  'POST /',
  'GET /v1/status',
  'GET /v1/channels/room/messages',
  'POST /v1/channels/room/messages',
  'GET /v1/channels/%ff/messages',
  'DELETE /v1/channels/room/messages',
  'OPTIONS /v1/status',
  'POST /admin/invite',
  'GET /admin/invite',
  'GET /admin/events',
  'POST /admin/events',
  'GET /metrics',
  'GET /nowhere',
] as const;

test('a made-up bearer is limited on every route', async () => {
  await reload({ rateLimits: { perClient: 6_000, perAddress: 4 } });

  const refused = await Promise.all(
    ROUTES.map(async (route, index) => {
      const [method, path] = route.split(' ');
      const init = { method, redirect: 'manual', headers: { ...bearer('made-up'), ...from(`198.51.100.${index}`) } };
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => fetch(`${stack.baseUrl}${path}`, init as RequestInit)),
      );
      return [route, answers.filter(({ status }) => status === 429).length];
    }),
  );

  expect(refused).toEqual(ROUTES.map((route) => [route, 2]));
});

test('sixty registrations at once with a made-up bearer are limited to the rate of an address', async () => {
  await reload({ rateLimits: { perClient: 6_000, perAddress: 7 } });
  const register = () =>
    fetch(`${stack.baseUrl}/oauth/register`, {
      method: 'POST',
      headers: { ...bearer('made-up'), ...from('203.0.113.1'), 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['https://client.example/callback'], token_endpoint_auth_method: 'none' }),
    });

  const answers = await Promise.all(Array.from({ length: 60 }, register));

  expect(answers.filter(({ status }) => status === 201)).toHaveLength(7);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(53);
});

for (const [index, what, route, status] of [
  [0, 'departures to the identity provider', 'GET /login/idp', 303],
  [1, 'ways back from it', 'GET /login/idp/callback?code=x&state=y', 400],
  [2, 'invitations without a token', 'POST /admin/invite', 401],
  [3, 'looks at the diagnostics without a token', 'GET /admin/events', 401],
  [4, 'authorization requests', 'GET /oauth/authorize?client_id=unknown', 400],
  [5, 'decisions about a request', 'POST /oauth/interaction/made-up', 303],
  [6, 'redemptions of a code', 'POST /oauth/token', 400],
] as const) {
  test(`sixty ${what} at once are limited to the rate of an address`, async () => {
    await reload({ rateLimits: { perClient: 6_000, perAddress: 7 } });
    const [method, path] = route.split(' ');
    const ask = () =>
      fetch(`${stack.baseUrl}${path}`, {
        method,
        redirect: 'manual',
        headers: from(`203.0.113.${100 + index}`),
      } as RequestInit);

    const answers = await Promise.all(Array.from({ length: 60 }, ask));

    const statuses = answers.map((answer) => answer.status).toSorted();
    expect(statuses).toEqual([...Array<number>(7).fill(status), ...Array<number>(53).fill(429)]);
  });
}

test('a caller who guesses the admin token too often is refused for a minute, also with the right one; others are served', async () => {
  await reload({ rateLimits: { perClient: 6_000, perAddress: 7 } });
  const metrics = (token: string, address: string, count = 1) =>
    statuses(count, { ...bearer(token), ...from(address) }, '/metrics');

  const guesses = await metrics('made-up', '203.0.113.2', 20);

  expect(guesses.filter((status) => status === 401)).toHaveLength(7);
  expect(await metrics(ADMIN_TOKEN, '203.0.113.2')).toEqual([429]);
  expect(await metrics(ADMIN_TOKEN, '203.0.113.3', 20)).toEqual(Array(20).fill(200));
  await reload({ rateLimits: { perClient: 6_000, perAddress: 6_000 } });
});

test('a client gets 429 above its requests per minute, counted over MCP and REST together; other clients do not', async () => {
  await reload({ rateLimits: { perClient: 6_000, perAddress: 6_000 } });
  await using other = await connectAgent(stack, 'ada');
  await using third = await connectAgent(stack, 'ada');
  await reload({ rateLimits: { perClient: 10, perAddress: 6_000 } });
  const before = await statuses(20, bearer(other.accessToken));

  const refused = await postMcp(stack, LIST, bearer(other.accessToken));

  expect(before.filter((status) => status === 200).length).toBeLessThanOrEqual(10);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({
    jsonrpc: '2.0',
    error: { message: expect.stringContaining('try again') },
  });
  expect(await statuses(1, bearer(third.accessToken))).toEqual([200]);
  await reload({ rateLimits: { perClient: 6_000, perAddress: 6_000 } });
});

test('the metrics have a listener of their own without a token, and it serves no other route', async () => {
  const own = `http://127.0.0.1:${metricsPort}`;

  const metrics = await fetch(`${own}/metrics`);

  expect([metrics.status, (await metrics.text()).includes('homeport_connector_build_info')]).toEqual([200, true]);
  expect((await fetch(`${own}/v1/status`)).status).toBe(404);
  expect((await fetch(`${stack.baseUrl}/metrics`)).status).toBe(401);
});

test('calls refused before their tool are counted too, and an invented name makes no label', async () => {
  const reader = await connectAgent(stack, 'ada', { scope: 'irc:read' });
  const call = (name: string, args: object) => ({
    ...LIST,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  await postMcp(stack, call('send_message', { channel: '#room', text: 'x' }), bearer(reader.accessToken));
  await postMcp(stack, call('made_up_tool', {}), bearer(reader.accessToken));
  await postMcp(stack, call('get_message_status', { nothing: 1 }), bearer(reader.accessToken));

  const text = await (await fetch(`${stack.baseUrl}/metrics`, { headers: bearer(ADMIN_TOKEN) })).text();

  for (const tool of ['send_message', 'unknown', 'get_message_status']) {
    expect(text).toContain(`homeport_connector_tool_call_seconds_count{tool="${tool}",outcome="refused"} 1`);
  }
  expect(text).not.toContain('made_up');
  await reader[Symbol.asyncDispose]();
});

test('an address may register far fewer clients than it may ask otherwise, and others are not kept from it', async () => {
  await reload({ rateLimits: { perClient: 1_000_000, perAddress: 400 } });
  const register = async (address: string) =>
    fetch(`${stack.baseUrl}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...from(address) },
      body: JSON.stringify({ redirect_uris: ['https://client.example/cb'] }),
    });
  const answers = [];
  for (let index = 0; index < 22; index += 1) answers.push(await register('198.51.100.77'));

  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 20 }, () => 201), 429, 429]);
  expect(Number(answers[21]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await statuses(1, from('198.51.100.77'), '/.well-known/oauth-authorization-server')).toEqual([200]);
  expect((await register('198.51.100.78')).status).toBe(201);
  await reload({});
});

test('SIGHUP names a secret file with another content, which waits for the next start', async () => {
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as { adminTokenFile: string };
  const before = await readFile(config.adminTokenFile, 'utf8');
  await writeFile(config.adminTokenFile, `${'r'.repeat(40)}\n`);

  const log = await reload({});
  await writeFile(config.adminTokenFile, before);

  expect(log).toMatchObject([
    { level: 'info', msg: 'configuration reloaded', changed: expect.arrayContaining(['adminTokenFile']) },
    { level: 'warn', options: ['adminTokenFile'] },
  ]);
});

/** Writes the configuration with these options and has the program read it; resolves with what it logs then. */
async function reload(changes: Record<string, unknown> | string) {
  const before = records().length;
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as object;
  await writeFile(stack.configFile, typeof changes === 'string' ? changes : JSON.stringify({ ...config, ...changes }));
  stack.connector.kill('SIGHUP');
  await waitFor('the reload is logged', () =>
    records()
      .slice(before)
      .some(({ msg }) => msg.startsWith('configuration')),
  );
  await writeFile(stack.configFile, JSON.stringify(config));
  return records().slice(before);
}

/** Makes requests from an address, as a proxy reports it, and returns their statuses. */
async function statuses(count: number, headers: Record<string, string>, path = '/v1/status'): Promise<number[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => fetch(`${stack.baseUrl}${path}`, { headers })));
  return answers.map(({ status }) => status);
}

function records() {
  return stack.connector
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { msg: string } & Record<string, unknown>);
}
