import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { launchBrowser } from '../../../scripts/stack/browser.ts';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { type LoopbackSite, startLoopbackSite } from '../../harness/loopback-site.ts';
import { authorization, redeem, registerClient } from '../../harness/oauth-client.ts';

const READ = 'See your nick, your enabled channels and what was said there';
const WRITE = 'Send messages under your nick, and take your account online or offline';

const test = testWithStack();

let chrome: Browser;
let context: BrowserContext;
/** The agent's site, on the person’s own machine. */
let agent: LoopbackSite;

test.beforeAll(async () => {
  agent = await startLoopbackSite('127.0.0.1');
  chrome = await launchBrowser({ folder: join(stack.folder, 'browser') });
  context = await chrome.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${stack.baseUrl}/settings`);
  await page.getByLabel('Login').fill('ada');
  await page.getByRole('button').click();
  await page.close();
});

afterAll(async () => {
  await chrome?.close();
  await agent?.[Symbol.asyncDispose]();
});

const callback = (): string => `${agent.origin}/callback`;

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
  await page.waitForURL(`${callback()}?**`);

  const tokens = await redeem(stack, clientId, { code: codeIn(page), verifier }, { redirect_uri: callback() });
  expect(tokens).toMatchObject({ status: 200, scope: 'irc:read' });
  await page.close();
});

test('a person who clears every box is asked once more, and can still decline', async () => {
  const { page } = await asked();
  for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
  await page.getByRole('button', { name: 'Allow' }).click();

  expect(await page.getByRole('alert').textContent()).toContain('Nothing is ticked');
  await page.getByRole('checkbox', { name: READ }).check();
  await page.getByRole('button', { name: 'Decline' }).click();
  await page.waitForURL(`${callback()}?**`);
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
  // No such app is installed here: the browser only reports where it would go.
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  let handed: string | undefined;
  devtools.on('Network.requestWillBeSent', ({ request }) => {
    if (request.url.startsWith('cursor:')) handed = request.url;
  });
  devtools.on('Page.frameRequestedNavigation', ({ url }) => {
    if (url.startsWith('cursor:')) handed = url;
  });
  await devtools.send('Page.enable');

  await page.getByRole('button', { name: 'Allow' }).click();
  const target = new URL(await waitFor('the browser is sent to the app', () => handed));
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('You can close this page');
  expect(await page.getByRole('link', { name: 'Open the app again' }).getAttribute('href')).toBe(target.href);

  expect(target.href.split('?')[0]).toBe(uri);
  expect(complaints.filter((text) => /content security/i.test(text))).toEqual([]);
  const code = { code: target.searchParams.get('code') ?? '', verifier };
  expect((await redeem(stack, clientId, code, { redirect_uri: uri })).status).toBe(200);
  await page.close();
});

/** Another origin than the agent's, as a port is part of it. */
async function startNextStop(): Promise<LoopbackSite> {
  const next = await startLoopbackSite();
  next.body = '<p>the last stop</p>';
  return next;
}

test.each([302, 303, 307, 308])('a client may send the browser on by %i, to another origin', async (status) => {
  await using next = await startNextStop();
  const { page } = await asked();
  agent.onward = { status, location: `${next.origin}/done` };
  await page.getByRole('button', { name: 'Allow' }).click();

  await page.waitForURL(`${next.origin}/done`);
  expect(await page.textContent('p')).toBe('the last stop');
  agent.onward = undefined;
  await page.close();
});

test('a client may send the browser on to an app', async () => {
  const { page } = await asked();
  agent.onward = { status: 302, location: 'cursor://anysphere.cursor-mcp/done' };
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  let handed: string | undefined;
  devtools.on('Network.requestWillBeSent', ({ request, redirectResponse }) => {
    if (redirectResponse !== undefined && request.url.startsWith('cursor:')) handed = request.url;
  });
  await page.getByRole('button', { name: 'Allow' }).click();

  expect(await waitFor('the browser is sent to the app', () => handed)).toBe('cursor://anysphere.cursor-mcp/done');
  expect(complaints.filter((text) => /content security/i.test(text))).toEqual([]);
  agent.onward = undefined;
  await page.close();
});

test('the page that leaves is kept nowhere, and going back does not ask or send anything again', async () => {
  const { page } = await asked();
  let leaving: Record<string, string> = {};
  let referer: string | undefined;
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.startsWith('/oauth/authorize/')) leaving = response.headers();
  });
  page.on('request', (request) => {
    if (request.url().startsWith(callback())) referer = request.headers()['referer'];
  });
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(`${callback()}?**`);
  await page.goBack();

  expect(leaving['cache-control']).toContain('no-store');
  expect(referer).toBeUndefined();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('This request is over');
  await page.close();
});

test('a person whose session ended before they allow signs in again, and then decides', async () => {
  const { page } = await asked();
  const before = await context.cookies();
  await context.clearCookies({ name: '__Host-homeport' });
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('link', { name: 'Continue to sign-in' }).click();
  await page.getByLabel('Login').fill('ada');
  await page.getByRole('button').click();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL(`${callback()}?**`);

  expect(codeIn(page)).not.toBe('');
  expect(before.map(({ name }) => name)).toContain('__Host-homeport');
  await page.close();
});

test('two tabs without a sign-in both end with a code', async () => {
  const fresh = await chrome.newContext({ javaScriptEnabled: false });
  const clientId = await registerClient(stack, { redirect_uris: [callback()] });
  const tabs = await Promise.all(
    [1, 2, 3].map(async () => {
      const page = await fresh.newPage();
      await page.goto(authorization(stack, clientId, { redirect_uri: callback() }).url.href);
      return page;
    }),
  );
  for (const tab of tabs) {
    await tab.getByLabel('Login').fill('ada');
    await tab.getByRole('button').click();
    await tab.getByRole('button', { name: 'Allow' }).waitFor();
  }
  for (const tab of tabs) {
    await tab.getByRole('button', { name: 'Allow' }).click();
    await tab.waitForURL(`${callback()}?**`);
  }

  expect(new Set(tabs.map(codeIn)).size).toBe(3);
  expect(tabs.map(codeIn)).not.toContain('');
  await fresh.close();
});

test('no other site can show the page in a frame', async () => {
  const { page } = await asked();
  // Another site, but not for the browser’s cookies.
  agent.body = `<iframe src="${page.url()}"></iframe>`;
  await page.goto(agent.origin);

  const [, framed] = page.frames();
  await framed?.waitForLoadState();
  expect(framed?.url()).toMatch(/^chrome-error:/);
  await page.close();
});

async function asked(changes: Record<string, string> = {}, metadata: Record<string, unknown> = {}) {
  const clientId = await registerClient(stack, {
    client_name: 'Paper boat',
    redirect_uris: [callback()],
    ...metadata,
  });
  const { url, verifier } = authorization(stack, clientId, { redirect_uri: callback(), ...changes });
  const page = await context.newPage();
  await page.goto(url.href);
  return { page, clientId, verifier };
}
