import { get } from 'node:http';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../../scripts/stack/browser.ts';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { type IdentityProvider, startIdentityProvider } from '../../../scripts/stack/identity-provider.ts';
import { type ManagedProcess, startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { AGENT_REDIRECT_URI, AgentCredentials } from '../../harness/agent.ts';
import { blockOf } from '../../harness/guide-blocks.ts';
import { lonelyConfig } from '../../harness/lonely-connector.ts';
import { fetchThrough } from '../../harness/proxied-fetch.ts';
import { connectorCommand, secretFile } from '../../harness/start-connector.ts';
import { type FrontProxy, startCaddy, startNginx } from '../../harness/start-proxy.ts';
import { tempFolder } from '../../harness/temp-folder.ts';

/** The name in the guide. */
const NAME = 'irc.example.org';
const BASE_URL = `https://${NAME}`;
const IDP_CLIENT = { clientId: 'connector', clientSecret: 'secret-at-the-identity-provider' };
const REQUESTS_A_MINUTE = 100;

let folder: { path: string } & AsyncDisposable;
let identityProvider: IdentityProvider;
let connector: ManagedProcess;
let upstreamPort: number;

const PROGRAMS = [
  ['nginx', startNginx],
  ['Caddy', startCaddy],
] as const;
const proxies = new Map<string, FrontProxy>();
/** Proxy -> results of a person's and their agent's visit through it. */
const visits = new Map<string, Visit>();

beforeAll(async () => {
  folder = await tempFolder();
  upstreamPort = await freePort();
  identityProvider = await startIdentityProvider({
    folder: join(folder.path, 'idp'),
    ...IDP_CLIENT,
    redirectUri: `${BASE_URL}/login/idp/callback`,
  });
  const config = await lonelyConfig(folder.path, {
    baseUrl: BASE_URL,
    listen: { port: upstreamPort },
    identityProvider: {
      oidc: {
        issuer: identityProvider.issuer,
        clientId: IDP_CLIENT.clientId,
        clientSecretFile: await secretFile(folder.path, 'idp-client', IDP_CLIENT.clientSecret),
      },
    },
    rateLimits: { perAddress: REQUESTS_A_MINUTE },
    ...(JSON.parse(blockOf('proxies.md', 'json')) as object),
  });
  connector = startProcess({ name: 'connector', command: connectorCommand(config) });
  const healthz = `http://127.0.0.1:${upstreamPort}/healthz`;
  await waitFor('the connector answers', async () => (await fetch(healthz)).ok, { process: connector });
});

beforeAll(async () => {
  await Promise.all(
    PROGRAMS.map(async ([program, start]) => {
      const proxy = await start({ folder: join(folder.path, program), name: NAME, upstreamPort });
      proxies.set(program, proxy);
      visits.set(program, await visitThrough(proxy, join(folder.path, `${program}-browser`)));
    }),
  );
});

afterAll(async () => {
  const processes = [...[...proxies.values()].map(({ process }) => process), connector, identityProvider?.process];
  await Promise.all(processes.map((process) => process?.stop()));
  await folder?.[Symbol.asyncDispose]();
});

/** Addresses that stand for clients on other machines; no test uses one twice. */
const strangers = Array.from({ length: 10 }, (_, index) => `127.0.1.${index + 1}`)[Symbol.iterator]();
const nextStranger = (): string => strangers.next().value ?? '';

for (const [program] of PROGRAMS) {
  describe(`behind ${program} as the guide configures it`, () => {
    test('a person signs in with a browser, and their agent gets a token and lists the tools', () => {
      const visit = known(visits, program);

      expect(visit.signedInAt).toBe(`${BASE_URL}/settings`);
      expect(visit.tools).toContain('see_account_information');
    });

    test('a request of the longest size passes, and a longer one is refused in the words of the connector', async () => {
      const ask = (phrase: string) =>
        fetchThrough(known(proxies, program))(`${BASE_URL}/mcp`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${known(visits, program).token}`,
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'search_history', arguments: { phrase } },
          }),
        });

      expect((await ask('x'.repeat(255_000))).status).toBe(200);
      const refused = await ask('x'.repeat(300_000));
      expect(refused.status).toBe(413);
      expect(await refused.json()).toMatchObject({ error: { message: expect.stringContaining('the body is over') } });
    });

    test('a caller without a token is limited by their own address, with any claimed address', async () => {
      const [loud, quiet] = [nextStranger(), nextStranger()];
      const ask = async (localAddress: string, claimed: string): Promise<number> => {
        const headers = { 'x-forwarded-for': claimed };
        return (await fetchThrough(known(proxies, program), { localAddress })(`${BASE_URL}/nowhere`, { headers }))
          .status;
      };

      const answers = [];
      for (let count = 0; count < REQUESTS_A_MINUTE + 20; count += 1)
        answers.push(await ask(loud, `203.0.113.${count}`));

      expect(answers.filter((status) => status === 404)).toHaveLength(REQUESTS_A_MINUTE);
      expect(answers.filter((status) => status === 429)).toHaveLength(20);
      expect(await ask(quiet, loud)).toBe(404);
    });

    test('agents get addresses below the public one, and only under its name', async () => {
      const localAddress = nextStranger();
      const challenge = async (headers: Record<string, string>) =>
        (
          await fetchThrough(known(proxies, program), { localAddress })(`${BASE_URL}/mcp`, { method: 'POST', headers })
        ).headers.get('www-authenticate');

      expect(await challenge({})).toContain(`resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource/mcp"`);
      expect(await challenge({ host: 'rebound.example' })).toBeNull();
    });

    test('a browser that comes by http is sent to https', async () => {
      const url = `http://127.0.0.1:${known(proxies, program).httpPort}/settings`;

      const location = await locationOf(url, NAME);

      expect(location).toMatch(/^https:\/\/irc\.example\.org(:\d+)?\/settings$/);
    });
  });
}

interface Visit {
  /** Page at which the browser was after its sign-in. */
  signedInAt: string;
  token: string;
  tools: string[];
}

/** The official client as a new agent, and its person in a browser. */
async function visitThrough(proxy: FrontProxy, browserFolder: string): Promise<Visit> {
  const through = fetchThrough(proxy);
  const credentials = new AgentCredentials();
  const endpoint = new URL(`${BASE_URL}/mcp`);
  const transport = () => new StreamableHTTPClientTransport(endpoint, { authProvider: credentials, fetch: through });
  const client = new Client({ name: 'tests', version: '1' });
  const first = transport();
  await expect(client.connect(first)).rejects.toBeInstanceOf(UnauthorizedError);
  let signedInAt = '';
  const redirect = await inBrowser(proxy, browserFolder, async (page) => {
    await signIn(page, 'ada');
    signedInAt = page.url();
    return consent(page, credentials.sentTo?.href ?? '');
  });
  await first.finishAuth(redirect.searchParams);
  await client.connect(transport());
  const { tools } = await client.listTools();
  await client.close();
  return { signedInAt, token: credentials.stored?.access_token ?? '', tools: tools.map(({ name }) => name) };
}

/** A browser for which the public name leads to the proxy. */
async function inBrowser<T>(proxy: FrontProxy, browserFolder: string, use: (page: Page) => Promise<T>): Promise<T> {
  const browser = await launchBrowser({
    folder: browserFolder,
    hosts: { [`${NAME}:443`]: `127.0.0.1:${proxy.httpsPort}` },
  });
  try {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    return await use(await context.newPage());
  } finally {
    await browser.close();
  }
}

async function signIn(page: Page, login: string): Promise<void> {
  await page.goto(`${BASE_URL}/settings`);
  await page.locator('input[name=login]').fill(login);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.host === NAME);
  const heading = await page.getByRole('heading', { level: 1 }).textContent();
  if (heading !== 'Settings') throw new Error(`signing in ended at: ${await page.textContent('main')}`);
}

/** The person allows everything; the agent's own address has no listener. */
async function consent(page: Page, authorizationUrl: string): Promise<URL> {
  await page.goto(authorizationUrl);
  const [request] = await Promise.all([
    page.waitForRequest((asked) => asked.url().startsWith(AGENT_REDIRECT_URI)),
    page.getByRole('button', { name: /allow/i }).click(),
  ]);
  return new URL(request.url());
}

/** Returns the address to which an answer sends a browser that requested a name. */
function locationOf(url: string, name: string): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>();
  get(url, { headers: { host: name }, agent: false }, (answer) => {
    answer.resume();
    resolve(answer.headers.location);
  }).once('error', reject);
  return promise;
}

function known<T>(map: ReadonlyMap<string, T>, program: string): T {
  const value = map.get(program);
  if (value === undefined) throw new Error(`${program} did not start`);
  return value;
}
