import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, expect } from 'vitest';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { type Agent, connectAgent, consent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { codeFor, postMcp, registerClient } from '../../harness/oauth-client.ts';
import { ADMIN_TOKEN } from '../../harness/start-connector.ts';

const test = testWithStack();

let writer: Agent;
let reader: Agent;

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
};
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const bearer = (agent: Agent) => ({ authorization: `Bearer ${agent.accessToken}` });

test.beforeAll(async () => {
  writer = await connectAgent(stack, 'ada', { path: '/mcp/' });
  reader = await connectAgent(stack, 'ada', { scope: 'irc:read' });
});

afterAll(async () => {
  await writer?.[Symbol.asyncDispose]();
  await reader?.[Symbol.asyncDispose]();
});

test('without a token the endpoint challenges with the resource metadata, and names no scope', async () => {
  verifies('connector.authentication.1');
  const answer = await postMcp(stack, LIST);

  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toBe(
    `Bearer resource_metadata="${stack.baseUrl}/.well-known/oauth-protected-resource/mcp"`,
  );
  expect(answer.headers.get('content-type')).toContain('application/json');
});

for (const [what, authorization] of [
  ['a made-up token', 'Bearer made-up'],
  ['the admin token', `Bearer ${ADMIN_TOKEN}`],
  ['a password', 'Basic dXNlcjpwYXNz'],
  ['an empty token', 'Bearer '],
] as const) {
  test(`${what} is answered with invalid_token`, async () => {
    const answer = await postMcp(stack, LIST, { authorization });

    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });
}

test('a refresh token or a token in the query does not open the endpoint', async () => {
  const refreshToken = writer.credentials.stored?.refresh_token ?? '';

  expect((await postMcp(stack, LIST, { authorization: `Bearer ${refreshToken}` })).status).toBe(401);
  expect((await postMcp(stack, LIST, {}, `/mcp?access_token=${writer.accessToken}`)).status).toBe(401);
});

test('a code and the cookie of a browser session do not open the endpoint', async () => {
  const clientId = await registerClient(stack);
  const { code } = await codeFor(stack, 'ada', clientId);
  const browser = await stack.signIn('ada');
  const cookie = browser.cookie(stack.baseUrl, '__Host-homeport') ?? '';

  expect([code, cookie].map((secret) => secret.length > 20)).toEqual([true, true]);
  expect((await postMcp(stack, LIST, { authorization: `Bearer ${code}` })).status).toBe(401);
  expect((await postMcp(stack, LIST, { authorization: `Bearer ${cookie}` })).status).toBe(401);
  expect((await postMcp(stack, LIST, { cookie: `__Host-homeport=${cookie}` })).status).toBe(401);
});

for (const [what, method, path, status] of [
  ['asks for a stream', 'GET', '/mcp', 405],
  ['ends a session', 'DELETE', '/mcp', 405],
  ['asks for the older transport', 'GET', '/sse', 404],
  ['sends to the older transport', 'POST', '/sse', 404],
  ['was given the address without its path', 'POST', '/', 405],
] as const) {
  test(`a client that ${what} learns where to go`, async () => {
    const answer = await fetch(stack.baseUrl + path, { method, headers: { accept: 'text/event-stream' } });

    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toContain('application/json');
    const { error } = (await answer.json()) as { error: { message: string } };
    expect(error.message).toContain('Streamable HTTP: POST /mcp');
    expect(error.message).toContain(`${stack.baseUrl}/mcp`);
  });
}

test.each(['GET', 'HEAD', 'DELETE', 'PUT'])('a %s without a token carries the challenge', async (method) => {
  const metadata = `resource_metadata="${stack.baseUrl}/.well-known/oauth-protected-resource/mcp"`;
  const answer = (headers: Record<string, string>) => fetch(`${stack.baseUrl}/mcp`, { method, headers });

  expect((await answer({ accept: 'text/event-stream' })).headers.get('www-authenticate')).toBe(`Bearer ${metadata}`);
  expect((await answer(bearer(writer))).headers.get('www-authenticate')).toBeNull();
  expect((await fetch(`${stack.baseUrl}/v1/status`, { method: 'DELETE' })).headers.get('www-authenticate')).toBe(
    'Bearer',
  );
});

test.each(['text/event-stream', 'text/html', 'application/xml;q=1, application/json;q=0'])(
  'a client that takes only %s learns the type of the answers',
  async (accept) => {
    const answer = await postMcp(stack, LIST, { ...bearer(writer), accept });

    const { error } = (await answer.json()) as { error: { message: string } };
    expect([answer.status, error.message]).toEqual([
      406,
      'every answer is JSON: send Accept: application/json, or none',
    ]);
  },
);

test('a person who opens the endpoint in a browser gets a page that names the address for clients', async () => {
  const answer = await fetch(`${stack.baseUrl}/mcp`, {
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
  });

  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  expect(answer.headers.get('content-type')).toContain('text/html');
  expect(await answer.text()).toContain(`${stack.baseUrl}/mcp`);
});

for (const tool of ['send_message', 'go_online', 'go_offline']) {
  test(`${tool} with a token that may only read asks, in either era, for what there is and what is missing`, async () => {
    const eras = [
      [{}, {}],
      [{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': tool }, { _meta: META }],
    ] as const;
    for (const [headers, meta] of eras) {
      const params = { name: tool, arguments: { channel: '#room', text: 'x' }, ...meta };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const answer = await postMcp(stack, message, { ...bearer(reader), ...headers });

      expect(answer.status).toBe(403);
      expect(answer.headers.get('www-authenticate')).toMatch(
        /error="insufficient_scope".*scope="irc:read irc:write".*resource_metadata=/,
      );
      const { error_description: words } = (await answer.json()) as { error_description: string };
      expect(words).toMatch(/has not allowed irc:write/);
      expect(words).toContain(`${stack.baseUrl}/settings`);
    }
  });
}

test('the official client steps up: it asks the person for the scope it lacks', async () => {
  await using stepping = await connectAgent(stack, 'ada', { scope: 'irc:read' });
  const asked = () => stepping.credentials.sentTo ?? new URL('none:');

  await expect(stepping.call('go_online')).rejects.toThrow();

  expect(asked().searchParams.get('scope')?.split(' ').sort()).toEqual(['irc:read', 'irc:write']);
  const callback = await consent(stack, 'ada', asked());
  expect(callback.searchParams.get('code')).toBeTruthy();
});

test('the official client refreshes an access token that ended', async () => {
  await using refreshing = await connectAgent(stack, 'ada');
  const before = refreshing.credentials.stored;
  if (before !== undefined) refreshing.credentials.stored = { ...before, access_token: 'ended' };

  expect(await refreshing.call('see_account_information')).toMatchObject({ nick: 'ada' });

  expect(refreshing.credentials.stored?.refresh_token).not.toBe(before?.refresh_token);
});

test('discovery names the new revision, the instructions and stable caching', async () => {
  verifies('connector.method.server-discover', 'connector.version.1');
  const answer = await postMcp(
    stack,
    { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: META } },
    { ...bearer(reader), 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' },
  );

  expect(answer.headers.get('content-type')).toContain('application/json');
  expect(await answer.json()).toMatchObject({
    result: {
      supportedVersions: ['2026-07-28'],
      resultType: 'complete',
      cacheScope: 'public',
      instructions: expect.stringContaining('untrusted'),
    },
  });
});

test('every tool has a strict input schema, an output schema, a description and all four annotations', async () => {
  const { tools } = await writer.client.listTools();

  expect(tools.map(({ name }) => name)).toEqual([
    'see_account_information',
    'go_online',
    'read_history',
    'ack_messages',
    'search_history',
    'send_message',
    'get_message_status',
    'go_offline',
  ]);
  for (const tool of tools) {
    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(tool.outputSchema).toMatchObject({ type: 'object' });
    expect(tool.description?.length).toBeGreaterThan(80);
    expect(Object.keys(tool.annotations ?? {}).sort()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
    ]);
  }
});

test('the older client negotiates its own era, gets JSON, and calls the tools', async () => {
  const client = new OldClient({ name: 'old', version: '1' });
  await client.connect(
    new OldTransport(new URL('/mcp', stack.baseUrl), { requestInit: { headers: bearer(writer) } }) as Parameters<
      OldClient['connect']
    >[0],
  );

  const result = await client.callTool({ name: 'see_account_information', arguments: {} });

  expect(client.getServerVersion()).toMatchObject({ name: 'homeport-connector' });
  expect(result.structuredContent).toMatchObject({ nick: 'ada', presence: 'offline' });
  const raw = await postMcp(stack, LIST, bearer(writer));
  expect(raw.headers.get('content-type')).toContain('application/json');
  await client.close();
});

test('an agent session belongs to its person and client', async () => {
  verifies('connector.session.sessionId', 'connector.session.binding', 'connector.authentication.9');
  const { sessionId } = await writer.call('see_account_information');

  const same = await writer.call('see_account_information', { session_id: sessionId });
  const foreign = await reader.attempt('see_account_information', { session_id: sessionId });
  const unknown = await reader.attempt('see_account_information', { session_id: 'ses_unknown' });

  expect(same['sessionId']).toBe(sessionId);
  expect(foreign.isError).toBe(true);
  expect(foreign.content).toEqual(unknown.content);
});

test('calls of both eras that come at once are each answered for their own client', async () => {
  const own = async (agent: Agent) => String((await agent.call('see_account_information'))['sessionId']);
  const [writers, readers] = [await own(writer), await own(reader)];
  const olderCall = async (agent: Agent, sessionId: string) => {
    const answer = await postMcp(stack, call('see_account_information', { session_id: sessionId }), bearer(agent));
    return (await answer.json()) as { result: { isError?: boolean; structuredContent?: { sessionId: string } } };
  };

  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const [agent, sessionId, foreign] = n % 2 === 0 ? [writer, writers, readers] : [reader, readers, writers];
      const right = await agent.call('see_account_information', { session_id: sessionId });
      const wrong = await agent.attempt('see_account_information', { session_id: foreign });
      const older = [await olderCall(agent, sessionId), await olderCall(agent, foreign)] as const;
      return (
        right['sessionId'] === sessionId &&
        wrong.isError === true &&
        older[0].result.structuredContent?.sessionId === sessionId &&
        older[1].result.isError === true
      );
    }),
  );

  expect(answers.every(Boolean)).toBe(true);
});

for (const [why, name, args] of [
  ['an unknown argument', 'see_account_information', { session: 'x' }],
  ['an unknown mode', 'read_history', { channel: '#room', mode: 'newest' }],
  ['unread without a session', 'read_history', { channel: '#room', mode: 'unread' }],
  ['unread with a page', 'read_history', { channel: '#room', mode: 'unread', session_id: 'ses_x', page_token: 'x' }],
  ['a phrase of 100 kB', 'search_history', { phrase: 'x'.repeat(100_000) }],
  ['an empty phrase', 'search_history', { phrase: '' }],
  ['a phrase of formatting alone', 'search_history', { phrase: '\u0002\u0003' }],
  ['a made-up page token', 'search_history', { phrase: 'x', page_token: 'AAAA' }],
  ['an entry id that is none', 'ack_messages', { channel: '#room', session_id: 'ses_x', entry_id: 'x' }],
  ['a message id that is none', 'get_message_status', { message_id: 'msg_none' }],
  ['a limit that is no number', 'read_history', { channel: '#room', mode: 'recent', limit: 'all' }],
  ['a limit between two numbers', 'read_history', { channel: '#room', mode: 'recent', limit: 1.5 }],
  ['401 characters', 'send_message', { channel: '#room', text: 'x'.repeat(401) }],
  ['an idempotency key with a blank', 'send_message', { channel: '#room', text: 'x', idempotency_key: 'a b' }],
] as const) {
  test(`a call with ${why} is refused in words a model can act on`, async () => {
    verifies('connector.parameter.page-token');
    const result = await writer.attempt(name, args);

    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).not.toMatch(/internal|went wrong/);
  });
}

test('a client may give arguments to tools without parameters', async () => {
  expect(await writer.call('go_online', { random_string: 'x' })).toMatchObject({ presence: 'online' });
  expect(await writer.call('go_offline', { reason: 'done', force: null })).toEqual({ presence: 'offline' });
});

test('a foreign origin and a foreign host are refused before any token is looked at', async () => {
  expect((await postMcp(stack, LIST, { ...bearer(writer), origin: 'https://evil.example' })).status).toBe(403);
  expect((await postMcp(stack, LIST, { ...bearer(writer), origin: stack.baseUrl })).status).toBe(200);
  const foreignHost = request(`${stack.baseUrl}/mcp`, { method: 'POST', headers: { host: 'evil.example' } }).end();
  const [answer] = (await once(foreignHost, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(403);
});

test('a host that is written with credentials is served, and they stay out of the log', async () => {
  const { host } = new URL(stack.baseUrl);
  const headers = { ...bearer(writer), host: `someone:passphrase@${host}`, 'content-type': 'application/json' };
  const asked = request(`${stack.baseUrl}/mcp`, { method: 'POST', headers }).end(JSON.stringify(LIST));
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];

  expect(answer.statusCode).toBe(200);
  answer.resume();
  expect(stack.connector.output()).not.toContain('passphrase');
});

test('a call that is cancelled in its own batch is answered all the same', async () => {
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  const headers = { ...bearer(writer), 'mcp-protocol-version': '2025-03-26' };

  const both = await postMcp(stack, [call('see_account_information'), cancelled], headers);
  const alone = await postMcp(stack, [cancelled], headers);

  expect(JSON.stringify(await both.json())).toContain('sessionId');
  expect(alone.status).toBe(202);
});

test('malformed JSON is answered in JSON-RPC, a body too large with 413, other methods with 405', async () => {
  const malformed = await postMcp(stack, '{"jsonrpc":', bearer(writer));
  const deep = await postMcp(stack, '['.repeat(100_000), bearer(writer));
  const large = await postMcp(stack, JSON.stringify({ ...LIST, padding: 'x'.repeat(300_000) }), bearer(writer));
  const others = await Promise.all(
    ['GET', 'DELETE'].map((method) => fetch(`${stack.baseUrl}/mcp`, { method, headers: bearer(writer) })),
  );

  expect([malformed.status, await malformed.json()]).toMatchObject([400, { error: { code: -32700 } }]);
  expect([deep.status, await deep.json()]).toMatchObject([400, { error: { code: -32700 } }]);
  expect([large.status, await large.json()]).toMatchObject([413, { jsonrpc: '2.0' }]);
  expect(others.map(({ status, headers }) => [status, headers.get('allow')])).toEqual([
    [405, 'POST'],
    [405, 'POST'],
  ]);
});

test('secrets and what was said stay out of the log', async () => {
  const text = 'canary-of-the-log';
  await writer.call('go_online');
  await writer.attempt('send_message', { channel: '#room', text });

  const log = stack.connector.output();
  const secrets = [writer.accessToken, writer.credentials.stored?.refresh_token ?? '', ADMIN_TOKEN, text];

  expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
});

function call(name: string, args: object = {}) {
  return {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  };
}
