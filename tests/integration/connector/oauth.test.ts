import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from 'vitest';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { AGENT_REDIRECT_URI, consent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import {
  authorization,
  codeFor,
  postRegistration,
  postToken,
  redeem,
  refresh,
  registerClient,
  statusWith,
} from '../../harness/oauth-client.ts';
import { LEGACY_CLIENT } from '../../harness/start-connector.ts';

const test = testWithStack();

let clientId: string;

test.beforeAll(async () => {
  clientId = await registerClient(stack);
});

const answerOf = async (url: URL): Promise<Response> =>
  fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } });

test('the metadata lists all that there is and no more', async () => {
  verifies(
    'connector.endpoint.GET-well-known-oauth-protected-resource',
    'connector.endpoint.GET-well-known-oauth-protected-resource-mcp',
    'connector.endpoint.GET-well-known-oauth-authorization-server',
    'connector.service.3',
  );
  const metadata = await (await fetch(`${stack.baseUrl}/.well-known/oauth-authorization-server`)).json();
  const resources = await Promise.all(
    ['', '/mcp'].map(async (path) =>
      (await fetch(`${stack.baseUrl}/.well-known/oauth-protected-resource${path}`)).json(),
    ),
  );

  expect(metadata).toEqual({
    issuer: stack.baseUrl,
    authorization_endpoint: `${stack.baseUrl}/oauth/authorize`,
    token_endpoint: `${stack.baseUrl}/oauth/token`,
    registration_endpoint: `${stack.baseUrl}/oauth/register`,
    revocation_endpoint: `${stack.baseUrl}/oauth/revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    scopes_supported: ['irc:read', 'irc:write'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  });
  expect(resources[0]).toMatchObject({ resource: stack.baseUrl, authorization_servers: [stack.baseUrl] });
  expect(resources[1]).toEqual({ ...(resources[0] as object), resource: `${stack.baseUrl}/mcp` });
});

for (const [what, path] of [
  ['the library’s own metadata', '/.well-known/openid-configuration'],
  ['its keys', '/jwks'],
  ['user info', '/me'],
  ['pushed requests', '/request'],
  ['its logout', '/session/end'],
] as const) {
  test(`${what} is not served`, async () => {
    expect((await fetch(`${stack.baseUrl}${path}`)).status).toBe(404);
  });
}

for (const uri of [
  'http://evil.example/cb',
  'javascript:alert(1)',
  'https://ok.example/cb#fragment',
  'https://*.example/cb',
  'https://user@ok.example/cb',
  'mailto:/cb@a.example',
  'com.example.app:cb',
  'no uri',
]) {
  test(`a client can't register the redirect URI ${uri}`, async () => {
    const response = await postRegistration(stack, { redirect_uris: [uri] });

    expect([response.status, (await response.json()) as { error: string }]).toMatchObject([
      400,
      { error: 'invalid_redirect_uri' },
    ]);
  });
}

for (const [why, metadata, error] of [
  ['redirect_uris as a string', { redirect_uris: AGENT_REDIRECT_URI }, 'invalid_redirect_uri'],
  ['redirect_uris as an object', { redirect_uris: { 0: AGENT_REDIRECT_URI } }, 'invalid_redirect_uri'],
  ['redirect_uris as null', { redirect_uris: null }, 'invalid_redirect_uri'],
  ['redirect_uris of numbers', { redirect_uris: [1] }, 'invalid_redirect_uri'],
  ['no redirect_uris', { redirect_uris: undefined }, 'invalid_redirect_uri'],
  [
    'eleven redirect_uris',
    { redirect_uris: Array.from({ length: 11 }, (_, n) => `${AGENT_REDIRECT_URI}/${n}`) },
    'invalid_redirect_uri',
  ],
  ['client_name as a number', { client_name: 7 }, 'invalid_client_metadata'],
  ['client_name as null', { client_name: null }, 'invalid_client_metadata'],
  ['client_name as an object', { client_name: { en: 'x' } }, 'invalid_client_metadata'],
  ['grant_types as a string', { grant_types: 'authorization_code' }, 'invalid_client_metadata'],
  ['more than eight kilobytes', { made_up: 'x'.repeat(8_192) }, 'invalid_client_metadata'],
] as const) {
  test(`a registration with ${why} is refused with the reason`, async () => {
    const response = await postRegistration(stack, metadata);

    expect([response.status, await response.json()]).toEqual([
      400,
      { error, error_description: expect.stringMatching(/^\S.+ must /) },
    ]);
  });
}

test('a confidential client gets a secret, a public one does not', async () => {
  verifies('connector.endpoint.POST-oauth-register');
  const confidential = await (await postRegistration(stack, { token_endpoint_auth_method: undefined })).json();
  const open = await (await postRegistration(stack, {})).json();

  expect(confidential).toMatchObject({
    token_endpoint_auth_method: 'client_secret_basic',
    client_secret: expect.any(String),
  });
  expect(open).not.toHaveProperty('client_secret');
  expect(open).toMatchObject({ grant_types: ['authorization_code', 'refresh_token'] });
});

for (const [why, uri] of [
  ['a slash more', `${AGENT_REDIRECT_URI}/`],
  ['a query more', `${AGENT_REDIRECT_URI}?x=1`],
  ['another port of the same address', AGENT_REDIRECT_URI.replace(':9/', ':10/')],
  ['another host', 'https://evil.example/callback'],
] as const) {
  test(`a redirect URI with ${why} than registered gets a page and no redirect`, async () => {
    verifies(
      'connector.authentication.4',
      'connector.endpoint.GET-oauth-authorize',
      'connector.endpoint.POST-oauth-register',
    );
    const answer = await answerOf(authorization(stack, clientId, { redirect_uri: uri }).url);

    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await answer.text()).toContain('Homeport');
  });
}

test.each(['127.0.0.1', 'localhost', '[::1]'])(
  'no client can make the service request a document from %s',
  async (host) => {
    let connections = 0;
    const server = createServer(() => undefined).on('connection', () => {
      connections += 1;
    });
    server.listen(0, host === '[::1]' ? '::1' : '127.0.0.1');
    await once(server, 'listening');
    const id = `https://${host}:${(server.address() as AddressInfo).port}/client.json`;

    const answer = await answerOf(authorization(stack, id).url);

    expect([answer.status, answer.headers.get('location'), connections]).toEqual([400, null, 0]);
    expect(await answer.text()).toContain('describes itself does not answer');
    server.close();
  },
);

test('a request without a redirect URI gets a page, though only one is registered', async () => {
  const answer = await answerOf(authorization(stack, clientId, { redirect_uri: undefined }).url);

  expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
});

test('a native client can’t vary the port of its loopback redirect URI either', async () => {
  const native = await registerClient(stack, { application_type: 'native' });
  const varied = AGENT_REDIRECT_URI.replace(':9/', ':10/');

  expect((await answerOf(authorization(stack, native, { redirect_uri: varied }).url)).status).toBe(400);
});

for (const [why, changes, error] of [
  ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
  ['PKCE plain', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['a foreign resource', { resource: 'https://evil.example' }, 'invalid_target'],
  ['an unknown scope', { scope: 'irc:admin' }, 'invalid_scope'],
  ['the openid scope', { scope: 'openid' }, 'invalid_scope'],
  ['response_type token', { response_type: 'token' }, 'unsupported_response_type'],
  ['response_mode fragment', { response_mode: 'fragment' }, 'unsupported_response_mode'],
] as const) {
  test(`a request with ${why} is sent back with ${error}, state and issuer`, async () => {
    verifies('connector.authentication.2', 'connector.endpoint.GET-oauth-authorize');
    const sent = await errorOf(authorization(stack, clientId, changes).url);

    expect(sent).toMatchObject({ error, state: 'st/ate +%', iss: stack.baseUrl });
  });
}

test('a person who declines sends the client away with access_denied', async () => {
  const callback = await consent(stack, 'ada', authorization(stack, clientId).url, 'deny');

  expect(Object.fromEntries(callback.searchParams)).toMatchObject({
    error: 'access_denied',
    state: 'st/ate +%',
    iss: stack.baseUrl,
  });
});

test('a request without scope and resource gets irc:read for our resource', async () => {
  verifies('connector.endpoint.POST-oauth-token');
  const { url, verifier } = authorization(stack, clientId, { scope: undefined, resource: undefined });
  const callback = await consent(stack, 'ada', url);
  const answer = await redeem(stack, clientId, { code: callback.searchParams.get('code') ?? '', verifier });

  expect(answer).toMatchObject({ status: 200, scope: 'irc:read', token_type: 'Bearer', expires_in: 3600 });
  expect(await statusWith(stack, answer.access_token)).toBe(200);
});

for (const suffix of ['', '/', '/mcp', '/mcp/']) {
  test(`the resource may be written as the address and "${suffix}"`, async () => {
    const { url, verifier } = authorization(stack, clientId, { resource: stack.baseUrl + suffix });
    const callback = await consent(stack, 'ada', url);
    const code = callback.searchParams.get('code') ?? '';
    const answer = await redeem(stack, clientId, { code, verifier }, { resource: `${stack.baseUrl}/` });

    expect(answer.status).toBe(200);
    expect(await statusWith(stack, answer.access_token)).toBe(200);
  });
}

test('a consent is never remembered: the next request asks again', async () => {
  const browser = await stack.signIn('ada');
  browser.stopAt = (url) => url.origin !== stack.baseUrl;
  const first = await browser.open(authorization(stack, clientId).url.href);
  await browser.submit(first, { decision: 'allow', scope: ['irc:read'] });

  const second = await browser.open(authorization(stack, clientId).url.href);

  expect(second.url.pathname).toMatch(/^\/oauth\/interaction\//);
});

for (const [why, changes] of [
  ['the wrong verifier', { code_verifier: 'x'.repeat(43) }],
  ['another redirect URI', { redirect_uri: `${AGENT_REDIRECT_URI}/` }],
] as const) {
  test(`a code with ${why} is refused`, async () => {
    const answer = await redeem(stack, clientId, await codeFor(stack, 'ada', clientId), changes);

    expect(answer).toMatchObject({ status: 400, error: 'invalid_grant' });
  });
}

test('a code without its redirect URI is refused, and good with it', async () => {
  const { code, verifier } = await codeFor(stack, 'ada', clientId);
  const fields = { grant_type: 'authorization_code', client_id: clientId, code, code_verifier: verifier };

  const without = await postToken(stack, fields);

  expect(without).toMatchObject({ status: 400, error: 'invalid_request' });
  expect((await redeem(stack, clientId, { code, verifier })).status).toBe(200);
});

test('a code of another client is refused', async () => {
  const stranger = await registerClient(stack);
  const code = await codeFor(stack, 'ada', clientId);

  expect(await redeem(stack, stranger, code)).toMatchObject({ status: 400, error: 'invalid_grant' });
});

test('a code used twice is refused and ends the tokens it gave', async () => {
  verifies('connector.lifetime.authorization-code');
  const code = await codeFor(stack, 'ada', clientId);
  const first = await redeem(stack, clientId, code);
  expect(await statusWith(stack, first.access_token)).toBe(200);

  const second = await redeem(stack, clientId, code);

  expect(second).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect(await statusWith(stack, first.access_token)).toBe(401);
});

test('one of several parallel redemptions of a code succeeds, and the others end what it got', async () => {
  const code = await codeFor(stack, 'ada', clientId);

  const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(stack, clientId, code)));

  const winners = answers.filter(({ status }) => status === 200);
  expect(winners).toHaveLength(1);
  expect(answers.filter(({ status, error }) => status === 400 && error === 'invalid_grant')).toHaveLength(7);
  for (const { access_token: token } of winners) expect(await statusWith(stack, token)).toBe(401);
});

test('parallel refreshes with one token all get the same tokens, which are good', async () => {
  const { refresh_token: token } = await redeem(stack, clientId, await codeFor(stack, 'ada', clientId));

  const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(stack, clientId, token)));

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map((answer) => `${answer.access_token} ${answer.refresh_token}`)).size).toBe(1);
  const [answer] = answers;
  expect(await statusWith(stack, answer?.access_token ?? '')).toBe(200);
  expect((await refresh(stack, clientId, answer?.refresh_token ?? '')).status).toBe(200);
});

test('a refresh token is good once; using it again after its successor ends the family', async () => {
  verifies('connector.authentication.3', 'connector.lifetime.refresh-token', 'connector.endpoint.POST-oauth-token');
  const first = await redeem(stack, clientId, await codeFor(stack, 'ada', clientId));
  const second = await refresh(stack, clientId, first.refresh_token);
  expect(second).toMatchObject({ status: 200, scope: 'irc:read irc:write' });
  expect(second.refresh_token).not.toBe(first.refresh_token);
  const third = await refresh(stack, clientId, second.refresh_token);

  const reused = await refresh(stack, clientId, first.refresh_token);

  expect(reused).toMatchObject({ status: 400, error: 'invalid_grant' });
  expect(await refresh(stack, clientId, third.refresh_token)).toMatchObject({ error: 'invalid_grant' });
  expect(await statusWith(stack, third.access_token)).toBe(401);
});

test('revoking a refresh token ends its access tokens; another client’s token stays', async () => {
  verifies('connector.endpoint.POST-oauth-revoke');
  const tokens = await redeem(stack, clientId, await codeFor(stack, 'ada', clientId));
  const stranger = await registerClient(stack);
  const revoke = (client: string) =>
    fetch(`${stack.baseUrl}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: client, token: tokens.refresh_token }),
    });

  expect((await revoke(stranger)).status).toBe(200);
  expect(await statusWith(stack, tokens.access_token)).toBe(200);
  expect((await revoke(clientId)).status).toBe(200);
  expect(await statusWith(stack, tokens.access_token)).toBe(401);
});

test('the legacy client gets tokens with its secret and without PKCE, by header and by body', async () => {
  verifies('connector.authentication.4', 'connector.service.3');
  for (const inHeader of [true, false]) {
    const { url } = authorization(stack, LEGACY_CLIENT.id, {
      redirect_uri: LEGACY_CLIENT.redirectUri,
      code_challenge: undefined,
      code_challenge_method: undefined,
      resource: undefined,
    });
    const callback = await consent(stack, 'ada', url);
    const fields = {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: LEGACY_CLIENT.redirectUri,
    };
    const basic = Buffer.from(`${LEGACY_CLIENT.id}:${LEGACY_CLIENT.secret}`).toString('base64');
    const answer = inHeader
      ? await postToken(stack, fields, { authorization: `Basic ${basic}` })
      : await postToken(stack, { ...fields, client_id: LEGACY_CLIENT.id, client_secret: LEGACY_CLIENT.secret });

    expect(answer.status).toBe(200);
    expect(await statusWith(stack, answer.access_token)).toBe(200);
  }
});

test('the legacy client without its secret, and other grants, are refused', async () => {
  verifies('connector.authentication.4');
  const code = { grant_type: 'authorization_code', code: 'x', redirect_uri: LEGACY_CLIENT.redirectUri };

  expect(await postToken(stack, { ...code, client_id: LEGACY_CLIENT.id })).toMatchObject({
    status: 401,
    error: 'invalid_client',
  });
  for (const grant of ['password', 'client_credentials', 'implicit']) {
    const answer = await postToken(stack, { grant_type: grant, client_id: clientId });
    expect(answer.error).toMatch(/^(unsupported_grant_type|unauthorized_client)$/);
  }
});

test('wrong methods are answered with 405 and the right one', async () => {
  const answers = await Promise.all([
    fetch(`${stack.baseUrl}/oauth/token`),
    fetch(`${stack.baseUrl}/oauth/authorize`, { method: 'POST' }),
  ]);

  expect(answers.map(({ status, headers }) => [status, headers.get('allow')])).toEqual([
    [405, 'POST'],
    [405, 'GET'],
  ]);
});

test('every cookie is secure and hidden from scripts, with any headers of proxies', async () => {
  const answer = await fetch(authorization(stack, clientId).url, {
    redirect: 'manual',
    headers: { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example' },
  });
  const cookies = answer.headers.getSetCookie();

  expect(cookies.length).toBeGreaterThan(0);
  expect(cookies.filter((cookie) => !/; secure/i.test(cookie) || !/; httponly/i.test(cookie))).toEqual([]);
  expect(cookies.filter((cookie) => !/^__(Host|Secure)-/.test(cookie))).toEqual([]);
  expect(answer.headers.get('location')).not.toContain('evil');
});

/**
 * Returns what a client reads from the address it is sent back to; for implicit response types that is the fragment.
 */
async function errorOf(url: URL): Promise<Record<string, string>> {
  const target = new URL((await answerOf(url)).headers.get('location') ?? 'none:');
  return Object.fromEntries(new URLSearchParams(target.search || target.hash.slice(1)));
}
