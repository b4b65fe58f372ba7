import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'vitest';
import { AgentCredentials, consent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { postMcp } from '../../harness/oauth-client.ts';

const test = testWithStack();

/** Drops its tokens when they are refused, as programs do. */
class ForgettingCredentials extends AgentCredentials {
  invalidateCredentials(what: string): void {
    if (what === 'tokens' || what === 'all') this.stored = undefined;
  }
}

test('a client that gives up at a refusal asks anew, for everything, once the person has revoked it where the refusal says', async () => {
  const credentials = new ForgettingCredentials();
  await signIn(credentials, ['irc:read']);
  const reader = open(credentials);
  await reader.connect();
  await expect(reader.client.callTool({ name: 'go_offline', arguments: {} })).rejects.toThrow();
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'go_offline', arguments: {} } };
  const refused = await postMcp(stack, call, { authorization: `Bearer ${credentials.stored?.access_token}` });
  const { error_description: words } = (await refused.json()) as { error_description: string };
  const [settings = ''] = words.match(/https?:[^,\s]+/) ?? [];

  const browser = await stack.signIn('ada');
  await browser.submit(await browser.open(settings), {}, '/settings/agents/revoke');
  const asked = await signIn(credentials);

  expect(asked.searchParams.get('scope')).toBe('irc:read irc:write');
  const writer = open(credentials);
  await writer.connect();
  expect((await writer.client.callTool({ name: 'go_offline', arguments: {} })).isError ?? false).toBe(false);
  await Promise.all([reader.client.close(), writer.client.close()]);
});

/** A client of the first generation: at a 403 it refreshes its token, and gives up. */
function open(credentials: AgentCredentials) {
  const authProvider = credentials as unknown as OAuthClientProvider;
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', stack.baseUrl), { authProvider });
  const client = new Client({ name: 'tests', version: '1' });
  return {
    client,
    connect: () => client.connect(transport as Parameters<typeof client.connect>[0]),
    finish: (callback: URL) => transport.finishAuth(callback.searchParams.get('code') ?? ''),
  };
}

/** Connects once more, which sends the person to the consent page, where they allow these scopes. */
async function signIn(credentials: AgentCredentials, scopes?: readonly string[]): Promise<URL> {
  const unknown = open(credentials);
  await expect(unknown.connect()).rejects.toThrow(/unauthorized/i);
  const asked = credentials.sentTo ?? new URL('none:');
  await unknown.finish(await consent(stack, 'ada', asked, 'allow', scopes));
  return asked;
}
