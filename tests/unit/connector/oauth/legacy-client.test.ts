import { expect } from 'vitest';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { oauth, testWithNewOauth } from '../../../harness/fixtures/oauth.ts';
import { authorization, postRegistration, postToken, type TokenAnswer } from '../../../harness/oauth-client.ts';

const [FIRST, SECOND] = ['https://actions.example/callback', 'https://actions.example/other'] as const;
const LEGACY = { id: 'legacy', secret: 'a secret of the owner', redirectUris: [FIRST, SECOND] };
const NO_PKCE = { code_challenge: undefined, code_challenge_method: undefined };

const test = testWithNewOauth({ legacyClient: LEGACY });

const BASIC = {
  authorization: `Basic ${Buffer.from(`${LEGACY.id}:${encodeURIComponent(LEGACY.secret)}`).toString('base64')}`,
};

test('without PKCE, without a resource and without a scope it reads', async () => {
  verifies('connector.authentication.4');
  const tokens = await redeem(await codeOf({ ...NO_PKCE, resource: undefined, scope: undefined }));

  expect(tokens).toMatchObject({ status: 200, scope: 'irc:read', token_type: 'Bearer' });
  expect(await oauth.verify(tokens.access_token)).toMatchObject({ clientId: LEGACY.id, scopes: ['irc:read'] });
  const refreshed = await postToken(oauth, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }, BASIC);
  expect([refreshed.status, refreshed.refresh_token !== tokens.refresh_token]).toEqual([200, true]);
});

test('when it begins with PKCE it must end with it, and by S256 only', async () => {
  const sent = await codeOf({});
  expect(await redeem(sent)).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect(await redeem(sent, { code_verifier: 'x'.repeat(43) })).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect((await redeem(sent, { code_verifier: sent.verifier })).status).toBe(200);

  const plain = authorization(oauth, LEGACY.id, { redirect_uri: FIRST, code_challenge_method: 'plain' }).url;
  const answer = await fetch(plain, { redirect: 'manual' });
  expect(answer.headers.get('location')).toMatch(/^https:\/\/actions\.example\/callback\?error=invalid_request/);
});

test('a verifier for a code without a challenge is refused: the challenge was taken away', async () => {
  const sent = await codeOf(NO_PKCE);

  expect(await redeem(sent, { code_verifier: 'x'.repeat(43) })).toMatchObject({ status: 400, error: 'invalid_grant' });
});

test('its addresses are those of the configuration, each for its own code', async () => {
  verifies('connector.authentication.4');
  const sent = await codeOf(NO_PKCE, SECOND);
  expect(await redeem(sent)).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect((await redeem(sent, { redirect_uri: SECOND })).status).toBe(200);

  for (const uri of [
    `${FIRST}/`,
    `${FIRST}?x`,
    'https://actions.example',
    'http://actions.example/callback',
    'cursor://x/y',
  ]) {
    const answer = await fetch(authorization(oauth, LEGACY.id, { redirect_uri: uri }).url, { redirect: 'manual' });
    expect([uri, answer.status, answer.headers.get('location')]).toEqual([uri, 400, null]);
  }
});

test('it needs its secret, and no client can register as it', async () => {
  const sent = await codeOf(NO_PKCE);
  for (const headers of [{}, { authorization: `Basic ${Buffer.from(`${LEGACY.id}:x`).toString('base64')}` }]) {
    const answer = await redeem(sent, { client_id: LEGACY.id }, headers);
    expect(answer).toMatchObject({ status: 401, error: 'invalid_client' });
  }
  await postRegistration(oauth, { client_id: LEGACY.id, client_secret: 'x' });

  expect(await redeem(sent, { client_id: LEGACY.id, client_secret: 'x' }, {})).toMatchObject({ status: 401 });
  expect((await redeem(sent, { client_id: LEGACY.id, client_secret: LEGACY.secret }, {})).status).toBe(200);
});

test('the person is asked each time, and reads what the owner’s client is called', async () => {
  await codeOf(NO_PKCE);
  await codeOf(NO_PKCE);

  expect(oauth.pending).toMatchObject({ clientName: 'Action client', redirectUri: FIRST });
  expect(await oauth.consents.ofAccount(oauth.accountOf('ada'))).toHaveLength(2);
});

async function codeOf(changes: Record<string, string | undefined>, redirectUri: string = FIRST): Promise<Sent> {
  const { url, verifier } = authorization(oauth, LEGACY.id, { redirect_uri: redirectUri, ...changes });
  const browser = await oauth.signIn('ada');
  browser.stopAt = (to) => to.origin !== oauth.baseUrl;
  const { url: sent } = await browser.submit(await browser.open(url.href), { decision: 'allow' });
  expect(sent.origin + sent.pathname).toBe(redirectUri);
  return { code: sent.searchParams.get('code') ?? '', verifier };
}

interface Sent {
  code: string;
  verifier: string;
}

function redeem(
  { code }: Sent,
  more: Record<string, string> = {},
  headers: Record<string, string> = BASIC,
): Promise<TokenAnswer> {
  return postToken(oauth, { grant_type: 'authorization_code', code, redirect_uri: FIRST, ...more }, headers);
}
