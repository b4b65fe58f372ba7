import { afterEach, beforeEach, expect, test } from 'vitest';
import { OIDC_METADATA_DOUBT_MS, OIDC_METADATA_MAX_MS } from '../../../../src/connector/domain/limits.ts';
import { createIdentityProvider } from '../../../../src/connector/idp/index.ts';
import type { IdentityProvider } from '../../../../src/connector/ports/identity-provider.ts';
import { OIDC_CLIENT, type OidcLike, startOidcLike } from '../../../harness/oidc-like.ts';

const CALLBACK = 'http://127.0.0.1:1/login/idp/callback';

let oidc: OidcLike;
let provider: IdentityProvider;
/** Nonce of the sign-in under way. */
let nonce: string;
/** Milliseconds for which the connector has run. */
let ranMs: number;

beforeEach(async () => {
  oidc = await startOidcLike(() => nonce);
  ranMs = 0;
  provider = createIdentityProvider(
    { oidc: { issuer: oidc.issuer, ...OIDC_CLIENT, loginClaim: 'preferred_username' } },
    CALLBACK,
    () => ranMs,
  );
});

afterEach(() => oidc?.[Symbol.asyncDispose]());

test('a person is known by issuer and subject, and by the login that the ID token names', async () => {
  expect(await signIn()).toEqual({ issuer: oidc.issuer, subject: '7', login: 'ada' });
});

test('a subject that is longer than the standard allows is refused with its length in bytes, and one of that length is taken', async () => {
  oidc.claims = { sub: 'x'.repeat(255) };
  expect(await signIn()).toMatchObject({ subject: 'x'.repeat(255) });

  for (const [sub, bytes] of [
    ['x'.repeat(256), 256],
    ['x'.repeat(3_000), 3_000],
    ['語'.repeat(86), 258],
  ] as const) {
    oidc.claims = { sub };
    await expect(signIn()).rejects.toThrow(`a "sub" of ${bytes} bytes: it must send one of at most 255`);
  }
});

test('a login that the ID token leaves out is asked for', async () => {
  oidc.claims = { preferred_username: undefined };
  oidc.user = { sub: '7', preferred_username: 'grace' };

  expect(await signIn()).toMatchObject({ login: 'grace' });
});

for (const [what, methods, shown] of [
  ['in the body where the provider takes it there', ['client_secret_basic', 'client_secret_post'], 'body'],
  ['in a header where that is the only way', ['client_secret_basic'], 'header'],
  ['in a header where the provider names no way', undefined, 'header'],
] as const) {
  test(`the connector shows its secret ${what}`, async () => {
    oidc.metadata = { token_endpoint_auth_methods_supported: methods };

    await signIn();

    expect(oidc.shown).toEqual([shown]);
  });
}

for (const [what, spoil] of [
  ['for another client', () => ({ aud: 'other' })],
  ['of another issuer', () => ({ iss: 'https://evil.example' })],
  ['of another sign-in', () => ({ nonce: 'other' })],
  ['that has ended', () => ({ exp: 1 })],
  ['without a subject', () => ({ sub: undefined })],
  ['with a login that is not text', () => ({ preferred_username: ['ada'] })],
  ['with a login that has a line break', () => ({ preferred_username: 'ada\r\nmallory' })],
] as const) {
  test(`an ID token ${what} is refused`, async () => {
    oidc.claims = spoil();

    await expect(signIn()).rejects.toMatchObject({ code: 'sign_in_failed' });
  });
}

test('an ID token without a signature is refused', async () => {
  oidc.signs = false;

  await expect(signIn()).rejects.toMatchObject({ code: 'sign_in_failed' });
});

test('a person who comes back from another issuer is not signed in', async () => {
  oidc.metadata = { authorization_response_iss_parameter_supported: true };

  await expect(signIn({ iss: 'https://evil.example' })).rejects.toMatchObject({ code: 'sign_in_failed' });
  await expect(signIn()).rejects.toMatchObject({ code: 'sign_in_failed' });
  expect(await signIn({ iss: oidc.issuer })).toMatchObject({ subject: '7' });
});

/** Counts the requests for the provider's metadata. */
function countQuestions(): () => number {
  let asked = 0;
  const { before } = oidc;
  oidc.before = (req, res, next) => {
    if (req.path.startsWith('/.well-known/')) asked += 1;
    before(req, res, next);
  };
  return () => asked;
}

const departure = async (): Promise<string> => new URL((await provider.start()).url).pathname;

test('a provider is asked for its addresses once a day, however many people sign in', async () => {
  const asked = countQuestions();
  await Promise.all([provider.start(), provider.start(), provider.start()]);
  ranMs = OIDC_METADATA_MAX_MS - 1;
  oidc.metadata = { authorization_endpoint: `${oidc.issuer}/moved` };
  expect([await departure(), asked()]).toEqual(['/authorize', 1]);

  ranMs = OIDC_METADATA_MAX_MS;

  expect(await Promise.all([departure(), departure()])).toEqual(['/moved', '/moved']);
  expect(asked()).toBe(2);
});

test('a provider that does not say where its addresses are now has them where they were, and is asked again in a minute', async () => {
  await provider.start();
  const { before } = oidc;
  oidc.before = (_req, res) => void res.status(502).send('bad gateway');
  ranMs = OIDC_METADATA_MAX_MS;
  expect(await departure()).toBe('/authorize');
  oidc.before = before;
  const asked = countQuestions();
  oidc.metadata = { authorization_endpoint: `${oidc.issuer}/moved` };

  ranMs += OIDC_METADATA_DOUBT_MS - 1;
  expect([await departure(), asked()]).toEqual(['/authorize', 0]);
  ranMs += 1;
  expect([await departure(), asked()]).toEqual(['/moved', 1]);
});

test('a provider whose addresses have moved is asked for them after the sign-in that failed by it, but not at each', async () => {
  await signIn();
  const asked = countQuestions();
  const { before } = oidc;
  oidc.before = (req, res, next) => {
    if (req.path === '/token') return void res.status(404).send('not here');
    if (req.path === '/later/token') req.url = '/token';
    before(req, res, next);
  };
  oidc.metadata = { token_endpoint: `${oidc.issuer}/later/token` };
  for (let failed = 0; failed < 3; failed += 1) {
    await expect(signIn()).rejects.toMatchObject({ code: 'sign_in_failed' });
  }
  expect(asked()).toBe(0);

  ranMs = OIDC_METADATA_DOUBT_MS;

  expect([await signIn(), asked()]).toEqual([expect.objectContaining({ login: 'ada' }), 1]);
});

test('a provider that refuses a person in its own words is not asked for its addresses', async () => {
  await signIn();
  const asked = countQuestions();
  const { before } = oidc;
  oidc.before = (req, res, next) =>
    req.path === '/token' ? void res.status(400).json({ error: 'invalid_grant' }) : before(req, res, next);
  await expect(signIn()).rejects.toMatchObject({ code: 'sign_in_failed' });
  await expect(signIn({ error: 'access_denied' })).rejects.toMatchObject({ code: 'sign_in_failed' });

  ranMs = OIDC_METADATA_DOUBT_MS;
  await provider.start();

  expect(asked()).toBe(0);
});

test('a provider that is out of order is reported as away, and asked again at the next sign-in', async () => {
  const { before } = oidc;
  oidc.before = (_req, res) => void res.status(502).send('bad gateway');
  await expect(provider.start()).rejects.toMatchObject({ code: 'identity_provider_unreachable' });
  oidc.before = before;
  await signIn();
  oidc.before = (req, res, next) => (req.path === '/token' ? void res.status(503).send('later') : next());

  await expect(signIn()).rejects.toMatchObject({ code: 'identity_provider_unreachable' });
});

/** @param back what the person comes back with, beside the code and the state */
async function signIn(back: Record<string, string> = {}) {
  const { url, attempt } = await provider.start();
  nonce = new URL(url).searchParams.get('nonce') ?? '';
  const callback = new URL(CALLBACK);
  callback.search = new URLSearchParams({ code: 'code', state: attempt.state, ...back }).toString();
  return provider.finish(callback, attempt);
}
