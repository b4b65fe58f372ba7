import { afterEach, expect } from 'vitest';
import { CallLog } from '../../../../src/connector/admin/call-log.ts';
import { eventsRoute } from '../../../../src/connector/admin/events-route.ts';
import { BrowserSessions } from '../../../../src/connector/browser/sessions.ts';
import { DAY_MS } from '../../../../src/connector/domain/limits.ts';
import { mcpRoute } from '../../../../src/connector/mcp/endpoint.ts';
import type { Freshness } from '../../../../src/connector/ports/invalidations.ts';
import type { Measurements } from '../../../../src/connector/ports/measurements.ts';
import type { PresenceStatus } from '../../../../src/connector/ports/presence.ts';
import type { AccountConnection } from '../../../../src/connector/services/diagnostics.ts';
import { createServices, type Services } from '../../../../src/connector/services/index.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { type EdgeServer, startEdge } from '../../../harness/edge-server.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';
import { capturedLine, type OpenStore } from '../../../harness/open-store.ts';
import { presenceElsewhere } from '../../../harness/presence-elsewhere.ts';
import { statementsOf } from '../../../harness/statements.ts';
import { serviceContext } from '../../../harness/use-case-context.ts';

const ADMIN = { authorization: 'Bearer admin-token-of-the-tests' };
const PHRASE = 'what-nobody-else-may-see';
/** Of a session that another process has. */
const STATUS: PresenceStatus = {
  ...{ sessionSince: 0, nick: 'bob', nickRefusal: null, upstream: true, isAnswering: true, joinedChannels: [] },
  ...{ notJoined: {}, loggedInAs: null, problems: [] },
};
const SHARED: Freshness = { alone: () => undefined, sinceBoot: () => 0 };
const NO_MEASUREMENTS: Measurements = { toolCalled: () => undefined } as never;

const test = testWithNewStore();

let services: Services;
let edge: EdgeServer;
let calls: CallLog;
/** Whether the process is the only one. */
let isAlone: boolean;
/** Bob, who has both channels, and whose client has the token of the same name. */
let bob: string;

test.beforeEach(async () => {
  isAlone = true;
  const context = serviceContext(open, { maxUsers: 1_000 });
  services = createServices(context);
  bob = await open.account('bob', ['#ops', '#room']);
  const sessions = new BrowserSessions({ store: open.store.browserSessions, alsoForget: [] });
  calls = callsOf(open.store);
  const { settingsUrl } = context.settings;
  edge = await startEdge({
    adminToken: 'admin-token-of-the-tests',
    tokens: { bob: { accountId: bob, clientId: 'client-of-bob', scopes: ['irc:read'], expiresAt: 4_000_000_000 } },
    guarded: [
      mcpRoute({
        baseUrl: 'http://127.0.0.1',
        corsOrigins: () => [],
        services,
        methods: [],
        settings: { settingsUrl },
        measurements: NO_MEASUREMENTS,
        records: calls,
        clock: open.clock,
        log: context.log,
      }),
      eventsRoute({ services, calls, signedIn: async (req) => (await sessions.current(req))?.accountId }),
    ],
  });
});

afterEach(async () => {
  await edge?.[Symbol.asyncDispose]();
});

const ask = (query = '', headers: Record<string, string> = ADMIN) =>
  fetch(`${edge.url}/admin/events${query}`, { headers });

test('an owner sees what everybody’s sessions saw last, the newest first', async () => {
  verifies('connector.endpoint.GET-admin-events');
  const begin = open.clock.now();
  const carol = await open.account('carol');
  await see(bob, 'first', begin + 1_000);
  await see(carol, 'second', begin + 2_000);
  // Arrived after an absence.
  await see(bob, 'third', begin + 3_000, begin - 1_000_000);

  const { events: seen } = await events();

  expect(seen.map(({ account, text }) => [account, text])).toEqual([
    [bob, 'third'],
    [carol, 'second'],
    [bob, 'first'],
  ]);
  expect(seen[0]).toMatchObject({ channel: '#room', kind: 'message', sender: 'bob', network: 'main' });
  expect((await events(`?since=${new Date(begin + 2_000).toISOString()}`)).events.map(({ text }) => text)).toEqual([
    'third',
    'second',
  ]);
  expect((await events('?limit=1')).events.map(({ text }) => text)).toEqual(['third']);
});

test('each list has fifty members by default, and at most two hundred', async () => {
  verifies('connector.limit.limit-query');
  const begin = open.clock.now();
  open.clock.set(begin);
  const lines = Array.from({ length: 210 }, (_, n) => ({ line: capturedLine(`${n}`, begin + n), own: undefined }));
  await open.store.capture.ingest(bob, 'main', { lines, isReplay: false, synced: new Set() });
  for (let n = 0; n < 210; n += 1) await call('tools/list', {});

  const sizes = async (query: string) => {
    const { events: seen, mcp } = await events(query);
    return [seen.length, mcp.length];
  };
  expect(await sizes('')).toEqual([50, 50]);
  expect(await sizes('?limit=200')).toEqual([200, 200]);
  for (const query of ['limit=0', 'limit=201', 'limit=-1', 'limit=1e2', 'limit=abc', 'limit=', 'limit=1&limit=2']) {
    const answer = await ask(`?${query}`);
    expect([query, answer.status, await answer.json()]).toMatchObject([
      query,
      400,
      { error: { code: 'limit_invalid' } },
    ]);
  }
});

test('a time may have an offset, and a text that is not a time of ISO 8601 is refused', async () => {
  verifies('connector.endpoint.GET-admin-events');
  const noon = Date.UTC(2026, 5, 1, 12);
  await see(bob, 'at noon', noon);
  const found = async (since: string) => (await events(`?since=${since}`)).events.length;

  expect(await found('2026-06-01T12:00:00Z')).toBe(1);
  expect(await found('2026-06-01T12:00:00.001Z')).toBe(0);
  // The plus sign of an address that is not escaped is a space.
  expect(await found('2026-06-01T14:00:00+02:00')).toBe(1);
  expect(await found('2026-06-01T14:00:01%2B02:00')).toBe(0);
  for (const since of ['', 'yesterday', '1780315200', '2026-06-01', '2026-13-01T00:00:00Z', '2026-02-30T00:00:00Z']) {
    const answer = await ask(`?since=${since}`);
    expect([since, answer.status, await answer.json()]).toMatchObject([
      since,
      400,
      { error: { code: 'since_invalid' } },
    ]);
  }
});

test('an owner sees which accounts are online and since when', async () => {
  verifies('connector.endpoint.GET-admin-events');
  await open.account('carol');
  const at = open.clock.now() + 5_000;
  open.clock.set(at);
  await services.goOnline({ accountId: bob, clientId: 'client-of-bob' });

  const { connections } = await events();

  expect(connections).toMatchObject([
    { account: bob, login: 'bob', online: true, upstreamConnected: true, since: new Date(at).toISOString() },
    { login: 'carol', online: false, upstreamConnected: false, since: null },
  ]);
  await services.goOffline({ accountId: bob, clientId: 'client-of-bob' });
});

test('at a process without sessions an owner sees all connections as they are stored, by one question for all of them', async () => {
  const at = open.clock.now();
  const accountIds = [bob, await open.account('carol'), await open.account('dave')];
  for (const accountId of accountIds) {
    await open.store.accounts.setOnline(accountId, at);
    await open.store.presences.write(accountId, { ...STATUS, sessionSince: at, upstream: accountId !== bob });
  }
  await open.store.presences.ended(accountIds[2] ?? '');
  const context = serviceContext(open, { maxUsers: 1_000 });
  const elsewhere = createServices({ ...context, presence: presenceElsewhere({ ...open, freshness: SHARED }) });
  let connections: AccountConnection[] = [];

  const statements = await statementsOf(open, async () => {
    ({ connections } = await elsewhere.diagnostics({ limit: 50, since: undefined }));
  });

  expect(connections.map(({ login, upstreamConnected, since }) => [login, upstreamConnected, since])).toEqual([
    ['bob', false, at],
    ['carol', true, at],
    ['dave', null, null],
  ]);
  expect(statements.filter((sql) => sql.includes('presences'))).toHaveLength(1);
});

test('an owner sees which client called which tool with which result, and no argument', async () => {
  verifies('connector.endpoint.GET-admin-events');
  await call('tools/list', {});
  await call('tools/call', { name: 'search_history', arguments: { phrase: PHRASE } });
  await call('tools/call', { name: 'read_history', arguments: { channel: PHRASE, mode: 'recent' } });
  await call('tools/call', { name: 'search_history', arguments: { [PHRASE]: 1 } });
  await call('tools/call', { name: PHRASE, arguments: {} });
  await call('tools/call', { name: 'send_message', arguments: { channel: '#room', text: PHRASE } });
  await call(PHRASE, {});

  const answer = await ask();
  const text = await answer.text();
  const { mcp } = JSON.parse(text) as Events;

  expect(mcp.map(({ method, tool, outcome }) => [method, tool, outcome])).toEqual([
    ['unknown', null, 'refused'],
    ['tools/call', 'send_message', 'refused'],
    ['tools/call', 'unknown', 'refused'],
    ['tools/call', 'search_history', 'refused'],
    ['tools/call', 'read_history', 'refused'],
    ['tools/call', 'search_history', 'ok'],
    ['tools/list', null, 'ok'],
  ]);
  expect(mcp[0]).toMatchObject({ account: bob, client: 'client-of-bob', time: expect.any(String), ms: 0 });
  expect(text).not.toContain(PHRASE);
  expect(answer.headers.get('cache-control')).toBe('no-store');
});

test('only the admin token and an owner’s browser may see it', async () => {
  verifies('connector.authentication.7');
  const [owner, guest] = [await browserOf('ada'), await browserOf('bob')];
  const status = async (headers: Record<string, string>) => (await ask('', headers)).status;

  expect(await status(ADMIN)).toBe(200);
  expect(await status(owner)).toBe(200);
  expect(await status(guest)).toBe(403);
  expect(await status({})).toBe(401);
  expect(await status({ cookie: '__Host-homeport=made-up' })).toBe(401);
  expect(await status({ authorization: 'Bearer wrong' })).toBe(401);
  expect(await status({ authorization: 'Bearer bob' })).toBe(401);
  // A program that shows a token is judged by that.
  expect(await status({ ...owner, authorization: 'Bearer wrong' })).toBe(401);
});

test('a former owner sees no events any more', async () => {
  verifies('connector.authentication.7');
  const former = await browserOf('ada');
  await services.signIn({ issuer: 'https://id.example', subject: 'another', login: 'ada' });

  expect((await ask('', former)).status).toBe(403);
});

const recorded = (method: string) => ({
  ...{ accountId: bob, clientId: 'client-of-bob', method },
  ...{ tool: null, outcome: 'ok' as const, ms: 1 },
});

test('an owner sees at one process what clients have called at another one, in the order of time', async () => {
  isAlone = false;
  const other = callsOf(open.anew(open.clock));
  const begin = open.clock.now();
  for (const [index, log] of [other, calls, other, calls].entries()) {
    open.clock.set(begin + index);
    log.add(recorded(`call${index}`));
  }
  for (const log of [calls, other]) await log.store();

  const methods = async (query: string) => (await events(query)).mcp.map(({ method }) => method);

  expect(await methods('')).toEqual(['call3', 'call2', 'call1', 'call0']);
  expect(await methods('?limit=2')).toEqual(['call3', 'call2']);
  expect(await methods(`?since=${new Date(begin + 2).toISOString()}`)).toEqual(['call3', 'call2']);
  expect((await other.newestFirst(200)).map(({ method }) => method)).toEqual(['call3', 'call2', 'call1', 'call0']);
});

test('a process that is alone stores no calls; once others serve, it stores what they do not know', async () => {
  calls.add(recorded('alone'));
  await calls.store();
  expect(await open.database('calls')).toEqual([]);

  isAlone = false;
  await calls.store();
  calls.add(recorded('together'));
  await calls.store();
  await calls.store();

  expect(await open.database('calls').orderBy('row').pluck('method')).toEqual(['alone', 'together']);
});

test('each process stores its newest two hundred calls, and what failed to be stored is stored later', async () => {
  isAlone = false;
  const { calls: stored } = open.store;
  let isAway = true;
  const add: typeof stored.add = (...added) => (isAway ? Promise.reject(new Error('away')) : stored.add(...added));
  const log = callsOf({ ...open.store, calls: { ...stored, add } });
  for (let n = 0; n < 150; n += 1) log.add(recorded(`call${n}`));
  await expect(log.store()).rejects.toThrow('away');
  for (let n = 150; n < 250; n += 1) log.add(recorded(`call${n}`));
  isAway = false;
  await log.store();
  log.add(recorded('call250'));
  await log.store();

  const methods = await open.database('calls').orderBy('row').pluck('method');
  expect(methods).toEqual(Array.from({ length: 200 }, (_, n) => `call${n + 51}`));
});

test('stored calls are removed after a day, and with their account', async () => {
  isAlone = false;
  calls.add(recorded('old'));
  await calls.store();
  open.clock.set(open.clock.now() + DAY_MS);
  calls.add(recorded('new'));
  await calls.store();
  open.clock.set(open.clock.now() + 1);

  expect(await open.store.calls.removeEnded(10)).toBe(1);
  expect(await open.database('calls').pluck('method')).toEqual(['new']);
  await open.store.removals.close(bob);
  expect(await open.database('calls')).toEqual([]);
});

async function events(query = ''): Promise<Events> {
  const answer = await ask(query);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Events;
}

/** A line that an account's session sees at this time. */
async function see(accountId: string, text: string, at: number, happenedAt = at): Promise<void> {
  open.clock.set(at);
  const lines = [{ line: capturedLine(text, happenedAt), own: undefined }];
  await open.store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });
}

async function browserOf(login: string): Promise<Record<string, string>> {
  const { accountId } = await services.signIn({ issuer: 'https://id.example', subject: login, login });
  return { cookie: `__Host-homeport=${await open.store.browserSessions.create(accountId)}` };
}

/** The log of a process. */
function callsOf(store: OpenStore['store']): CallLog {
  return new CallLog({
    calls: store.calls,
    clock: open.clock,
    freshness: { alone: () => (isAlone ? 0 : undefined) },
  });
}

interface Events {
  events: { account: string; text: string; channel: string; observationTime: string }[];
  connections: { account: string; login: string | null; online: boolean; since: string | null }[];
  mcp: { method: string; tool: string | null; outcome: string }[];
}

function call(method: string, params: object) {
  return fetch(`${edge.url}/mcp`, {
    method: 'POST',
    headers: { authorization: 'Bearer bob', 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
}
