import { expect } from 'vitest';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { agent, testWithAgent } from '../../../harness/fixtures/front-door.ts';

const METHOD_NOT_FOUND = -32_601;

const test = testWithAgent();

const request = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });

for (const [what, body, code] of [
  ['what is not JSON', '{"jsonrpc":', -32_700],
  ['a message without a method', { jsonrpc: '2.0', id: 1 }, -32_600],
  ['a method that does not exist', request('no/such'), METHOD_NOT_FOUND],
  ['a call that names no tool', request('tools/call'), -32_602],
] as const) {
  test(`${what} is answered with ${code}`, async () => {
    verifies('connector.code.32700-32600-32601-32602');
    expect(await codeOf(body)).toBe(code);
  });
}

async function codeOf(body: unknown): Promise<unknown> {
  const { error } = (await (await agent.post('/mcp', body)).json()) as { error?: { code: number } };
  return error?.code;
}
