import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { OAuthClientProvider as OldProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'vitest';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { AgentCredentials, consent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';

const test = testWithStack();

const NAME = { name: 'tests', version: '1' };

const GENERATIONS: Record<string, (credentials: AgentCredentials) => Connection> = {
  first: (credentials) => {
    // The two generations describe the same provider in types of their own.
    const authProvider = credentials as unknown as OldProvider;
    const transport = new OldTransport(new URL('/mcp', stack.baseUrl), { authProvider });
    const client = new OldClient(NAME);
    return {
      connect: () => client.connect(transport as Parameters<typeof client.connect>[0]),
      finish: (callback) => transport.finishAuth(callback.searchParams.get('code') ?? ''),
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: (name) => client.callTool({ name, arguments: {} }),
      close: () => client.close(),
    };
  },
  second: (credentials) => {
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', stack.baseUrl), { authProvider: credentials });
    const client = new Client(NAME, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    return {
      connect: () => client.connect(transport),
      finish: (callback) => transport.finishAuth(callback.searchParams),
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: (name) => client.callTool({ name, arguments: {} }),
      close: () => client.close(),
    };
  },
};

for (const [generation, open] of Object.entries(GENERATIONS)) {
  test(`the official client of the ${generation} generation writes after one consent`, async () => {
    verifies('connector.authentication.1', 'connector.authentication.2', 'connector.endpoint.POST-oauth-register');
    const credentials = await signIn(open);
    const sentTo = credentials.sentTo;
    const agent = open(credentials);
    await agent.connect();

    expect(await agent.tools()).toHaveLength(8);
    expect((await agent.call('see_account_information'))['isError'] ?? false).toBe(false);
    expect((await agent.call('go_offline'))['isError'] ?? false).toBe(false);
    expect(credentials.sentTo).toBe(sentTo);
    expect(credentials.stored?.scope).toBe('irc:read irc:write');
    await agent.close();
  });

  test(`the official client of the ${generation} generation gets new tokens without asking the person`, async () => {
    verifies('connector.authentication.3', 'connector.endpoint.POST-oauth-token');
    const credentials = await signIn(open);
    const { sentTo, stored } = credentials;
    if (stored === undefined) throw new Error('the client got no tokens');
    credentials.stored = { ...stored, access_token: 'worn-out' };
    const agent = open(credentials);
    await agent.connect();

    expect((await agent.call('go_offline'))['isError'] ?? false).toBe(false);
    expect(credentials.sentTo).toBe(sentTo);
    expect(credentials.stored.refresh_token).not.toBe(stored.refresh_token);
    await agent.close();
  });

  test(`the official client of the ${generation} generation may only read when the person has cleared the other box`, async () => {
    const credentials = await signIn(open, ['irc:read']);
    const agent = open(credentials);
    await agent.connect();

    expect(credentials.stored?.scope).toBe('irc:read');
    expect((await agent.call('see_account_information'))['isError'] ?? false).toBe(false);
    await expect(agent.call('go_offline')).rejects.toThrow();
    await agent.close();
  });
}

/** Finds out where to sign in, registers, and has the person decide. */
async function signIn(open: (typeof GENERATIONS)[string], scopes?: readonly string[]): Promise<AgentCredentials> {
  const credentials = new AgentCredentials();
  const unknown = open(credentials);
  await expect(unknown.connect()).rejects.toThrow(/unauthorized/i);
  if (credentials.sentTo === undefined) throw new Error('the client was not sent to the consent page');
  await unknown.finish(await consent(stack, 'ada', credentials.sentTo, 'allow', scopes));
  await unknown.close();
  return credentials;
}

/** An agent that brings its own OAuth, as programs do that take only the address. */
interface Connection {
  connect(): Promise<void>;
  /** The browser has come back to it. */
  finish(callback: URL): Promise<void>;
  tools(): Promise<string[]>;
  call(tool: string): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}
