import { expect } from 'vitest';
import { clientId, oauth, testWithNewClient } from '../../../harness/fixtures/oauth.ts';
import { authorization, redeem, refresh, type TokenAnswer } from '../../../harness/oauth-client.ts';

const test = testWithNewClient();

test.each([['irc:read'], ['irc:write']])('a token has no more than the box %s that the person left', async (scope) => {
  const tokens = await tokensFor([scope]);

  expect(tokens).toMatchObject({ status: 200, scope });
  expect((await oauth.verify(tokens.access_token))?.scopes).toEqual([scope]);
  expect(await oauth.consents.ofAccount(oauth.accountOf('ada'))).toMatchObject([{ scopes: [scope] }]);
});

test('a box that was cleared stays cleared when the client refreshes, and a refresh can’t ask for it', async () => {
  const first = await tokensFor(['irc:read']);
  const second = await refresh(oauth, clientId, first.refresh_token);

  expect(second).toMatchObject({ status: 200, scope: 'irc:read' });
  const wider = { grant_type: 'refresh_token', client_id: clientId, scope: 'irc:read irc:write' };
  const answer = await fetch(`${oauth.baseUrl}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ ...wider, refresh_token: second.refresh_token }),
  });
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_scope' }]);
  expect((await oauth.verify(second.access_token))?.scopes).toEqual(['irc:read']);
});

test('a form can’t grant what the client has not asked for', async () => {
  const tokens = await tokensFor(['irc:read', 'irc:write'], 'irc:read');

  expect(tokens).toMatchObject({ status: 200, scope: 'irc:read' });
});

test('a person who ticks no box has declined', async () => {
  const sent = await allow([]);

  expect(Object.fromEntries(sent)).toMatchObject({ error: 'access_denied', iss: oauth.baseUrl, state: 'st/ate +%' });
  expect(await oauth.consents.ofAccount(oauth.accountOf('ada'))).toEqual([]);
});

test('a client that may read can ask for more later, and gets it by a consent of its own', async () => {
  const reading = await tokensFor(['irc:read'], 'irc:read');
  const both = await tokensFor(['irc:read', 'irc:write']);

  expect((await oauth.verify(both.access_token))?.scopes).toEqual(['irc:read', 'irc:write']);
  expect((await oauth.verify(reading.access_token))?.scopes).toEqual(['irc:read']);
});

test('the page asks about the scopes that the client requests, and says where the browser goes', async () => {
  await allow(['irc:read']);

  expect(oauth.pending).toEqual({
    clientName: 'By hand',
    vouchedBy: undefined,
    redirectUri: 'http://127.0.0.1:9/callback',
    scopes: ['irc:read', 'irc:write'],
  });
});

test.each(['openid email profile irc:read', 'irc:read irc:admin', 'offline_access irc:read https://a.example/mail'])(
  'the page asks about those of the scopes %s that exist here',
  async (asked) => {
    const tokens = await tokensFor(['irc:read'], asked);

    expect(oauth.pending).toMatchObject({ scopes: ['irc:read'] });
    expect(tokens).toMatchObject({ status: 200, scope: 'irc:read' });
  },
);

/** The client asks for both scopes, and the person leaves these boxes ticked. */
async function allow(
  ticked: readonly string[],
  asked = 'irc:read irc:write',
): Promise<URLSearchParams & { verifier: string }> {
  const { url, verifier } = authorization(oauth, clientId, { scope: asked });
  const browser = await oauth.signIn('ada');
  browser.stopAt = (to) => to.origin !== oauth.baseUrl;
  const page = await browser.open(url.href);
  const answer = await browser.submit(page, { decision: 'allow', scope: ticked.length === 0 ? [''] : ticked });
  return Object.assign(new URLSearchParams(answer.url.searchParams), { verifier });
}

async function tokensFor(ticked: readonly string[], asked?: string): Promise<TokenAnswer> {
  const sent = await allow(ticked, asked);
  return redeem(oauth, clientId, { code: sent.get('code') ?? '', verifier: sent.verifier });
}
