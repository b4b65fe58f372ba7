import { createHash } from 'node:crypto';
import { beforeEach, describe, expect } from 'vitest';
import { AGENT_REDIRECT_URI } from '../../../harness/agent.ts';
import { clientId, oauth, testWithClient } from '../../../harness/fixtures/oauth.ts';
import {
  authorization,
  codeFor,
  postRegistration,
  postToken,
  redeem,
  refresh,
  registerClient,
  type TokenAnswer,
} from '../../../harness/oauth-client.ts';

const SECOND_MS = 1_000;
const LEGACY = { id: 'legacy', secret: 'a secret of the owner', redirectUris: ['https://actions.example/callback'] };

const test = testWithClient(
  {
    redirect_uris: [AGENT_REDIRECT_URI, 'https://client.example/cb?x=1', 'https://client.example/a/cb'],
  },
  { legacyClient: LEGACY },
);

const get = (url: URL | string, headers: Record<string, string> = { accept: 'text/html' }) =>
  fetch(url, { redirect: 'manual', headers });
const ask = (changes: Record<string, string | undefined>) => get(authorization(oauth, clientId, changes).url);

/** An authorization request to which something is appended. */
const askWith = (more: string, changes: Record<string, string | undefined> = {}) =>
  get(`${authorization(oauth, clientId, changes).url}&${more}`);

const sentBack = (answer: Response): Record<string, string> =>
  Object.fromEntries(new URL(answer.headers.get('location') ?? 'none:').searchParams);

describe('30: an address that is not registered', () => {
  test.each([
    ['nobody’s', 'https://evil.example/callback'],
    ['with a slash more', `${AGENT_REDIRECT_URI}/`],
    ['with a query more', `${AGENT_REDIRECT_URI}?x`],
    ['with another query', 'https://client.example/cb?x=2'],
    ['with a fragment', `${AGENT_REDIRECT_URI}#x`],
    ['with a way around', 'https://client.example/a/../a/cb'],
    ['with an encoded letter', 'https://client.example/a/%63b'],
    ['in other case', 'https://CLIENT.example/a/cb'],
    ['of a user', 'https://user@client.example/a/cb'],
    ['with the default port', 'https://client.example:443/a/cb'],
    ['with another port', AGENT_REDIRECT_URI.replace(':9/', ':10/')],
    ['of another scheme', 'http://client.example/a/cb'],
    ['empty', ''],
    ['that is none', 'no address'],
    ['with a null', 'https://client.example/a/cb%00'],
    ['that would run', 'javascript:alert(1)'],
    ['that is a client’s document', 'https://client.example/.well-known/client.json'],
  ])('%s gets a page and no redirect', async (_, uri) => {
    const answer = await ask({ redirect_uri: uri });

    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });
});

describe('31 and 32: a request that asks for something else', () => {
  test.each([
    ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['PKCE plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['PKCE without a method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a method without PKCE', { code_challenge: undefined }, 'invalid_request'],
    ['a challenge that is too short', { code_challenge: 'x'.repeat(42) }, 'invalid_request'],
    ['a challenge that is too long', { code_challenge: 'x'.repeat(129) }, 'invalid_request'],
    ['response_type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['response_type id_token', { response_type: 'id_token', nonce: 'x' }, 'unsupported_response_type'],
    ['response_type code token', { response_type: 'code token' }, 'unsupported_response_type'],
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['response_mode fragment', { response_mode: 'fragment' }, 'unsupported_response_mode'],
    ['response_mode form_post', { response_mode: 'form_post' }, 'unsupported_response_mode'],
    ['response_mode web_message', { response_mode: 'web_message' }, 'unsupported_response_mode'],
    ['a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, 'request_not_supported'],
    ['a request at an address', { request_uri: 'https://evil.example/' }, 'request_uri_not_supported'],
    ['a registration', { registration: '{}' }, 'registration_not_supported'],
    ['prompt none', { prompt: 'none' }, 'login_required'],
  ])('%s is sent back, with state and issuer', async (_, changes, error) => {
    const answer = await ask(changes);

    expect(answer.status).toBe(303);
    const [target] = (answer.headers.get('location') ?? '').split(/[?#]/, 1);
    expect(target).toBe(AGENT_REDIRECT_URI);
    const { search, hash } = new URL(answer.headers.get('location') ?? '');
    const sent = new URLSearchParams(search === '' ? hash.slice(1) : search);
    expect(Object.fromEntries(sent)).toMatchObject({ error, state: 'st/ate +%', iss: oauth.baseUrl });
    expect(sent.has('code')).toBe(false);
  });
});

describe('33: a parameter twice', () => {
  test.each(['client_id', 'redirect_uri'])('%s gets a page', async (name) => {
    const value = name === 'client_id' ? clientId : AGENT_REDIRECT_URI;
    const answer = await askWith(`${name}=${encodeURIComponent(value)}`);

    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });

  test.each(['state', 'scope', 'code_challenge', 'code_challenge_method', 'response_type'])(
    '%s is sent back with invalid_request',
    async (name) => {
      expect(sentBack(await askWith(`${name}=x`))).toMatchObject({ error: 'invalid_request', iss: oauth.baseUrl });
    },
  );

  test.each([
    'nonce=x',
    'nonce=a&nonce=b',
    'max_age=0',
    'max_age=never',
    'acr_values=x',
    'id_token_hint=x.y.z',
    'claims=%7B',
    'prompt=consent',
    'prompt=select_account',
    'audience=https%3A%2F%2Fevil.example',
    'display=popup&login_hint=ada&ui_locales=de',
  ])('%s, which means nothing here, is ignored', async (more) => {
    expect((await askWith(more)).headers.get('location')).toMatch(/^\/oauth\/interaction\//);
  });

  test('a name that every object has is a parameter like any other', async () => {
    const answer = await askWith('__proto__=x&constructor=y&toString=z&hasOwnProperty=w');

    expect(answer.headers.get('location')).toMatch(/^\/oauth\/interaction\//);
  });
});

describe('34: another resource', () => {
  test.each([
    ['foreign', 'https://evil.example'],
    ['relative', '/mcp'],
    ['with a fragment', `#x`],
    ['no address', 'x'],
    ['of a neighbour', '.evil.example'],
    ['below ours', '/mcp/admin'],
    ['with a query', '?x'],
  ])('%s is invalid_target', async (_, resource) => {
    const full = /^[#.?]|^\/mcp\/a/.test(resource) ? oauth.baseUrl + resource : resource;

    expect(sentBack(await ask({ resource: full }))).toMatchObject({ error: 'invalid_target', state: 'st/ate +%' });
  });

  test('ours together with another is invalid_target', async () => {
    expect(sentBack(await askWith('resource=https%3A%2F%2Fevil.example'))).toMatchObject({ error: 'invalid_target' });
  });
});

describe('35: scopes', () => {
  test.each(['irc:admin', 'openid profile', 'IRC:READ', 'irc:read\u00a0irc:write', '"x"'])(
    '%s is invalid_scope',
    async (scope) => {
      expect(sentBack(await ask({ scope }))).toMatchObject({ error: 'invalid_scope' });
    },
  );

  test.each([
    ['none', undefined, ['irc:read']],
    ['the wish for refresh tokens', 'offline_access', ['irc:read']],
    ['that wish among others', 'irc:read irc:write offline_access', ['irc:read', 'irc:write']],
  ])('%s is asked for as what it means', async (_, scope, asked) => {
    for (const prompt of [undefined, 'consent']) {
      await codeOf({ scope, prompt });
      expect(oauth.pending?.scopes).toEqual(asked);
    }
  });
});

async function codeOf(changes: Record<string, string | undefined> = {}): Promise<{ code: string; verifier: string }> {
  const { url, verifier } = authorization(oauth, clientId, changes);
  const browser = await oauth.signIn('ada');
  browser.stopAt = (to) => to.origin !== oauth.baseUrl;
  const { url: sent } = await browser.submit(await browser.open(url.href), { decision: 'allow' });
  return { code: sent.searchParams.get('code') ?? '', verifier };
}

const tokens = async (): Promise<TokenAnswer> => redeem(oauth, clientId, await codeOf());
const isGood = async (accessToken: string): Promise<boolean> => (await oauth.verify(accessToken)) !== undefined;

describe('36 and 37: codes', () => {
  test('one that is used twice is refused, and what it gave ends', async () => {
    const code = await codeOf();
    const first = await redeem(oauth, clientId, code);

    expect(await redeem(oauth, clientId, code)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect([first.status, await isGood(first.access_token)]).toEqual([200, false]);
  });

  test('exactly one of two redemptions at the same time succeeds', async () => {
    const code = await codeOf();
    const answers = await Promise.all([redeem(oauth, clientId, code), redeem(oauth, clientId, code)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test.each<[string, (given: { code: string; verifier: string }) => Promise<TokenAnswer>]>([
    ['of another client', async (given) => redeem(oauth, await registerClient(oauth), given)],
    ['for another address', (given) => redeem(oauth, clientId, given, { redirect_uri: 'https://client.example/a/cb' })],
    ['with another verifier', (given) => redeem(oauth, clientId, given, { code_verifier: 'x'.repeat(43) })],
    ['with a verifier that is too short', (given) => redeem(oauth, clientId, given, { code_verifier: 'x'.repeat(42) })],
    ['with a verifier that is too long', (given) => redeem(oauth, clientId, given, { code_verifier: 'x'.repeat(129) })],
    ['with the challenge for a verifier', (given) => redeem(oauth, clientId, given, { code_verifier: hashed(given) })],
    ['with an empty verifier', (given) => redeem(oauth, clientId, given, { code_verifier: '' })],
    ['that nobody has given', (given) => redeem(oauth, clientId, { ...given, code: 'x'.repeat(43) })],
    [
      'that is a refresh token',
      async (given) => redeem(oauth, clientId, { ...given, code: (await tokens()).refresh_token }),
    ],
  ])('a code %s is invalid_grant, and still good for its client', async (_, attempt) => {
    const given = await codeOf();

    expect(await attempt(given)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect((await redeem(oauth, clientId, given)).status).toBe(200);
  });

  test('one that is older than a minute is invalid_grant', async () => {
    const code = await codeOf();
    oauth.pass(61 * SECOND_MS);

    expect(await redeem(oauth, clientId, code)).toMatchObject({ status: 400, error: 'invalid_grant' });
  });
});

const hashed = ({ verifier }: { verifier: string }): string =>
  createHash('sha256').update(verifier).digest('base64url');

describe('38 and 39: refresh tokens', () => {
  test('one that is used twice is refused, and its family ends', async () => {
    const first = await tokens();
    const second = await refresh(oauth, clientId, first.refresh_token);
    const third = await refresh(oauth, clientId, second.refresh_token);

    expect(await refresh(oauth, clientId, first.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await refresh(oauth, clientId, third.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await isGood(third.access_token)).toBe(false);
  });

  test('sixteen refreshes at the same time get the same tokens', async () => {
    const { refresh_token: token } = await tokens();
    const answers = await Promise.all(Array.from({ length: 16 }, () => refresh(oauth, clientId, token)));

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200));
    expect(new Set(answers.map(({ refresh_token: next }) => next)).size).toBe(1);
  });

  test.each<[string, () => Promise<string>]>([
    ['another client', () => registerClient(oauth)],
    ['another client of the same name', () => registerClient(oauth, { client_name: 'By hand' })],
  ])('%s gets nothing for it, and its owner keeps it', async (_, stranger) => {
    const { refresh_token: token, access_token: access } = await tokens();

    expect(await refresh(oauth, await stranger(), token)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect([await isGood(access), (await refresh(oauth, clientId, token)).status]).toEqual([true, 200]);
  });

  test('an access token or a code is no refresh token', async () => {
    const { access_token: access } = await tokens();
    const { code } = await codeOf();

    for (const token of [access, code]) {
      expect(await refresh(oauth, clientId, token)).toMatchObject({ status: 400, error: 'invalid_grant' });
    }
  });

  const refreshFor = async (granted: string, scope: string): Promise<TokenAnswer> => {
    const { refresh_token: token } = await redeem(oauth, clientId, await codeOf({ scope: granted }));
    return postToken(oauth, { grant_type: 'refresh_token', client_id: clientId, refresh_token: token, scope });
  };

  test('less than was granted is given, more is invalid_scope', async () => {
    expect(await refreshFor('irc:read irc:write', 'irc:read')).toMatchObject({ status: 200, scope: 'irc:read' });
    expect(await refreshFor('irc:read', 'irc:read irc:write')).toMatchObject({ status: 400, error: 'invalid_scope' });
    expect(await refreshFor('irc:read', 'irc:admin')).toMatchObject({ status: 400, error: 'invalid_scope' });
    expect(await refreshFor('irc:read', 'openid irc:read offline_access')).toMatchObject({
      status: 200,
      scope: 'irc:read',
    });
  });

  test('a request for another resource is answered invalid_target', async () => {
    const { refresh_token: token } = await tokens();
    const fields = { grant_type: 'refresh_token', client_id: clientId, refresh_token: token };

    expect(await postToken(oauth, { ...fields, resource: 'https://evil.example' })).toMatchObject({
      status: 400,
      error: 'invalid_target',
    });
    expect((await refresh(oauth, clientId, token)).status).toBe(200);
  });
});

describe('40: who a client is', () => {
  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
  });
  const code = { grant_type: 'authorization_code', code: 'x', redirect_uri: LEGACY.redirectUris[0] ?? '' };
  const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${oauth.baseUrl}/oauth/token`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ ...code, ...fields }),
    });

  test.each<[string, Record<string, string>, () => Record<string, string>, [number, string]]>([
    ['no secret', { client_id: LEGACY.id }, () => ({}), [401, 'invalid_client']],
    ['an empty secret', { client_id: LEGACY.id, client_secret: '' }, () => ({}), [401, 'invalid_client']],
    ['a wrong secret', { client_id: LEGACY.id, client_secret: 'x' }, () => ({}), [401, 'invalid_client']],
    ['a wrong secret in the header', {}, () => basic(LEGACY.id, 'x'), [401, 'invalid_client']],
    ['an unknown id', { client_id: 'nobody', client_secret: 'x' }, () => ({}), [401, 'invalid_client']],
    ['no id', {}, () => ({}), [400, 'invalid_request']],
    [
      'the secret in the body and in the header',
      { client_id: LEGACY.id, client_secret: LEGACY.secret },
      () => basic(LEGACY.id, LEGACY.secret),
      [400, 'invalid_request'],
    ],
    ['two ids', { client_id: 'other' }, () => basic(LEGACY.id, LEGACY.secret), [400, 'invalid_request']],
    ['a header that is not Basic', {}, () => ({ authorization: 'Bearer x' }), [400, 'invalid_request']],
    ['a header that is not base64', {}, () => ({ authorization: 'Basic %%%' }), [400, 'invalid_request']],
    ['an assertion', { client_id: LEGACY.id, client_assertion: 'x' }, () => ({}), [401, 'invalid_client']],
  ])('a client with %s is refused', async (_, fields, headers, [status, error]) => {
    const answer = await post(fields, headers());

    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([status, error]);
    expect(answer.headers.get('cache-control')).toContain('no-store');
    if ('authorization' in headers() && status === 401)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic /);
  });

  test('a client without a secret that sends one is refused, in the body and in the header', async () => {
    const fields = { grant_type: 'refresh_token', refresh_token: (await tokens()).refresh_token };

    expect(await postToken(oauth, { ...fields, client_id: clientId, client_secret: 'x' })).toMatchObject({
      status: 401,
      error: 'invalid_client',
    });
    expect(await postToken(oauth, fields, basic(clientId, 'x'))).toMatchObject({
      status: 401,
      error: 'invalid_client',
    });
    expect((await refresh(oauth, clientId, fields.refresh_token)).status).toBe(200);
  });
});

describe('41: other grants, bodies and methods', () => {
  test.each([
    'password',
    'client_credentials',
    'implicit',
    'urn:ietf:params:oauth:grant-type:device_code',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    '__proto__',
    '',
  ])('grant_type "%s" is refused', async (grant) => {
    const answer = await postToken(oauth, { grant_type: grant, client_id: clientId, username: 'ada', password: 'x' });

    expect([answer.status, answer.error]).toEqual([400, grant === '' ? 'invalid_request' : 'unsupported_grant_type']);
  });

  test.each<[string, RequestInit, number]>([
    ['JSON', { body: '{}', headers: { 'content-type': 'application/json' } }, 400],
    ['text', { body: 'grant_type=refresh_token', headers: { 'content-type': 'text/plain' } }, 400],
    ['nothing', {}, 400],
    ['far too much', { body: new URLSearchParams({ code: 'x'.repeat(1_000_000) }) }, 400],
    [
      'something in an unknown encoding',
      { body: 'x=1', headers: { 'content-type': 'application/x-www-form-urlencoded; charset=x' } },
      400,
    ],
  ])('%s as a body is invalid_request', async (_, init, status) => {
    for (const path of ['token', 'revoke']) {
      const answer = await fetch(`${oauth.baseUrl}/oauth/${path}`, { method: 'POST', ...init });
      expect([path, answer.status, await answer.json()]).toMatchObject([path, status, { error: 'invalid_request' }]);
    }
  });
});

describe('42 and 43: registrations', () => {
  const uris = (...list: unknown[]) => ({ redirect_uris: list });

  test.each<[string, Record<string, unknown>, string]>([
    ['no address', { redirect_uris: undefined }, 'invalid_redirect_uri'],
    ['an empty list', uris(), 'invalid_redirect_uri'],
    ['http elsewhere', uris('http://evil.example/cb'), 'invalid_redirect_uri'],
    ['a script', uris('javascript:alert(1)'), 'invalid_redirect_uri'],
    ['a script behind an authority', uris('javascript://a.example/%0aalert(1)'), 'invalid_redirect_uri'],
    ['data', uris('data:text/html,x'), 'invalid_redirect_uri'],
    ['a file', uris('file:///etc/passwd'), 'invalid_redirect_uri'],
    ['a fragment', uris('https://a.example/#x'), 'invalid_redirect_uri'],
    ['a wildcard', uris('https://*.a.example/cb'), 'invalid_redirect_uri'],
    ['a user', uris('https://user@a.example/'), 'invalid_redirect_uri'],
    ['a good and a bad address', uris(AGENT_REDIRECT_URI, 'http://evil.example/'), 'invalid_redirect_uri'],
    [
      'a thousand addresses',
      uris(...Array.from({ length: 1_000 }, (_, n) => `https://a.example/${n}`)),
      'invalid_client_metadata',
    ],
    ['a number as an address', uris(7), 'invalid_redirect_uri'],
    [
      'an app’s scheme and a secret',
      { ...uris('cursor://a/cb'), token_endpoint_auth_method: 'client_secret_post' },
      'invalid_redirect_uri',
    ],
    ['a name of a megabyte', { client_name: 'x'.repeat(1_000_000) }, 'invalid_client_metadata'],
    ['a name that nobody sees', { client_name: '\u202e\u200b' }, 'invalid_client_metadata'],
    ['a name with a control character', { client_name: 'a\u001bb' }, 'invalid_client_metadata'],
    ['a name that reads in another direction', { client_name: 'Good\u202ednegrevE' }, 'invalid_client_metadata'],
    ['an unknown grant', { grant_types: ['password'] }, 'invalid_client_metadata'],
    ['the implicit grant', { grant_types: ['implicit'], response_types: ['token'] }, 'invalid_client_metadata'],
    ['a method that is no text', { token_endpoint_auth_method: 7 }, 'invalid_client_metadata'],
  ])('%s is refused', async (_, metadata, error) => {
    const answer = await postRegistration(oauth, metadata);

    // Beyond what is read at all, the body counts as malformed.
    const expected = JSON.stringify(metadata).length > 56 * 1_024 ? 'invalid_request' : error;
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: expected }]);
  });

  test.each<[string, string, string]>([
    ['a form', 'a=b', 'application/x-www-form-urlencoded'],
    ['no JSON', '{', 'application/json'],
    ['a list', '[]', 'application/json'],
    ['null', 'null', 'application/json'],
    ['a hundred thousand brackets', '['.repeat(50_000), 'application/json'],
  ])('%s is invalid_request', async (_, body, type) => {
    const answer = await fetch(`${oauth.baseUrl}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });

    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_request' }]);
  });

  test('a client with a method that is unknown here gets a usable secret, and learns so', async () => {
    const metadata = { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://a.example/keys' };
    const answer = (await (await postRegistration(oauth, metadata)).json()) as Record<string, string>;
    const { client_id: id = '', client_secret: secret = '' } = answer;

    expect(answer).toMatchObject({ token_endpoint_auth_method: 'client_secret_basic' });
    const proof = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
    const revoked = await fetch(`${oauth.baseUrl}/oauth/revoke`, {
      method: 'POST',
      headers: proof,
      body: new URLSearchParams({ token: 'x' }),
    });
    expect(revoked.status).toBe(200);
  });

  test('a client can’t choose its id or its secret', async () => {
    const chosen = {
      client_id: 'legacy',
      client_secret: 'x',
      client_id_issued_at: 1,
      token_endpoint_auth_method: undefined,
    };
    const answer = (await (await postRegistration(oauth, chosen)).json()) as Record<string, unknown>;

    expect(answer['client_id']).not.toBe('legacy');
    expect(answer['client_secret']).toHaveLength(answer['client_secret']?.toString().length ?? 0);
    expect(answer['client_secret']).not.toBe('x');
    expect(answer['client_id_issued_at']).not.toBe(1);
  });

  test('an app with a scheme of its own registers, with any type that it claims', async () => {
    for (const more of [{}, { application_type: 'web' }, { application_type: 'native' }]) {
      const uri = 'cursor://anysphere.cursor-mcp/oauth/callback';
      const answer = await postRegistration(oauth, { redirect_uris: [uri, AGENT_REDIRECT_URI], ...more });

      expect([answer.status, await answer.json()]).toMatchObject([201, { redirect_uris: [uri, AGENT_REDIRECT_URI] }]);
    }
  });

  test.each(['<script>alert(1)</script>', '"><img src=x>'])(
    'the name %j is kept as it is, to be shown as text',
    async (name) => {
      const id = await registerClient(oauth, { client_name: name });
      await codeFor(oauth, 'ada', id);

      expect(oauth.pending?.clientName).toBe(name);
    },
  );
});

describe('44: revocation', () => {
  const revoke = (fields: Record<string, string>) =>
    fetch(`${oauth.baseUrl}/oauth/revoke`, { method: 'POST', body: new URLSearchParams(fields) });
  let given: TokenAnswer;

  beforeEach(async () => {
    given = await tokens();
  });

  test.each<[string, () => Record<string, string>, number]>([
    ['an unknown token', () => ({ client_id: clientId, token: 'x'.repeat(43) }), 200],
    ['a token that is not text of ours', () => ({ client_id: clientId, token: 'a.b.c' }), 200],
    ['no token', () => ({ client_id: clientId }), 400],
    ['a token by nobody', () => ({ token: given.refresh_token }), 400],
    ['a token by a client that must prove itself', () => ({ client_id: LEGACY.id, token: given.refresh_token }), 401],
    [
      'a token by a client with a wrong secret',
      () => ({ client_id: LEGACY.id, client_secret: 'x', token: given.refresh_token }),
      401,
    ],
    [
      'another client’s token',
      () => ({ client_id: LEGACY.id, client_secret: LEGACY.secret, token: given.refresh_token }),
      200,
    ],
  ])('%s changes nothing', async (_, fields, status) => {
    const answer = await revoke(fields());

    expect(answer.status).toBe(status);
    expect(await isGood(given.access_token)).toBe(true);
    expect((await refresh(oauth, clientId, given.refresh_token)).status).toBe(200);
  });

  test('a client’s own token ends with its family, under any hint of its type', async () => {
    await revoke({ client_id: clientId, token: given.access_token, token_type_hint: 'refresh_token' });

    expect(await isGood(given.access_token)).toBe(false);
    expect(await refresh(oauth, clientId, given.refresh_token)).toMatchObject({ error: 'invalid_grant' });
  });
});
