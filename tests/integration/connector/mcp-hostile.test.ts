import { gzipSync } from 'node:zlib';
import { afterAll, expect } from 'vitest';
import { type Agent, connectAgent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { postMcp } from '../../harness/oauth-client.ts';
import { agentIn } from '../../harness/person.ts';

const test = testWithStack();

let agent: Agent;

const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
};
const STATUS = { name: 'get_message_status', arguments: { message_id: 'msg_none' } };

const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;

test.beforeAll(async () => {
  agent = await agentIn(stack, 'ada', ['#room']);
});

afterAll(async () => {
  await agent?.[Symbol.asyncDispose]();
});

const call = 'tools/call';
for (const [why, headers] of [
  ['no method header', { 'mcp-protocol-version': VERSION, 'mcp-name': STATUS.name }],
  ['no name header', modern(call)],
  ['the name of another tool', modern(call, 'send_message')],
  ['an encoded name of another tool', modern(call, base64('send_message'))],
  ['the method in other case', { ...modern(call, STATUS.name), 'mcp-method': 'Tools/Call' }],
  ['another version than in the body', { ...modern(call, STATUS.name), 'mcp-protocol-version': '2025-11-25' }],
] as const) {
  test(`a call with ${why} is a header mismatch`, async () => {
    const { status, body } = await send(request(call, STATUS), headers);

    expect([status, body.error?.code]).toEqual([400, -32_020]);
  });
}

test('a name header that is encoded and equal is accepted', async () => {
  const { status, body } = await send(request(call, STATUS), modern(call, base64(STATUS.name)));

  expect([status, body.result?.['isError']]).toEqual([200, true]);
});

test('a request of the new era without its envelope, or with half of it, has invalid parameters', async () => {
  const { 'io.modelcontextprotocol/clientCapabilities': _missing, ...half } = META;
  const answers = [
    await send({ ...request(call), params: STATUS }, modern(call, STATUS.name)),
    await send(request(call, { ...STATUS, _meta: half }), modern(call, STATUS.name)),
  ];

  expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual([
    [400, -32_602],
    [400, -32_602],
  ]);
});

test('an unknown version is answered with the versions there are', async () => {
  const meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
  const { status, body } = await send(request('tools/list', { _meta: meta }), {
    ...modern('tools/list'),
    'mcp-protocol-version': '2099-01-01',
  });

  expect([status, body.error]).toMatchObject([400, { code: -32_022, data: { supported: [VERSION] } }]);
});

for (const method of ['no/such', 'ping', 'initialize', 'resources/list', 'events/none']) {
  test(`the method ${method} does not exist in the new era`, async () => {
    const { status, body } = await send(request(method), modern(method));

    expect([status, body.error?.code]).toEqual([404, -32_601]);
  });
}

for (const [why, body] of [
  ['an id of null', request('tools/list', {}, { id: null })],
  ['an object as id', request('tools/list', {}, { id: {} })],
  ['another version of JSON-RPC', request('tools/list', {}, { jsonrpc: '1.0' })],
  ['no method', { jsonrpc: '2.0', id: 1, params: { _meta: META } }],
  ['a text', '"tools/list"'],
  ['a number', '1'],
  ['null', 'null'],
  ['an empty list', '[]'],
] as const) {
  test(`a message with ${why} is an invalid request, in JSON`, async () => {
    const { status, body: answer } = await send(body, modern('tools/list'));

    expect(status).toBe(400);
    expect(answer.error?.code).toBeLessThan(0);
  });
}

test('a body of another type is refused', async () => {
  const answer = await postMcp(stack, request('tools/list'), {
    authorization: `Bearer ${agent.accessToken}`,
    ...modern('tools/list'),
    'content-type': 'text/plain',
  });

  expect(answer.status).toBe(415);
});

test('an unknown tool is an error of the protocol', async () => {
  const { status, body } = await send(request(call, { name: 'raw_irc', arguments: {} }), modern(call, 'raw_irc'));

  expect([status, body.error?.code]).toEqual([200, -32_602]);
});

for (const key of ['constructor', 'toString', 'isAdmin', 'session_id']) {
  test(`the argument ${key}, which the tool does not have, is refused by name`, async () => {
    const body = JSON.stringify(request(call, { name: 'get_message_status', arguments: { message_id: 'x' } })).replace(
      '"message_id":"x"',
      `"message_id":"x","${key}":{"polluted":true}`,
    );

    const { status, body: answer } = await send(body, modern(call, 'get_message_status'));

    expect([status, answer.result?.['isError']]).toEqual([200, true]);
    expect(JSON.stringify(answer.result?.['content'])).toContain(key);
  });
}

test('a key __proto__ is refused wherever it stands', async () => {
  for (const body of [
    `{"jsonrpc":"2.0","id":1,"method":"tools/list","__proto__":{"x":1}}`,
    JSON.stringify(request(call, STATUS)).replace('"message_id"', '"__proto__":{"x":1},"message_id"'),
  ]) {
    const { status, body: answer } = await send(body, modern(call, STATUS.name));

    expect([status, answer.error?.code]).toEqual([400, -32_700]);
  }
});

for (const channel of ['#a,#b', 'bob', '#a\r\nJOIN #b', `#${'x'.repeat(300)}`, '', '#', '&local', '#room ']) {
  test(`the channel ${JSON.stringify(channel).slice(0, 20)} is refused by every tool that takes one`, async () => {
    const { sessionId } = await agent.call('see_account_information');
    const calls = [
      ['read_history', { channel, mode: 'recent' }],
      ['ack_messages', { channel, session_id: sessionId, entry_id: 'ent_x' }],
      // These tools need no channel, so they accept an empty one.
      ...(channel === ''
        ? []
        : ([
            ['read_history', { channel, mode: 'unread', session_id: sessionId }],
            ['search_history', { channel, phrase: 'x' }],
          ] as const)),
      ['send_message', { channel, text: 'x' }],
    ] as const;

    for (const [tool, args] of calls) expect((await agent.attempt(tool, args)).isError).toBe(true);
  });
}

test('a stream of changes is not offered, and an invented cursor is refused', async () => {
  const listen = await send(
    request('subscriptions/listen', { notifications: { toolsListChanged: true } }),
    modern('subscriptions/listen'),
  );
  const cursors = [
    await send(request('tools/list', { cursor: 'made up' }), modern('tools/list')),
    await send({ jsonrpc: '2.0', id: 'a', method: 'tools/list', params: { cursor: 'made up' } }),
  ];

  expect([listen.status, listen.body.error?.code]).toEqual([404, -32_601]);
  expect(cursors.map(({ body }) => body)).toMatchObject([
    { id: 1, error: { code: -32_602 } },
    { id: 'a', error: { code: -32_602 } },
  ]);
});

test('a client that accepts only JSON, or anything, is served in either era', async () => {
  for (const accept of ['application/json', '*/*']) {
    const answers = [
      await send(request('tools/list'), { ...modern('tools/list'), accept }),
      await send({ jsonrpc: '2.0', id: 1, method: 'ping' }, { accept }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  }
});

test('each revision is negotiated by its name, an unknown one as the newest of the older era', async () => {
  const initialize = (protocolVersion: string) =>
    send({
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion, capabilities: {}, clientInfo: { name: 'tests', version: '1' } },
    });
  const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '1999-01-01'];

  const answers = await Promise.all(versions.map(initialize));

  expect(answers.map(({ body }) => body.result?.['protocolVersion'])).toEqual([...versions.slice(0, -1), '2025-11-25']);
});

test('a notification is taken without an answer', async () => {
  const answers = await Promise.all([
    postMcp(
      stack,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { authorization: `Bearer ${agent.accessToken}` },
    ),
    postMcp(
      stack,
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { _meta: META, requestId: 1 } },
      { authorization: `Bearer ${agent.accessToken}`, ...modern('notifications/cancelled') },
    ),
  ]);

  for (const answer of answers) expect([answer.status, await answer.text()]).toEqual([202, '']);
});

for (const [why, headers, body] of [
  ['in another character set', { 'content-type': 'application/json; charset=latin1' }, '{}'],
  ['compressed in an unknown way', { 'content-type': 'application/json', 'content-encoding': 'zip' }, 'x'],
] as const) {
  test(`a body ${why} is refused in the language of the endpoint`, async () => {
    const { status, body: answer } = await send(body, headers);

    expect([status, answer.error?.code]).toEqual([415, -32_600]);
  });
}

test('a compressed body counts by its unpacked size', async () => {
  const answer = await fetch(`${stack.baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      ...{
        authorization: `Bearer ${agent.accessToken}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
    },
    body: gzipSync(`[${' '.repeat(10_000_000)}]`),
  });

  expect(answer.status).toBe(413);
});

test('a batch of an older revision is answered up to its bound, and refused as a whole beyond it', async () => {
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
  const batch = async (length: number) => send(Array.from({ length }, (_, index) => ping(index)));

  const [bounded, beyond] = [await batch(20), await batch(21)];

  expect([bounded.status, (bounded.body as unknown as object[]).length]).toEqual([200, 20]);
  expect([beyond.status, beyond.body.error?.code]).toEqual([400, -32_600]);
});

test('a batch does not get a call past the scope it needs', async () => {
  await using reader = await connectAgent(stack, 'ada', { scope: 'irc:read' });
  const body = [
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: STATUS },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'go_online', arguments: {} } },
  ];

  const answer = await postMcp(stack, body, { authorization: `Bearer ${reader.accessToken}` });

  expect(answer.status).toBe(403);
  expect(await agent.call('see_account_information')).toMatchObject({ presence: 'offline' });
});

test('discovery and the list of tools may be kept for an hour by anybody', async () => {
  for (const method of ['server/discover', 'tools/list']) {
    const { body } = await send(request(method), modern(method));

    expect(body.result).toMatchObject({ resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'public' });
  }
});

/** Sends what no library would: any body, with headers that may be missing or wrong. */
async function send(body: unknown, headers: Record<string, string> = {}): Promise<Wire> {
  const answer = await postMcp(stack, body, { authorization: `Bearer ${agent.accessToken}`, ...headers });
  const text = await answer.text();
  expect(answer.headers.get('content-type')).toContain('application/json');
  return { status: answer.status, body: JSON.parse(text) as Wire['body'] };
}

interface Wire {
  status: number;
  body: { error?: { code: number; data?: unknown }; result?: Record<string, unknown> };
}

function request(method: string, params: object = {}, changes: object = {}) {
  return {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: { _meta: META, ...params },
    ...changes,
  };
}

function modern(method: string, name?: string) {
  return {
    'mcp-protocol-version': VERSION,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': name }),
  };
}
