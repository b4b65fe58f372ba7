import type { RequestHandler } from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIdentityProvider } from '../../../../src/connector/idp/index.ts';
import type { IdentityProvider } from '../../../../src/connector/ports/identity-provider.ts';
import { GITHUB_APP, type GithubLike, startGithubLike } from '../../../harness/github-like.ts';

const CALLBACK = 'http://127.0.0.1:1/login/idp/callback';

let github: GithubLike;
let provider: IdentityProvider;

beforeAll(async () => {
  github = await startGithubLike(() => CALLBACK);
  provider = createIdentityProvider({ github: { url: github.url, ...GITHUB_APP } }, CALLBACK, () => 0);
});

afterAll(() => github?.[Symbol.asyncDispose]());

test('a person is known by their number there, and by the login they have now', async () => {
  github.arriving = { id: 583_231, login: 'Octo-Cat' };

  const identity = await signIn();

  expect(identity).toEqual({ issuer: `${github.url}/login/oauth`, subject: '583231', login: 'Octo-Cat' });
});

test('a sign-in asks for no scope, and is bound to the browser by state and to the code by a challenge', async () => {
  github.asked = [];

  const { attempt } = await comeBack();

  expect(github.asked).toEqual([
    {
      client_id: GITHUB_APP.clientId,
      redirect_uri: CALLBACK,
      response_type: 'code',
      state: attempt.state,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    },
  ]);
});

for (const [what, change] of [
  ['without a state', (url: URL) => url.searchParams.delete('state')],
  ['with another state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
  ['with two states', (url: URL) => url.searchParams.append('state', url.searchParams.get('state') ?? '')],
  ['without a code', (url: URL) => url.searchParams.delete('code')],
  ['with a made-up code', (url: URL) => url.searchParams.set('code', 'made-up')],
  ['from another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
] as const) {
  test(`a person who comes back ${what} is not signed in`, async () => {
    const { callback, attempt } = await comeBack();
    change(callback);

    await expect(provider.finish(callback, attempt)).rejects.toMatchObject({ code: 'sign_in_failed' });
  });
}

test('a code is good once, and only with the secret of the browser that left with it', async () => {
  const first = await comeBack();
  const second = await comeBack();
  await provider.finish(first.callback, first.attempt);
  const stolen = { ...second.attempt, codeVerifier: first.attempt.codeVerifier };

  await expect(provider.finish(first.callback, first.attempt)).rejects.toMatchObject({ code: 'sign_in_failed' });
  await expect(provider.finish(second.callback, stolen)).rejects.toMatchObject({ code: 'sign_in_failed' });
});

test('a person who cancels there learns so, and the log has no line about a fault', async () => {
  const { callback, attempt } = await comeBack();
  callback.searchParams.delete('code');
  callback.searchParams.set('error', 'access_denied');

  const refusal = provider.finish(callback, attempt);

  await expect(refusal).rejects.toMatchObject({
    code: 'sign_in_failed',
    message: expect.stringContaining('cancelled'),
  });
  await expect(refusal).rejects.not.toHaveProperty('cause');
});

test('the reason of a refusal reaches the log only as a code', async () => {
  const { callback, attempt } = await comeBack();
  callback.searchParams.set('error', 'redirect_uri_mismatch');
  const wordy = new URL(callback);
  wordy.searchParams.set('error', 'call +1 555 now\nadmin logged in');

  await expect(provider.finish(callback, attempt)).rejects.toMatchObject({
    cause: { message: 'the identity provider answered redirect_uri_mismatch' },
  });
  await expect(provider.finish(wordy, attempt)).rejects.toMatchObject({
    cause: { message: 'the identity provider answered an error without a code' },
  });
});

const answer =
  (status: number, body: unknown): RequestHandler =>
  (_req, res) =>
    void res.status(status).send(body);
const hangUp: RequestHandler = ({ socket }) => void socket.destroy();
const html = '<!doctype html><h1>Unicorn!</h1>';

for (const [what, where, handler, code] of [
  ['hangs up instead of giving a token', 'token', hangUp, 'identity_provider_unreachable'],
  ['is out of order', 'token', answer(502, html), 'identity_provider_unreachable'],
  ['gives a page in place of a token', 'token', answer(200, html), 'sign_in_failed'],
  ['gives no token', 'token', answer(200, { scope: '' }), 'sign_in_failed'],
  ['gives a token that is not text', 'token', answer(200, { access_token: 7, token_type: 'bearer' }), 'sign_in_failed'],
  ['refuses the app', 'token', answer(200, { error: 'incorrect_client_credentials' }), 'sign_in_failed'],
  ['answers null', 'token', answer(200, 'null'), 'sign_in_failed'],
  ['sends elsewhere for a token', 'token', answer(302, ''), 'sign_in_failed'],
  ['hangs up instead of saying who it is', 'user', hangUp, 'identity_provider_unreachable'],
  ['has an API that is out of order', 'user', answer(503, html), 'identity_provider_unreachable'],
  ['has an API that takes no more requests', 'user', answer(403, { message: 'rate limit' }), 'sign_in_failed'],
  ['does not take its own token', 'user', answer(401, { message: 'Bad credentials' }), 'sign_in_failed'],
  ['gives a page in place of a person', 'user', answer(200, html), 'sign_in_failed'],
  ['gives nobody', 'user', answer(200, 'null'), 'sign_in_failed'],
  ['gives a person without a number', 'user', answer(200, { login: 'ada' }), 'sign_in_failed'],
  ['gives a number as a text', 'user', answer(200, { id: '1', login: 'ada' }), 'sign_in_failed'],
  ['gives a number that is none', 'user', answer(200, { id: 0.5, login: 'ada' }), 'sign_in_failed'],
  ['gives a number that is not exact', 'user', answer(200, `{"id":9007199254740993,"login":"ada"}`), 'sign_in_failed'],
  ['gives a person without a login', 'user', answer(200, { id: 1 }), 'sign_in_failed'],
  ['gives an empty login', 'user', answer(200, { id: 1, login: ' ' }), 'sign_in_failed'],
  ['gives a login with a line break', 'user', answer(200, { id: 1, login: 'ada\nx' }), 'sign_in_failed'],
] as const) {
  test(`no person is signed in when the service ${what}`, async () => {
    github.instead[where] = handler;

    await expect(signIn()).rejects.toMatchObject({ code });

    github.instead = {};
  });
}

test('a service that is away is reported as away, and not as a refusal', async () => {
  const away = await startGithubLike(() => CALLBACK);
  const { port } = new URL(away.url);
  const other = createIdentityProvider(
    { github: { url: `http://127.0.0.1:${port}`, ...GITHUB_APP } },
    CALLBACK,
    () => 0,
  );
  const { url, attempt } = await other.start();
  const location = (await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '';
  await away[Symbol.asyncDispose]();

  await expect(other.finish(new URL(location), attempt)).rejects.toMatchObject({
    code: 'identity_provider_unreachable',
  });
});

/** Goes to the provider and comes back. */
async function comeBack() {
  const { url, attempt } = await provider.start();
  const { headers } = await fetch(url, { redirect: 'manual' });
  return { callback: new URL(headers.get('location') ?? ''), attempt };
}

async function signIn() {
  const { callback, attempt } = await comeBack();
  return provider.finish(callback, attempt);
}
