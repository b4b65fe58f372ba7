import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { Client as OldEraClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldEraTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { waitFor } from '../../stack/wait-for.ts';
import type { OpenParts, Stack } from '../stack.ts';
import type { OpenBrowser } from './browser.ts';
import { expectThat } from './expect.ts';
import { connectIrc, type IrcClient } from './irc-client.ts';
import { type AgentAuthorization, createAgentAuthorization } from './oauth-client.ts';
import type { Step } from './steps.ts';

const MODERN_PROTOCOL = '2026-07-28';
const REQUEST_DEADLINE_MS = 10_000;
const ECHO_DEADLINE_MS = 20_000;
const CLIENT = { name: 'homeport-check', version: '1' };

interface Means {
  browser: OpenBrowser;
  parts: OpenParts;
  /** Folder for pictures of the pages. */
  screenshots: string;
}

/** What earlier steps found and later ones need. */
interface Found {
  agent?: { authorization: AgentAuthorization; transport: StreamableHTTPClientTransport; client: Client };
  irc?: IrcClient;
}

const present = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('an earlier step did not run');
  return value;
};

/** The whole journey of an agent and its person: sign-in, consent, MCP, a line to IRC and one back. */
export function connectorSteps(stack: Stack, means: Means): Step[] {
  const found: Found = {};
  return [
    ...discoverySteps(stack),
    ...peopleSteps(stack, means),
    ...authorizationSteps(stack, means, found),
    ...ircSteps(stack, means, found),
  ].map((step) => ({ ...step, program: 'connector' }));
}

type ConnectorStep = Omit<Step, 'program'>;

function discoverySteps({ connector }: Stack): ConnectorStep[] {
  const getJson = async (path: string): Promise<Record<string, unknown>> => {
    const response = await fetch(`${connector.baseUrl}${path}`, { signal: AbortSignal.timeout(REQUEST_DEADLINE_MS) });
    expectThat(response.ok, `an answer at ${path}, got ${response.status}`);
    return (await response.json()) as Record<string, unknown>;
  };
  return [
    {
      proves: 'an agent discovers the resource and its authorization server',
      run: async () => {
        expectThat((await getJson('/healthz'))['ok'] === true, '/healthz says ok');
        const resource = await getJson('/.well-known/oauth-protected-resource/mcp');
        const server = await getJson('/.well-known/oauth-authorization-server');
        expectThat(resource['resource'] === connector.baseUrl, 'the resource is the base address');
        expectThat(server['issuer'] === connector.baseUrl, 'the issuer is the base address');
        expectThat(JSON.stringify(server['code_challenge_methods_supported']) === '["S256"]', 'PKCE by S256');
      },
    },
  ];
}

function peopleSteps(
  { connector, owner, channels }: Stack,
  { browser: { page }, screenshots }: Means,
): ConnectorStep[] {
  return [
    {
      proves: 'the owner signs in through the identity provider',
      run: async () => {
        await page.goto(`${connector.baseUrl}/login`);
        await page.screenshot({ path: join(screenshots, 'sign-in.png') });
        await page.getByRole('link', { name: /continue/i }).click();
        await page.locator('input[name=login]').fill(owner);
        await page.keyboard.press('Enter');
        await page.waitForURL(`${connector.baseUrl}/settings`);
      },
    },
    {
      proves: 'the owner enables a channel in the settings',
      run: async () => {
        await page.getByRole('checkbox', { name: channels[0] ?? '' }).check();
        await page.getByRole('button', { name: /save/i }).click();
        await page.waitForLoadState();
        expectThat(
          await page.getByRole('checkbox', { name: channels[0] ?? '' }).isChecked(),
          'the channel stays enabled',
        );
        await page.screenshot({ path: join(screenshots, 'settings.png'), fullPage: true });
      },
    },
  ];
}

/** The person reads the consent page and allows what is asked; the agent gets its tokens. */
async function consent(found: Found, { browser: { page }, screenshots }: Means, picture: string): Promise<void> {
  const { authorization, transport } = present(found.agent);
  await page.goto(present(authorization.takeAuthorizationUrl()).href);
  await page.screenshot({ path: join(screenshots, picture), fullPage: true });
  await page.getByRole('button', { name: /allow/i }).click();
  await transport.finishAuth(await waitFor('the agent gets its redirect', () => authorization.takeRedirect()));
  expectThat(authorization.tokens()?.access_token !== undefined, 'an access token');
}

function authorizationSteps({ connector }: Stack, means: Means, found: Found): ConnectorStep[] {
  const endpoint = new URL(`${connector.baseUrl}/mcp`);
  const connect = async (authorization: AgentAuthorization): Promise<void> => {
    const transport = new StreamableHTTPClientTransport(endpoint, { authProvider: authorization.provider });
    const client = new Client(CLIENT, { versionNegotiation: { mode: { pin: MODERN_PROTOCOL } } });
    found.agent = { authorization, transport, client };
    await client.connect(transport);
    means.parts.add(() => client.close());
  };
  return [
    {
      proves: 'an agent registers itself, and its person consents (OAuth, PKCE)',
      run: async () => {
        const authorization = await createAgentAuthorization();
        means.parts.add(() => authorization.close());
        expectThat(await isUnauthorized(connect(authorization)), 'a client without a token is sent to sign in');
        await consent(found, means, 'consent.png');
      },
    },
    {
      proves: `MCP ${MODERN_PROTOCOL}: the official client lists the tools`,
      run: async () => {
        await connect(present(found.agent).authorization);
        const { tools } = await present(found.agent).client.listTools();
        const names = tools.map(({ name }) => name);
        for (const name of ['see_account_information', 'go_online', 'read_history', 'send_message']) {
          expectThat(names.includes(name), `the tool ${name}`);
        }
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
        expectThat(
          await isUnauthorized(client.callTool({ name: 'go_online', arguments: {} })),
          'go_online needs more than irc:read',
        );
        await consent(found, means, 'consent-write.png');
      },
    },
  ];
}

async function isUnauthorized(attempt: Promise<unknown>): Promise<boolean> {
  return attempt.then(
    () => false,
    (error: unknown) => error instanceof UnauthorizedError,
  );
}

function ircSteps({ irc, channels }: Stack, { parts }: Means, found: Found): ConnectorStep[] {
  const channel = channels[0] ?? '';
  const nick = 'grace';
  const callTool = async (name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> => {
    const result = await present(found.agent).client.callTool({ name, arguments: args });
    expectThat(result.isError !== true, `${name} to succeed, it says: ${JSON.stringify(result.content)}`);
    return result.structuredContent as Record<string, unknown>;
  };
  return [
    {
      proves: 'the account goes online through the bouncer',
      run: async () => {
        await callTool('go_online', {});
        await waitFor(
          'the upstream connection is up',
          async () => (await callTool('see_account_information', {}))['upstreamConnected'] === true,
        );
        found.irc = await connectIrc(irc.host, irc.port, nick);
        const client = found.irc;
        parts.add(async () => client.close());
        found.irc.join(channel);
        await waitFor('the second person is in the channel', () =>
          present(found.irc).lines.some((line) => / 366 /.test(line)),
        );
      },
    },
    {
      proves: "the agent's line arrives at a second IRC client",
      run: async () => {
        const text = `hello from the agent ${Date.now()}`;
        await waitFor('the account is in the channel', async () =>
          JSON.stringify(await callTool('see_account_information', {})).includes(channel),
        );
        await callTool('send_message', { channel, text, idempotency_key: `check-${Date.now()}` });
        await waitFor(
          'the line arrives',
          () => present(found.irc).lines.some((line) => line.includes(`PRIVMSG ${channel} :${text}`)),
          {
            timeoutMs: ECHO_DEADLINE_MS,
          },
        );
      },
    },
    {
      proves: "that client's line stands in the history, once, with its sender",
      run: async () => {
        const text = `hello from a person ${Date.now()}`;
        present(found.irc).say(channel, text);
        const entry = await waitFor('the line is in the history', async () => {
          const { entries } = (await callTool('read_history', { channel, mode: 'recent' })) as {
            entries: { sender: string; text: string }[];
          };
          const lines = entries.filter((candidate) => candidate.text === text);
          expectThat(lines.length <= 1, 'the line once');
          return lines[0];
        });
        expectThat(entry.sender === nick, `the sender ${nick}, got ${entry.sender}`);
      },
    },
  ];
}
