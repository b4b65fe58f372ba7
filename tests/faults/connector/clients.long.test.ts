import { join } from 'node:path';
import { execa } from 'execa';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { launchBrowser } from '../../../scripts/stack/browser.ts';
import { freePort } from '../../../scripts/stack/free-port.ts';
import { type ManagedProcess, startProcess } from '../../../scripts/stack/managed-process.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { connectAgent } from '../../harness/agent.ts';
import { needs } from '../../harness/needs.ts';
import { enableChannels } from '../../harness/person.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';
import { type InstalledClient, installClient, playClient } from './clients/installed-client.ts';

const TOOLS = [
  'ack_messages',
  'get_message_status',
  'go_offline',
  'go_online',
  'read_history',
  'search_history',
  'see_account_information',
  'send_message',
];

/** Titles that people read in place of the tools' names. */
const TITLES = [
  'Acknowledge messages',
  'Get the status of a message',
  'Go offline',
  'Go online',
  'Read history',
  'Search history',
  'See account information',
  'Send a message',
];

let stack: ConnectorStack;
let chrome: Browser;
/** Port on which Inspector 1 serves its page. */
let pagePort: number;
/** Inspector 2, which is installed once for all that is tried with it. */
let inspector2: Promise<InstalledClient> | undefined;

beforeAll(async () => {
  pagePort = await freePort();
  stack = await startConnectorStack({ config: { corsOrigins: [`http://localhost:${pagePort}`] } });
  await enableChannels(stack, 'ada', ['#room']);
  chrome = await launchBrowser({ folder: join(stack.folder, 'browser') });
});

afterAll(async () => {
  await chrome?.close();
  await (await inspector2)?.[Symbol.asyncDispose]();
  await stack?.[Symbol.asyncDispose]();
});

for (const [what, name] of [
  ['a program on the first generation of the SDK', 'first-sdk'],
  ['LangChain', 'langchain'],
  ['the AI SDK', 'ai-sdk'],
  ['the agents of OpenAI', 'openai-agents'],
  ['mcp-use', 'mcp-use'],
  ['mcporter', 'mcporter'],
  ['mcpc', 'mcpc'],
] as const) {
  needs('TRY_CLIENTS=1 and an npm registry')(
    `${what} reads and writes after its person has allowed it once`,
    async () => {
      await using client = await installClient(name);

      expect(await playClient(stack, name, client)).toEqual({
        tools: TOOLS,
        nick: 'ada',
        settingsUrl: `${stack.baseUrl}/settings`,
        online: expect.objectContaining({ presence: 'online' }),
        status: 'echoed',
        read: expect.arrayContaining([`said by ${name}`]),
        consents: 1,
      });
    },
  );
}

needs('TRY_CLIENTS=1 and an npm registry')(
  'mcp-remote signs in once, and reuses what it got at its next start',
  async () => {
    await using client = await installClient('mcp-remote');
    const environment = {
      MCP_REMOTE: join(client.path, 'node_modules/mcp-remote/dist/proxy.js'),
      MCP_REMOTE_CONFIG_DIR: join(client.path, 'config'),
      CALLBACK_PORT: String(await freePort()),
    };

    const first = await playClient(stack, 'mcp-remote', client, environment);
    const second = await playClient(stack, 'mcp-remote', client, environment);

    expect(first).toMatchObject({
      tools: TOOLS,
      nick: 'ada',
      online: { presence: 'online' },
      status: 'echoed',
      consents: 1,
    });
    expect(second).toMatchObject({ tools: TOOLS, status: 'echoed', consents: 0 });
  },
);

needs('TRY_CLIENTS=1 and an npm registry')(
  'Inspector 2 lists and calls the tools, and finds no fault with their schemas',
  async () => {
    await using agent = await connectAgent(stack, 'ada');
    const inspect = async (...args: string[]) => {
      const [program, ...all] = await inspectorCommand(
        ...['--cli', `${stack.baseUrl}/mcp`, '--transport', 'http'],
        ...['--header', `Authorization: Bearer ${agent.accessToken}`, ...args],
      );
      const { stdout, stderr } = await execa(program, all, { cwd: stack.folder, env: { HOME: stack.folder } });
      return { stdout, stderr };
    };

    for (const era of ['legacy', 'modern']) {
      const listed = await inspect('--protocol-era', era, '--strict', '--method', 'tools/list');
      expect(TOOLS.filter((tool) => !listed.stdout.includes(`"${tool}"`))).toEqual([]);
      expect(listed.stderr).toBe('');
    }
    const called = await inspect('--method', 'tools/call', '--tool-name', 'see_account_information');
    expect(called.stdout).toContain('"nick": "ada"');
  },
);

for (const [era, version] of [
  ['legacy', '2025-11-25'],
  ['modern', '2026-07-28'],
] as const) {
  needs('TRY_CLIENTS=1 and an npm registry')(
    `the page of Inspector 2 signs in and lists the tools, by MCP ${version}`,
    async () => {
      const port = await freePort();
      const inspector = await startInspector2(era, port);
      const context = await chrome.newContext();
      try {
        const page = await context.newPage();
        page.setDefaultTimeout(30_000);
        await page.goto(`http://localhost:${port}/`);
        await page.getByRole('switch', { name: 'Connect or disconnect' }).click({ force: true });
        await signIn(page);
        await page.getByText(`MCP ${version}`).waitFor();
        await page.getByText('Tools', { exact: true }).first().click();
        for (const title of TITLES) await page.getByText(title, { exact: true }).first().waitFor();
      } finally {
        await context.close();
        await inspector.stop();
      }
    },
  );
}

needs('TRY_CLIENTS=1 and an npm registry')(
  'the page of Inspector 1 signs in and lists the tools, by itself and by its proxy',
  async () => {
    await using client = await installClient('inspector-1');
    const proxyPort = await freePort();
    const parts = startInspector(client, proxyPort);
    try {
      for (const port of [pagePort, proxyPort]) {
        await waitFor('a part of Inspector answers', async () => (await fetch(`http://localhost:${port}/`)).status > 0);
      }
      for (const connection of ['Direct', 'Via Proxy'] as const) {
        const context = await chrome.newContext();
        await listTools(await context.newPage(), proxyPort, connection);
        await context.close();
      }
    } finally {
      for (const part of parts) await part.stop();
    }
  },
);

/** The command of Inspector 2. */
async function inspectorCommand(...args: string[]): Promise<[string, ...string[]]> {
  inspector2 ??= installClient('inspector-2');
  const { path } = await inspector2;
  return [
    process.execPath,
    join(path, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
    ...args,
  ];
}

/** Starts the page of Inspector 2, and the server that asks for it. */
async function startInspector2(era: string, port: number): Promise<ManagedProcess> {
  const command = await inspectorCommand(
    ...['--web', '--server-url', `${stack.baseUrl}/mcp`, '--transport', 'http', '--protocol-era', era],
  );
  const env = {
    // Inspector keeps there what it got at a sign-in.
    HOME: join(stack.folder, 'inspector', era),
    CLIENT_PORT: String(port),
    // Any free one; they are for apps that a server may bring.
    MCP_SANDBOX_PORT: '0',
    MCP_APP_ORIGIN_PORT: '0',
    MCP_INSPECTOR_SECRET_STORE: 'memory',
    DANGEROUSLY_OMIT_AUTH: 'true',
    MCP_AUTO_OPEN_ENABLED: 'false',
  };
  const inspector = startProcess({ name: 'inspector', command, cwd: stack.folder, env });
  await waitFor('Inspector answers', async () => (await fetch(`http://localhost:${port}/`)).ok, { process: inspector });
  return inspector;
}

/** The person signs in and allows the request. */
async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Login').fill('ada');
  await page.getByRole('button').click();
  await page.getByRole('button', { name: 'Allow' }).click();
}

/** Inspector 1: a page that asks by itself, or by a proxy beside it. */
async function connectPage(page: Page, proxyPort: number, connection: 'Direct' | 'Via Proxy'): Promise<void> {
  const choice = new URLSearchParams({
    MCP_PROXY_PORT: String(proxyPort),
    transport: 'streamable-http',
    serverUrl: `${stack.baseUrl}/mcp`,
  });
  await page.goto(`http://localhost:${pagePort}/?${choice}`);
  await page.getByLabel('Connection Type').click();
  await page.getByRole('option', { name: connection }).click();
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

/** The parts of Inspector 1 that its command starts: the server of its page, and the proxy beside it. */
function startInspector({ path }: InstalledClient, proxyPort: number): ManagedProcess[] {
  const env = {
    HOME: path,
    CLIENT_PORT: String(pagePort),
    SERVER_PORT: String(proxyPort),
    DANGEROUSLY_OMIT_AUTH: 'true',
    MCP_AUTO_OPEN_ENABLED: 'false',
  };
  return ['client/bin/client.js', 'server/build/index.js'].map((part) =>
    startProcess({
      name: part,
      command: [process.execPath, join(path, 'node_modules/@modelcontextprotocol/inspector', part)],
      cwd: path,
      env,
    }),
  );
}

/** A person signs in from the page of Inspector 1, and looks at the tools. */
async function listTools(page: Page, proxyPort: number, connection: 'Direct' | 'Via Proxy'): Promise<void> {
  page.setDefaultTimeout(30_000);
  await connectPage(page, proxyPort, connection);
  await signIn(page);
  // It comes back with its tokens, but has forgotten how to connect.
  await page.waitForURL((url) => url.port === String(pagePort) && url.pathname === '/');
  await connectPage(page, proxyPort, connection);
  await page.getByRole('button', { name: 'List Tools' }).click();
  for (const title of TITLES) await page.getByText(title, { exact: true }).first().waitFor();
}
