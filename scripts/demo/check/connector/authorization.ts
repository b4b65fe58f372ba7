import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { Client as OldEraClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldEraTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { waitFor } from '../../../stack/wait-for.ts';
import type { Stack } from '../../stack.ts';
import { expectThat } from '../expect.ts';
import { type AgentAuthorization, createAgentAuthorization } from '../oauth-client.ts';
import {
  AGENT_NAME,
  type ConnectedAgent,
  type ConnectorStep,
  type Found,
  type Means,
  present,
  SISTER_NAME,
} from './journey.ts';

const MODERN_PROTOCOL = '2026-07-28';
const CLIENT = { name: 'homeport-check', version: '1' };

const TOOLS = [
  'see_account_information',
  'go_online',
  'read_history',
  'ack_messages',
  'search_history',
  'send_message',
  'get_message_status',
  'go_offline',
];

interface Decision {
  /** Screenshot of the page. */
  picture: string;
  /** The person clears the box for writing. */
  isReadOnly?: boolean;
}

/** The person reads the consent page and allows all or part of what is asked; the agent gets its tokens. */
async function consent(
  { authorization, transport }: ConnectedAgent,
  { browser: { page }, screenshots }: Means,
  { picture, isReadOnly = false }: Decision,
): Promise<void> {
  await page.goto(present(authorization.takeAuthorizationUrl()).href);
  if (isReadOnly) await page.locator('input[name=scope][value="irc:write"]').uncheck();
  await page.screenshot({ path: join(screenshots, picture), fullPage: true });
  await page.getByRole('button', { name: /allow/i }).click();
  // An intermediate page redirects the browser; a navigation before its end would be overtaken by the redirect.
  await page.waitForURL(({ href }) => href.startsWith(String(authorization.provider.redirectUrl)));
  await transport.finishAuth(await waitFor('the agent gets its redirect', () => authorization.takeRedirect()));
  expectThat(authorization.tokens()?.access_token !== undefined, 'an access token');
}

/** Agents register, their person consents, and both generations of clients call tools. */
export function authorizationSteps({ connector }: Stack, means: Means, found: Found): ConnectorStep[] {
  const endpoint = new URL(`${connector.baseUrl}/mcp`);
  const agentWith = (authorization: AgentAuthorization): ConnectedAgent => ({
    authorization,
    transport: new StreamableHTTPClientTransport(endpoint, { authProvider: authorization.provider }),
    client: new Client(CLIENT, { versionNegotiation: { mode: { pin: MODERN_PROTOCOL } } }),
  });
  const connect = async (authorization: AgentAuthorization): Promise<ConnectedAgent> => {
    const agent = agentWith(authorization);
    await agent.client.connect(agent.transport);
    means.parts.add(() => agent.client.close());
    return agent;
  };
  /** A new agent: it is refused, registers itself, and its person consents. */
  const register = async (name: string, decision: Decision): Promise<AgentAuthorization> => {
    const authorization = await createAgentAuthorization(name);
    means.parts.add(() => authorization.close());
    const unknown = agentWith(authorization);
    await expectUnauthorized(unknown.client.connect(unknown.transport), 'a client without a token is sent to sign in');
    await consent(unknown, means, decision);
    return authorization;
  };
  let authorization: AgentAuthorization | undefined;
  return [
    {
      proves: 'an agent registers itself, and its person allows it to read, but not to write (OAuth, PKCE)',
      run: async () => {
        authorization = await register(AGENT_NAME, { picture: 'consent.png', isReadOnly: true });
        const { scope } = present(authorization.tokens());
        expectThat(scope === 'irc:read', `a token that says what was allowed, irc:read, got ${scope}`);
      },
    },
    {
      proves: `MCP ${MODERN_PROTOCOL}: the official client lists the tools`,
      run: async () => {
        found.agent = await connect(present(authorization));
        const { tools } = await found.agent.client.listTools();
        expectThat(tools.map(({ name }) => name).join() === TOOLS.join(), `the eight tools ${TOOLS.join()}`);
      },
    },
    {
      proves: 'MCP of the older eras: the first-generation client calls a tool',
      run: async () => {
        const token = present(present(found.agent).authorization.tokens()).access_token;
        const transport = new OldEraTransport(endpoint, {
          requestInit: { headers: { authorization: `Bearer ${token}` } },
        });
        const client = new OldEraClient(CLIENT);
        // The old client's own types disagree about optional fields with its transport's.
        await client.connect(transport as Parameters<typeof client.connect>[0]);
        means.parts.add(() => client.close());
        const result = await client.callTool({ name: 'see_account_information', arguments: {} });
        expectThat(result.isError !== true, 'the account information');
      },
    },
    {
      proves: 'an agent that may only read must ask again before it may write',
      run: async () => {
        const { client } = present(found.agent);
        await expectUnauthorized(
          client.callTool({ name: 'go_online', arguments: {} }),
          'go_online needs more than irc:read',
        );
        await consent(present(found.agent), means, { picture: 'consent-write.png' });
      },
    },
    {
      proves: 'a second agent of the same person gets a token of its own',
      run: async () => {
        found.sister = await connect(await register(SISTER_NAME, { picture: 'consent-second.png' }));
      },
    },
  ];
}

/** Expects that the attempt fails because the client has to get its person's consent. */
export async function expectUnauthorized(attempt: Promise<unknown>, sentence: string): Promise<void> {
  const end = await attempt.then(
    () => 'an answer',
    (error: unknown) => error,
  );
  expectThat(end instanceof UnauthorizedError, `${sentence}, got ${String(end)}`);
}
