import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { AGENT_REDIRECT_URI } from '../../harness/agent.ts';
import { chrome, stack, testWithChrome } from '../../harness/fixtures/chrome.ts';
import { authorization, registerClient } from '../../harness/oauth-client.ts';

const CLIENT = 'http://client.example/';

const test = testWithChrome();

test('a client that opened the consent in a window sees it open until it is closed', async () => {
  const clientId = await registerClient(stack);
  const { client, opened, isClosed } = await openFrom(authorization(stack, clientId).url.href);
  const seen: unknown[] = [await isClosed()];

  await opened.getByLabel('Login').fill('ada');
  await opened.getByRole('button').click();
  await opened.getByRole('button', { name: 'Allow' }).waitFor();
  seen.push(await isClosed());
  await opened.getByRole('button', { name: 'Allow' }).click();
  await opened.waitForURL(`${AGENT_REDIRECT_URI}**`);
  seen.push(await isClosed());
  await opened.close();

  expect(seen).toEqual([false, false, false]);
  await expect.poll(isClosed).toBe(true);
  await client.context().close();
});

for (const [what, path] of [
  ['the page of sign-in', '/login'],
  ['a sign-in that is refused', '/login/idp/callback'],
  ['an authorization that is refused', '/oauth/authorize?client_id=nobody'],
  ['a consent that is over', '/oauth/interaction/over'],
] as const) {
  test(`${what} stays tied to the window that opened it`, async () => {
    const { client, isClosed } = await openFrom(stack.baseUrl + path);

    expect(await isClosed()).toBe(false);
    await client.context().close();
  });
}

test('every other page is cut off from the page that opened it', async () => {
  const { client, isClosed } = await openFrom(`${stack.baseUrl}/privacy`);

  expect(await isClosed()).toBe(true);
  await client.context().close();
});

/** A client's page, and the window it has opened. */
async function openFrom(url: string): Promise<{ client: Page; opened: Page; isClosed: () => Promise<unknown> }> {
  const context = await chrome.newContext();
  await context.route(`${CLIENT}**`, (route) => route.fulfill({ contentType: 'text/html', body: 'a client' }));
  await context.route(`${AGENT_REDIRECT_URI}**`, (route) => route.fulfill({ body: 'the agent goes on' }));
  const client = await context.newPage();
  await client.goto(CLIENT);
  const [opened] = await Promise.all([
    context.waitForEvent('page'),
    client.evaluate(`globalThis.opened = window.open(${JSON.stringify(url)}); undefined`),
  ]);
  await opened.waitForLoadState();
  return { client, opened, isClosed: () => client.evaluate('globalThis.opened.closed') };
}
