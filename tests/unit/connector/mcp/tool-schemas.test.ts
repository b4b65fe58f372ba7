import { expect } from 'vitest';
import { CHANNEL_MAX_CHARACTERS } from '../../../../src/connector/domain/channel.ts';
import { routes } from '../../../../src/connector/rest/index.ts';
import { describeInterface } from '../../../../src/connector/rest/openapi.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { agent, testWithAgent } from '../../../harness/fixtures/front-door.ts';

interface Schema {
  properties?: Record<string, Schema & { description?: string; maxLength?: number }>;
}

/** Parts of schemas that some clients warn of or refuse, or that waste their room. */
const TROUBLESOME = {
  'a list of types': /"type":\[/,
  'a value that nothing fits': /"not":\{\}/,
  'a pattern that repeats a format': /"format":"[\w-]+","pattern"|"pattern":"(?:[^"\\]|\\.)*","format"/,
  'the bounds of every number': /9007199254740991/,
  'a reference': /"\$ref"/,
  'the name of a dialect': /"\$schema"/,
};

const test = testWithAgent();

let tools: ListedTool[];

test.beforeAll(async () => {
  const answer = await agent.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  tools = ((await answer.json()) as { result: { tools: ListedTool[] } }).result.tools;
});

const property = (tool: string, name: string) =>
  tools.find((one) => one.name === tool)?.inputSchema.properties?.[name] ?? {};

for (const [what, pattern] of Object.entries(TROUBLESOME)) {
  test(`no schema of a tool has ${what}`, () => {
    const found = tools.filter(({ inputSchema, outputSchema }) =>
      pattern.test(JSON.stringify([inputSchema, outputSchema])),
    );

    expect(tools).toHaveLength(8);
    expect(found.map(({ name }) => name)).toEqual([]);
  });
}

test('the description of the REST interface is in the same words, but for its references', () => {
  const text = JSON.stringify(describeInterface('https://irc.example.org', routes));
  const { 'a reference': _used, ...rest } = TROUBLESOME;

  expect(Object.entries(rest).filter(([, pattern]) => pattern.test(text))).toEqual([]);
  expect(text).toContain('"anyOf":[{"type":"string"},{"type":"null"}]');
});

test('the list of tools takes no more room in a conversation than it did', () => {
  expect(JSON.stringify(tools).length).toBeLessThan(24_000);
});

test('the one limit of a text stands in schema, description and refusal alike', async () => {
  verifies('connector.parameter.text', 'connector.limit.message-text-of-send-message');
  const { description, maxLength } = property('send_message', 'text');
  await agent.call('go_online');

  const refusals = [401, 801, 20_000].map(async (length) => {
    const { content } = await agent.attempt('send_message', { channel: '#room', text: '🙂'.repeat(length) });
    return content[0]?.text;
  });

  expect([description, maxLength]).toEqual(['1 to 400 characters, one line, no control characters.', 400]);
  for (const refusal of await Promise.all(refusals)) {
    expect(refusal).toContain('text: at most 400 characters: send a longer text in several messages');
    expect(refusal).not.toMatch(/800/);
  }
});

test('an idempotency key is said to have no spaces, in the schema and where it has one', async () => {
  const refused = await agent.attempt('send_message', { channel: '#room', text: 'x', idempotency_key: 'a b' });

  expect(property('send_message', 'idempotency_key').description).toMatch(/visible ASCII characters, no spaces/);
  expect(refused.content[0]?.text).toContain('idempotency_key: visible ASCII characters, no spaces');
});

for (const blank of [null, '']) {
  test(`an optional argument that is ${JSON.stringify(blank)} counts as absent`, async () => {
    const call = { channel: '#room', limit: blank, page_token: blank };
    const calls = [
      ['see_account_information', { session_id: blank }],
      ['read_history', { ...call, mode: 'recent', session_id: blank }],
      ['search_history', { phrase: 'x', channel: blank, limit: blank, page_token: blank }],
      ['send_message', { channel: '#room', text: 'hello', idempotency_key: blank, session_id: blank }],
    ] as const;

    for (const [tool, args] of calls)
      expect([tool, (await agent.attempt(tool, args)).isError]).toEqual([tool, undefined]);
  });

  test(`a required argument that is ${JSON.stringify(blank)} is refused by name`, async () => {
    const calls = [
      ['read_history', { channel: blank, mode: 'recent' }, 'channel'],
      ['read_history', { channel: '#room', mode: blank }, 'mode'],
      ['search_history', { phrase: blank }, 'phrase'],
      ['send_message', { channel: '#room', text: blank }, 'text'],
      ['ack_messages', { channel: '#room', session_id: blank, entry_id: 'x' }, 'session_id'],
      ['get_message_status', { message_id: blank }, 'message_id'],
    ] as const;

    for (const [tool, args, name] of calls) {
      const { isError, content } = await agent.attempt(tool, args);
      expect([tool, isError, content[0]?.text]).toEqual([tool, true, expect.stringContaining(`${name}:`)]);
    }
  });
}

for (const [tool, name, text] of [
  ['see_account_information', 'session_id', { type: 'string', maxLength: 64 }],
  ['read_history', 'session_id', { type: 'string', maxLength: 64 }],
  ['search_history', 'channel', { type: 'string', maxLength: CHANNEL_MAX_CHARACTERS }],
  ['send_message', 'idempotency_key', { type: 'string', maxLength: 128, pattern: '^$|^[!-~]+$' }],
] as const) {
  test(`the schema says that the ${name} of ${tool} may be null or empty`, () => {
    expect(property(tool, name)).toEqual({ anyOf: [text, { type: 'null' }], description: expect.any(String) });
  });
}

test('the schema says that a limit may be null, and what it is then', () => {
  const limit = { type: 'integer', minimum: 1, maximum: 200 };
  for (const tool of ['read_history', 'search_history']) {
    expect(property(tool, 'limit')).toMatchObject({ anyOf: [limit, { type: 'null' }], default: 50 });
  }
});

test('the schema of a required argument refuses null and the empty text', () => {
  expect(property('search_history', 'phrase')).toMatchObject({ type: 'string', minLength: 1 });
  expect(property('ack_messages', 'session_id')).toMatchObject({ type: 'string', minLength: 1 });
});

for (const unknown of [{ random_string: '' }, { session_id: 'ses_x', reason: null }, { arguments: {} }]) {
  test(`a tool without arguments may be called with ${JSON.stringify(unknown)}`, async () => {
    expect(await agent.call('go_online', unknown)).toMatchObject({ presence: 'online' });
    expect(await agent.call('go_offline', unknown)).toEqual({ presence: 'offline' });
  });
}

test('a tool without arguments may be called with null or without arguments', async () => {
  const status = async (params: object): Promise<unknown> => {
    const answer = await agent.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    return ((await answer.json()) as { result?: { structuredContent?: object } }).result?.structuredContent;
  };

  expect(await status({ name: 'see_account_information', arguments: null })).toMatchObject({ nick: 'ada' });
  expect(await status({ name: 'see_account_information' })).toMatchObject({ nick: 'ada' });
  const list = await agent.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: null } });
  expect(await list.json()).toMatchObject({ result: { tools: expect.any(Array) } });
});

interface ListedTool {
  name: string;
  inputSchema: Schema;
  outputSchema: Schema;
}
