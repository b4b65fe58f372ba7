import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../../scripts/stack/browser.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { AGENT_REDIRECT_URI } from '../../harness/agent.ts';
import { authorization, redeem, registerClient } from '../../harness/oauth-client.ts';
import { type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';

const READ = 'See your nick, your enabled channels and what was said there';
const WRITE = 'Send messages under your nick, and take your account online or offline';

let stack: ConnectorStack;
let chrome: Browser;
let context: BrowserContext;

beforeAll(async () => {
  stack = await startConnectorStack();
  chrome = await launchBrowser({ folder: join(stack.folder, 'browser') });
  context = await chrome.newContext({ javaScriptEnabled: false });
  await context.route(`${AGENT_REDIRECT_URI}**`, (route) => route.fulfill({ body: 'the agent goes on' }));
  const page = await context.newPage();
  await page.goto(`${stack.baseUrl}/settings`);
  await page.getByLabel('Login').fill('ada');
  await page.getByRole('button').click();
  await page.close();
});

afterAll(async () => {
  await chrome?.close();
  await stack?.[Symbol.asyncDispose]();
});

async function asked(changes: Record<string, string> = {}, metadata: Record<string, unknown> = {}) {
  const clientId = await registerClient(stack, { client_name: 'Paper boat', ...metadata });
  const { url, verifier } = authorization(stack, clientId, changes);
  const page = await context.newPage();
  await page.goto(url.href);
  return { page, clientId, verifier };
}

const codeIn = (page: Page): string => new URL(page.url()).searchParams.get('code') ?? '';

test('a person clears a box by keyboard alone, and the token has no more than what was left', async () => {
  verifies('connector.authentication.5');
  const { page, clientId, verifier } = await asked();
  for (const name of [READ, WRITE]) expect(await page.getByRole('checkbox', { name }).isChecked()).toBe(true);
  expect(await page.getByRole('group', { name: /It wants to use IRC as ada/ }).count()).toBe(1);

  await page.getByRole('checkbox', { name: READ }).focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(`${AGENT_REDIRECT_URI}**`);

  const tokens = await redeem(stack, clientId, { code: codeIn(page), verifier });
  expect(tokens).toMatchObject({ status: 200, scope: 'irc:read' });
  await page.close();
});

test('who clears every box is asked once more, and can still decline', async () => {
  const { page } = await asked();
  for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
  await page.getByRole('button', { name: 'Allow' }).click();

  expect(await page.getByRole('alert').textContent()).toContain('Nothing is ticked');
  await page.getByRole('checkbox', { name: READ }).check();
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.waitForURL(`${AGENT_REDIRECT_URI}**`);
  expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
  await page.close();
});

test('only what the client asks for is a box', async () => {
  const { page } = await asked({ scope: 'irc:read' });

  expect(await page.getByRole('checkbox').count()).toBe(1);
  expect(await page.getByRole('checkbox', { name: READ }).isChecked()).toBe(true);
  await page.close();
});

test('the page says which app the browser will open, and the browser hands it the code', async () => {
  const uri = 'cursor://anysphere.cursor-mcp/oauth/callback';
  const { page, clientId, verifier } = await asked(
    { redirect_uri: uri },
    { client_name: 'Cursor', redirect_uris: [uri] },
  );
  expect(await page.getByRole('main').textContent()).toContain(
    'Your browser will open the app that has cursor: links.',
  );
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  // No such app is installed here: the browser only tells where it would go.
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  let handed: string | undefined;
  devtools.on('Network.requestWillBeSent', ({ request }) => {
    if (request.url.startsWith('cursor:')) handed = request.url;
  });
  page.on('response', (response) => {
    const location = response.headers()['location'];
    if (location?.startsWith('cursor:')) handed = location;
  });

  await page.getByRole('button', { name: 'Allow' }).click();
  const target = new URL(await waitFor('the browser is sent to the app', () => handed));

  expect(target.href.split('?')[0]).toBe(uri);
  expect(complaints.filter((text) => /content security/i.test(text))).toEqual([]);
  const code = { code: target.searchParams.get('code') ?? '', verifier };
  expect((await redeem(stack, clientId, code, { redirect_uri: uri })).status).toBe(200);
  await page.close();
});

test('no other site can show the page in a frame', async () => {
  const { page } = await asked();
  const address = page.url();
  const other = await context.newPage();
  await context.route('http://other.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<iframe src="${address}"></iframe>` }),
  );
  const complaints: string[] = [];
  other.on('console', (message) => complaints.push(message.text()));

  await other.goto('http://other.example/');

  await expect.poll(() => complaints.join('\n')).toMatch(/frame-ancestors|refused to (display|frame)/i);
  await other.close();
  await page.close();
});
