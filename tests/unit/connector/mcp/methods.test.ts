import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Scope } from '../../../../src/connector/domain/scope.ts';
import { ConnectorError } from '../../../../src/connector/errors.ts';
import { mcpRoute } from '../../../../src/connector/mcp/endpoint.ts';
import { defineMethod } from '../../../../src/connector/mcp/methods/define-method.ts';
import { type EdgeServer, startEdge } from '../../../harness/edge-server.ts';

const VERSION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
};

const echo = defineMethod({
  name: 'tests/echo',
  scope: 'irc:write',
  params: z.strictObject({ text: z.string() }),
  result: z.object({ said: z.string(), by: z.string() }),
  handle: async ({ text }, { caller }) => {
    if (text === 'refuse') throw new ConnectorError('channel_not_enabled', 'the reason');
    if (text === 'break') throw new Error('the details');
    return { said: text, by: `${caller.accountId} ${caller.clientId}` };
  },
});

const token = (...scopes: Scope[]) => ({ accountId: 'acc_1', clientId: 'client', scopes, expiresAt: 2_000_000_000 });

type Era = 'older' | 'new';

for (const era of ['older', 'new'] as const) {
  test(`a method of ours is answered to every client in the ${era} era`, async () => {
    await using edge = await startWithEcho();

    const answer = await call(edge, era, { text: 'hello' });

    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { id: 7, result: { said: 'hello', by: 'acc_1 client' } },
    ]);
  });

  test(`a method whose parameters do not match is refused in the ${era} era; its own refusal names the reason, a bug does not`, async () => {
    await using edge = await startWithEcho();

    const bodies = [{ text: 1 }, { text: 'x', more: 1 }, { text: 'refuse' }, { text: 'break' }].map(async (params) =>
      (await call(edge, era, params)).json(),
    );

    expect(await Promise.all(bodies)).toMatchObject([
      { error: { code: -32_602 } },
      { error: { code: -32_602 } },
      { error: { code: -32_000, message: 'the reason', data: { reason: 'channel_not_enabled' } } },
      { error: { code: -32_603, message: 'something went wrong in this service: try again later' } },
    ]);
  });

  test(`a method without the scope it needs asks for it in the ${era} era`, async () => {
    await using edge = await startWithEcho();

    const answer = await call(edge, era, { text: 'hello' }, 'reader');

    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toMatch(
      /error="insufficient_scope".*has not allowed irc:write.*scope="irc:read irc:write".*resource_metadata=/,
    );
  });
}

test('a batch does not get a method past the scope it needs', async () => {
  await using edge = await startWithEcho();
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

  const answer = await fetch(`${edge.url}/mcp`, {
    method: 'POST',
    headers: { authorization: 'Bearer reader', 'content-type': 'application/json' },
    body: JSON.stringify([ping, { ...ping, id: 2, method: echo.name, params: { text: 'hello' } }]),
  });

  expect(answer.status).toBe(403);
});

async function startWithEcho(): Promise<EdgeServer> {
  const unused = {} as never;
  const settings = { settingsUrl: 'http://127.0.0.1/settings' } as never;
  const log = { error: () => undefined } as never;
  const options = { services: unused, settings, measurements: unused, log, corsOrigins: () => [] };
  return startEdge({
    guarded: [mcpRoute({ ...options, baseUrl: 'http://127.0.0.1', methods: [echo], clock: { monotonic: () => 0 } })],
    tokens: { reader: token('irc:read'), writer: token('irc:read', 'irc:write') },
  });
}

async function call(edge: EdgeServer, era: Era, params: object, bearer = 'writer'): Promise<Response> {
  const message = { jsonrpc: '2.0', id: 7, method: echo.name };
  return fetch(`${edge.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      ...(era === 'new' ? { 'mcp-protocol-version': VERSION, 'mcp-method': echo.name } : {}),
    },
    body: JSON.stringify({ ...message, params: era === 'new' ? { ...params, _meta: META } : params }),
  });
}
