import { expect } from 'vitest';
import { methods } from '../../../../src/connector/mcp/methods/index.ts';
import { tools } from '../../../../src/connector/mcp/tools/index.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { agent, testWithAgent } from '../../../harness/fixtures/front-door.ts';

const VERSION = '2026-07-28';
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

const test = testWithAgent();

test('a header with another method and a version that does not exist are refused by the codes of the protocol', async () => {
  verifies('connector.code.32020-32021-32022');

  expect(await ask('tools/list', { headers: { 'mcp-method': 'tools/call' } })).toMatchObject({
    status: 400,
    error: { code: -32_020 },
  });
  expect(await ask('tools/list', { version: '2099-01-01' })).toMatchObject({
    status: 400,
    error: { code: -32_022, data: { supported: [VERSION], requested: '2099-01-01' } },
  });
});

test('no method needs a capability of the client, so a client without capabilities is never refused for a missing one', async () => {
  verifies('connector.code.32020-32021-32022');
  const asked = [
    ...['server/discover', 'tools/list', ...methods.map(({ name }) => name)].map((method) => ask(method, {})),
    ...tools.map(({ name }) => ask('tools/call', { name })),
  ];

  const answers = await Promise.all(asked);

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers.filter(({ error }) => error?.code === -32_021)).toEqual([]);
});

/** A call by a client that declares no capability at all. */
async function ask(
  method: string,
  { name, version = VERSION, headers = {} }: { name?: string; version?: string; headers?: Record<string, string> },
): Promise<Answered> {
  const _meta = {
    [VERSION_KEY]: version,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
  };
  const message = { jsonrpc: '2.0', id: 1, method, params: { _meta, ...(name && { name, arguments: {} }) } };
  const answer = await agent.post('/mcp', message, {
    ...{ 'mcp-protocol-version': version, 'mcp-method': method, ...(name && { 'mcp-name': name }) },
    ...headers,
  });
  const { error } = (await answer.json()) as Pick<Answered, 'error'>;
  return { status: answer.status, error };
}

interface Answered {
  status: number;
  error: { code: number; data?: Record<string, unknown> } | undefined;
}
