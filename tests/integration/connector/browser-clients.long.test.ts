import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { AGENT_REDIRECT_URI } from '../../harness/agent.ts';
import { chrome, stack, testWithChrome } from '../../harness/fixtures/chrome.ts';
import { type LoopbackSite, startLoopbackSite } from '../../harness/loopback-site.ts';
import { codeFor } from '../../harness/oauth-client.ts';

const test = testWithChrome();

let page: Page;
let client: LoopbackSite;

test.beforeAll(async () => {
  const context = await chrome.newContext();
  page = await context.newPage();
  await page.goto(`${stack.baseUrl}/settings`);
  await page.getByLabel('Login').fill('ada');
  await page.getByRole('button').click();
  client = await startLoopbackSite();
  await page.goto(client.origin);
});

afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
});

const json = (answer: Read | undefined): Record<string, string> =>
  JSON.parse(answer?.body ?? '{}') as Record<string, string>;

test('a client in a page of another site discovers, registers, gets tokens and gives them back', async () => {
  // This header needs a preflight.
  const headers = { 'MCP-Protocol-Version': '2025-11-25' };
  for (const path of ['/oauth-protected-resource', '/oauth-protected-resource/mcp', '/oauth-authorization-server']) {
    expect((await read(`/.well-known${path}`, { headers }))?.status).toBe(200);
  }
  const registered = await read('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [AGENT_REDIRECT_URI], token_endpoint_auth_method: 'none' }),
  });
  expect(registered?.status).toBe(201);
  const { client_id: clientId = '' } = json(registered);
  const { code, verifier } = await codeFor(stack, 'ada', clientId);
  const post = (path: string, fields: Record<string, string>) =>
    read(path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ client_id: clientId, ...fields }).toString(),
    });

  const redemption = {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: AGENT_REDIRECT_URI,
  };
  const tokens = json(await post('/oauth/token', redemption));
  expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'irc:read irc:write' });
  expect((await post('/oauth/revoke', { token: tokens['refresh_token'] ?? '' }))?.status).toBe(200);
  // A refusal can be read, too.
  const refused = await post('/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: tokens['refresh_token'] ?? '',
  });
  expect([refused?.status, json(refused)]).toMatchObject([400, { error: 'invalid_grant' }]);
  const wrong = await read('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect([wrong?.status, json(wrong)]).toMatchObject([400, { error: 'invalid_redirect_uri' }]);
});

test('pages, and what asks who is signed in, can’t be read from another site, with cookies or without', async () => {
  for (const credentials of ['include', 'omit'] as const) {
    for (const path of ['/settings', '/login', '/privacy', '/oauth/authorize?client_id=x', '/oauth/interaction/x']) {
      expect([path, credentials, await read(path, { credentials })]).toEqual([path, credentials, undefined]);
    }
    const logout = { method: 'POST', credentials, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect(await read('/logout', { ...logout, body: 'csrf=x' })).toBeUndefined();
  }
});

test('routes that are open to other sites are open without cookies only', async () => {
  for (const path of ['/.well-known/oauth-authorization-server', '/oauth/token']) {
    const method = path.startsWith('/.') ? 'GET' : 'POST';
    expect(await read(path, { method, credentials: 'include' })).toBeUndefined();
    expect((await read(path, { method, credentials: 'omit' }))?.status).toBeLessThan(500);
  }
});

/** Reads an answer by a script in the client's page; undefined where the browser does not let it. */
function read(path: string, init: Sent = {}): Promise<Read | undefined> {
  return page.evaluate(
    async ({ url, request }) => {
      try {
        const answer = await fetch(url, request);
        return { status: answer.status, body: await answer.text() };
      } catch {
        return undefined;
      }
    },
    { url: stack.baseUrl + path, request: init },
  );
}

interface Read {
  status: number;
  body: string;
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  credentials?: 'include' | 'omit';
}
