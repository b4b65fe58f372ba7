import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../../scripts/stack/browser.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Agent, connectAgent } from '../../harness/agent.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';

let sites: Server;
let stack: ConnectorStack;
let agent: Agent;
let chrome: Browser;
/** A page that may call the endpoint, and one of another site. */
let listed: Page;
let foreign: Page;

beforeAll(async () => {
  // The same server under two names is two sites.
  sites = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('a client');
  });
  await new Promise<void>((resolve) => sites.listen(0, '127.0.0.1', resolve));
  const { port } = sites.address() as AddressInfo;
  stack = await startConnectorStack({ config: { corsOrigins: [`http://localhost:${port}`] } });
  agent = await connectAgent(stack, 'ada');
  chrome = await launchBrowser({ folder: join(stack.folder, 'browser') });
  listed = await chrome.newPage();
  await listed.goto(`http://localhost:${port}/`);
  foreign = await chrome.newPage();
  await foreign.goto(`http://127.0.0.1:${port}/`);
});

afterAll(async () => {
  await chrome?.close();
  await agent?.[Symbol.asyncDispose]();
  await stack?.[Symbol.asyncDispose]();
  sites?.close();
});

test('a listed page learns that it has to sign in, and lists the tools with a token', async () => {
  const challenged = await call(listed, '/mcp', list());
  const answered = await call(listed, '/mcp', list(agent.accessToken));

  expect(challenged).toMatchObject({ status: 401, challenge: expect.stringContaining('resource_metadata=') });
  expect(answered?.status).toBe(200);
  expect(answered?.body).toContain('see_account_information');
});

test('a listed page that asks for a stream, or ends a session, learns where to go', async () => {
  for (const method of ['GET', 'DELETE']) {
    const refused = await call(listed, '/mcp', { method, headers: { Authorization: `Bearer ${agent.accessToken}` } });

    expect([refused?.status, refused?.body]).toEqual([405, expect.stringContaining('Streamable HTTP: POST /mcp')]);
  }
});

test('a page of another site can read no answer of the endpoint, even with a token', async () => {
  expect(await call(foreign, '/mcp', list())).toBeUndefined();
  expect(await call(foreign, '/mcp', list(agent.accessToken))).toBeUndefined();
});

test('a listed page can read no answer of the REST interface or of the owner’s addresses', async () => {
  const headers = { Authorization: `Bearer ${agent.accessToken}` };

  for (const path of ['/v1/status', '/metrics', '/settings']) {
    expect([path, await call(listed, path, { headers })]).toEqual([path, undefined]);
  }
});

test('a page that is taken from the list is refused from the next reload on', async () => {
  expect((await call(listed, '/mcp', list(agent.accessToken)))?.status).toBe(200);
  const config = JSON.parse(await readFile(stack.configFile, 'utf8')) as object;
  await writeFile(stack.configFile, JSON.stringify({ ...config, corsOrigins: [] }));

  stack.connector.kill('SIGHUP');

  await waitFor('the list is in force', () => stack.connector.output().includes('configuration reloaded'));
  expect(await call(listed, '/mcp', list(agent.accessToken))).toBeUndefined();
});

function call(page: Page, path: string, init: Call = {}): Promise<Seen | undefined> {
  const script = `fetch(${JSON.stringify(stack.baseUrl + path)}, ${JSON.stringify(init)}).then(
    async (answer) => ({
      status: answer.status,
      challenge: answer.headers.get('www-authenticate'),
      body: await answer.text(),
    }),
    () => undefined,
  )`;
  return page.evaluate(script) as Promise<Seen | undefined>;
}

interface Call {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** The part of an answer that a script in a page can read; undefined where the browser hides it. */
interface Seen {
  status: number;
  challenge: string | null;
  body: string;
}

function list(token?: string): Call {
  return {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-11-25',
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  };
}
