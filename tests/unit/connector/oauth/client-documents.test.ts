import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import {
  DAY_MS,
  DOCUMENTS_OF_ADDRESS_AT_ONCE,
  DOCUMENTS_PER_HOST_AND_ADDRESS,
  SHOWN_DOCUMENTS,
} from '../../../../src/connector/domain/limits.ts';
import type { DocumentAnswer } from '../../../../src/connector/oauth/client-documents.ts';
import { authorization, postToken, refresh, type TokenAnswer } from '../../../harness/oauth-client.ts';
import { type OauthInProcess, openOauth } from '../../../harness/oauth-in-process.ts';

const HOUR_MS = 3_600_000;
const SHARE = DOCUMENTS_PER_HOST_AND_ADDRESS;

/** A document like those of well-known clients. */
const CLAUDE = {
  client_id: 'https://claude.example/oauth/mcp-oauth-client-metadata',
  client_name: 'Claude',
  client_uri: 'https://claude.example',
  redirect_uris: ['https://claude.example/api/mcp/auth_callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};
const CLAUDE_CODE = {
  client_id: 'https://claude.example/oauth/claude-code-client-metadata',
  client_name: 'Claude Code',
  redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};
const CHATGPT = {
  client_id: 'https://chatgpt.example/oauth/client.json',
  client_uri: 'https://chatgpt.example/',
  redirect_uris: ['https://chatgpt.example/connector_platform_oauth_redirect'],
  token_endpoint_auth_method: 'private_key_jwt',
  token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  client_name: 'ChatGPT',
  token_endpoint_auth_signing_alg: 'RS256',
  jwks_uri: 'https://chatgpt.example/oauth/jwks.json',
};

let oauth: OauthInProcess;
let asked: string[];
let answers: Map<string, DocumentAnswer>;
/** Documents whose answer a test gives later. */
let slow: Map<string, Promise<DocumentAnswer>>;

beforeEach(async () => {
  asked = [];
  answers = new Map();
  slow = new Map();
  oauth = await openOauth({
    fetchDocument: async (url) => {
      asked.push(url);
      return (await slow.get(url)) ?? answers.get(url) ?? { kind: 'gone' };
    },
  });
});

afterEach(() => oauth[Symbol.asyncDispose]());

type Document = Record<string, unknown> & { client_id: string };

const publish = ({ client_id: id, ...rest }: Document, headers: Record<string, string> = {}): void =>
  void answers.set(id, { kind: 'found', text: JSON.stringify({ client_id: id, ...rest }), headers });

/** Whether a person would be asked. */
const isAsked = async (clientId: string, redirectUri: string): Promise<boolean> =>
  ((await ask(clientId, redirectUri)).headers.get('location') ?? '').startsWith('/oauth/interaction/');

test.each([
  [CLAUDE, CLAUDE.redirect_uris[0] ?? '', 'claude.example'],
  [CLAUDE_CODE, 'http://localhost:54321/callback', 'claude.example'],
  [CHATGPT, CHATGPT.redirect_uris[0] ?? '', 'chatgpt.example'],
])(
  'a client that describes itself as $client_name does at its address gets tokens',
  async (document, redirectUri, host) => {
    publish(document);

    const tokens = await tokensFor(document.client_id, redirectUri);

    expect(tokens).toMatchObject({ status: 200, scope: 'irc:read irc:write' });
    expect(await oauth.verify(tokens.access_token)).toMatchObject({ clientId: document.client_id });
    expect(oauth.pending).toMatchObject({ clientName: document.client_name, vouchedBy: host });
    expect((await refresh(oauth, document.client_id, tokens.refresh_token)).status).toBe(200);
    expect(asked).toEqual([document.client_id]);
  },
);

test('only the port of one’s own machine may differ from the document', async () => {
  publish(CLAUDE_CODE);
  publish(CLAUDE);
  const { client_id: id } = CLAUDE_CODE;

  expect(await isAsked(id, 'http://127.0.0.1:1/callback')).toBe(true);
  for (const uri of [
    'http://[::1]:1/callback',
    'http://localhost:1/callback/',
    'http://localhost:1/callback?x',
    'https://localhost:1/callback',
    'http://localhost:99999/callback',
    'http://localhost:1@evil.example/callback',
    'http://evil.example:1/callback',
  ]) {
    expect([uri, (await ask(id, uri)).status]).toEqual([uri, 400]);
  }
  expect(await isAsked(CLAUDE.client_id, 'https://claude.example:8443/api/mcp/auth_callback')).toBe(false);
});

test('a client that registered has no such freedom', async () => {
  const { client_id: clientId } = (await (
    await fetch(`${oauth.baseUrl}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...CLAUDE_CODE, client_id: undefined }),
    })
  ).json()) as { client_id: string };

  expect(await isAsked(clientId, 'http://localhost/callback')).toBe(true);
  expect((await ask(clientId, 'http://localhost:54321/callback')).status).toBe(400);
});

const wrong = (changes: Record<string, unknown>): Document => ({ ...CLAUDE, ...changes });
const { client_id: ID } = CLAUDE;
const [REDIRECT = ''] = CLAUDE.redirect_uris;

test.each<[string, DocumentAnswer]>([
  ['is gone', { kind: 'gone' }],
  ['can’t be reached', { kind: 'unreachable' }],
  ['is not JSON', { kind: 'found', text: '<html>', headers: {} }],
  ['is a list', { kind: 'found', text: '[]', headers: {} }],
  ['is of another client', text(wrong({ client_id: `${ID}/other` }))],
  ['has no name', text(wrong({ client_name: undefined }))],
  ['has a name that nobody sees', text(wrong({ client_name: ' \u200b' }))],
  ['has a name that is not text', text(wrong({ client_name: {} }))],
  ['has no address', text(wrong({ redirect_uris: undefined }))],
  ['has no address that may be', text(wrong({ redirect_uris: ['http://evil.example/', 'javascript:alert(1)'] }))],
  ['has addresses that are not a list', text(wrong({ redirect_uris: REDIRECT }))],
  ['has a secret', text(wrong({ client_secret: 'x' }))],
  ['proves itself by a shared secret', text(wrong({ token_endpoint_auth_method: 'client_secret_post' }))],
  ['proves itself by a key alone', text(wrong({ token_endpoint_auth_method: 'private_key_jwt' }))],
  ['is for another kind of answer', text(wrong({ response_types: ['token'] }))],
])('a client whose document %s gets a page, and no redirect', async (_, answer) => {
  answers.set(ID, answer);

  const response = await ask(ID, REDIRECT);

  expect([response.status, response.headers.get('location')]).toEqual([response.status === 401 ? 401 : 400, null]);
  expect(asked).toEqual([ID]);
});

function text(document: Document): DocumentAnswer {
  return { kind: 'found', text: JSON.stringify(document), headers: {} };
}

test.each([
  'https://claude.example/a/../b',
  'https://claude.example/%2e%2e/b',
  'https://user@claude.example/b',
  'https://claude.example/b#c',
  'http://claude.example/b',
  'https:claude.example/b',
  'ftp://claude.example/b',
])('nobody is asked for a document at %s', async (clientId) => {
  expect([(await ask(clientId, REDIRECT)).headers.get('location'), asked]).toEqual([null, []]);
});

test('the allowed addresses of a document are taken', async () => {
  publish(wrong({ redirect_uris: ['http://evil.example/', 'cursor://app/cb', ...CLAUDE.redirect_uris] }));

  expect(await isAsked(ID, REDIRECT)).toBe(true);
  expect(await isAsked(ID, 'cursor://app/cb')).toBe(true);
  expect((await ask(ID, 'http://evil.example/')).status).toBe(400);
});

test('a document is asked for again when its host says so, but no more than once a minute', async () => {
  publish(CLAUDE, { 'cache-control': 'max-age=3600' });
  await isAsked(ID, REDIRECT);
  oauth.pass(HOUR_MS - 1_000);
  await isAsked(ID, REDIRECT);
  expect(asked).toHaveLength(1);

  oauth.pass(2_000);
  publish(wrong({ redirect_uris: ['https://claude.example/new'] }), { 'cache-control': 'no-store, max-age=0' });
  expect(await isAsked(ID, 'https://claude.example/new')).toBe(true);
  expect((await ask(ID, REDIRECT)).status).toBe(400);
  expect(asked).toHaveLength(2);

  oauth.pass(61_000);
  await isAsked(ID, 'https://claude.example/new');
  expect(asked).toHaveLength(3);
});

test('a client that a person has allowed still refreshes for a week while its host is out of order', async () => {
  publish(CLAUDE);
  let { refresh_token: token } = await tokensFor(ID, REDIRECT);
  answers.set(ID, { kind: 'unreachable' });
  await oauth.restart();

  for (const day of [1, 3, 6]) {
    oauth.pass((day === 1 ? 1 : day === 3 ? 2 : 3) * DAY_MS);
    const answer = await refresh(oauth, ID, token);
    expect([day, answer.status]).toEqual([day, 200]);
    token = answer.refresh_token;
  }
  oauth.pass(2 * DAY_MS);

  expect(await refresh(oauth, ID, token)).toMatchObject({ status: 400, error: 'invalid_client' });
  oauth.pass(11_000);
  publish(CLAUDE);
  expect(await refresh(oauth, ID, token)).toMatchObject({ status: 200 });
});

test('a client whose document its host has removed is unknown, and one without a consent is not kept', async () => {
  publish(CLAUDE);
  publish(CLAUDE_CODE);
  const { refresh_token: token } = await tokensFor(ID, REDIRECT);
  await isAsked(CLAUDE_CODE.client_id, 'http://localhost:1/callback');
  await oauth.restart();
  answers.set(ID, { kind: 'gone' });
  answers.set(CLAUDE_CODE.client_id, { kind: 'unreachable' });

  expect(await refresh(oauth, ID, token)).toMatchObject({ status: 400, error: 'invalid_client' });
  expect(await isAsked(CLAUDE_CODE.client_id, 'http://localhost:1/callback')).toBe(false);
});

test('one host is requested up to its limit, with any documents that strangers name there, and others still are', async () => {
  publish(CHATGPT);
  for (let count = 0; count < SHARE + 20; count += 1) await ask(`https://claude.example/${count}`, REDIRECT);

  expect(asked).toHaveLength(SHARE);
  expect(await isAsked(CHATGPT.client_id, CHATGPT.redirect_uris[0] ?? '')).toBe(true);
  oauth.pass(60_000);
  publish(CLAUDE);
  expect(await isAsked(ID, REDIRECT)).toBe(true);
});

test('an address that names many documents of a host keeps out no client that is named from elsewhere', async () => {
  publish(CLAUDE);
  for (let count = 0; count < 2 * SHARE; count += 1) await ask(`https://claude.example/${count}`, REDIRECT);

  expect(await isAsked(ID, REDIRECT)).toBe(false);
  expect(await isAskedFrom('127.0.0.2', ID, REDIRECT)).toBe(true);
});

test('an address whose documents never come waits for a few of them, and others are asked for theirs meanwhile', async () => {
  publish(CLAUDE);
  const { promise: silence, resolve: end } = Promise.withResolvers<DocumentAnswer>();
  const places = Array.from({ length: 80 }, (_, count) => `https://slow${count}.example/client`);
  slow = new Map(places.map((place) => [place, silence]));
  const waiting = places.map((place) => ask(place, REDIRECT));
  await waitFor('the first of them are asked for', () => asked.length >= DOCUMENTS_OF_ADDRESS_AT_ONCE);

  expect(await isAskedFrom('127.0.0.2', ID, REDIRECT)).toBe(true);
  end({ kind: 'unreachable' });
  await Promise.all(waiting);
  expect(asked.filter((place) => slow.has(place))).toHaveLength(DOCUMENTS_OF_ADDRESS_AT_ONCE);
  expect(await isAsked(ID, REDIRECT)).toBe(true);
});

test('one host is not asked more often under many ports, nor with the dot that may end its name', async () => {
  for (let count = 0; count < SHARE; count += 1) {
    await ask(`https://claude.example${count % 2 === 0 ? '' : '.'}:${8_000 + count}/client`, REDIRECT);
  }
  expect(asked).toHaveLength(SHARE);

  expect((await ask('https://claude.example:9443/client', REDIRECT)).status).toBe(400);
  expect(asked).toHaveLength(SHARE);
});

test('documents that strangers name at a host do not keep out an allowed client of it', async () => {
  publish(CLAUDE);
  const { refresh_token: token } = await tokensFor(ID, REDIRECT);
  await oauth.restart();
  oauth.pass(HOUR_MS);
  for (let count = 0; count < SHARE; count += 1) await ask(`https://claude.example/${count}`, REDIRECT);
  expect((await ask('https://claude.example/one-more', REDIRECT)).status).toBe(400);
  expect(asked).not.toContain('https://claude.example/one-more');

  expect((await refresh(oauth, ID, token)).status).toBe(200);
});

test('a host that does not answer is named in the log once an hour, for any requests', async () => {
  const lines: string[] = [];
  await using logging = await openOauth({
    fetchDocument: async () => ({ kind: 'unreachable' }),
    logTo: { write: (line) => lines.push(line) },
  });
  const askFor = (url: string) =>
    fetch(authorization(logging, url, { redirect_uri: REDIRECT }).url, { redirect: 'manual' });
  const hosts = () => lines.map((line) => JSON.parse(line) as Record<string, string>).map(({ host }) => host);

  for (const path of ['a', 'b', 'a']) await askFor(`https://claude.example/${path}?code=not-for-the-log`);
  await askFor('https://other.example:8443/a');
  expect(hosts()).toEqual(['claude.example', 'other.example:8443']);
  expect(lines.join('')).not.toContain('not-for-the-log');

  logging.pass(HOUR_MS + 1_000);
  await askFor('https://claude.example/a');
  expect(hosts()).toEqual(['claude.example', 'other.example:8443', 'claude.example']);
});

test('where documents are turned off the metadata does not offer them, no host is asked, and clients register', async () => {
  await using closed = await openOauth({
    takesDocuments: false,
    fetchDocument: async (url) => {
      asked.push(url);
      return text(CLAUDE);
    },
  });

  const metadata = await fetch(`${closed.baseUrl}/.well-known/oauth-authorization-server`);
  const refused = await fetch(authorization(closed, ID, { redirect_uri: REDIRECT }).url, { redirect: 'manual' });
  const registered = await fetch(`${closed.baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...CLAUDE, client_id: undefined }),
  });

  expect(await metadata.json()).toMatchObject({ client_id_metadata_document_supported: false });
  expect([refused.status, refused.headers.get('location'), asked]).toEqual([400, null, []]);
  expect(registered.status).toBe(201);
});

/** Returns an address of this many random bytes, which can't be compressed. */
function addressOf(bytes: number): string {
  const start = 'https://long.example/';
  return (
    start +
    randomBytes(bytes)
      .toString('hex')
      .slice(0, bytes - start.length)
  );
}

test('a client whose address has 2,048 bytes gets tokens and may send; a longer one is refused in words, and its host is not asked', async () => {
  const { redirect_uris: redirectUris } = CLAUDE;
  const uri = redirectUris[0] ?? '';
  const longest = addressOf(2_048);
  publish({ ...CLAUDE, client_id: longest });

  const tokens = await tokensFor(longest, uri);

  expect(tokens).toMatchObject({ status: 200 });
  expect((await refresh(oauth, longest, tokens.refresh_token)).status).toBe(200);
  asked.length = 0;
  for (const tooLong of [addressOf(2_049), addressOf(6_000), `https://long.example/${'語'.repeat(700)}`]) {
    publish({ ...CLAUDE, client_id: tooLong });
    const page = await ask(tooLong, uri);
    expect([page.status, await page.text()]).toEqual([
      400,
      expect.stringContaining('the address at which the app describes itself is too long'),
    ]);
    const answer = await postToken(oauth, { grant_type: 'refresh_token', client_id: tooLong, refresh_token: 'x' });
    expect(answer).toMatchObject({ status: 400, error: 'invalid_client' });
  }
  expect(asked).toEqual([]);
});

test('a person allows a client at another process than the one that fetched its document, though its host is away by then', async () => {
  await oauth[Symbol.asyncDispose]();
  oauth = await openOauth({
    fetchDocument: async (url) => answers.get(url) ?? { kind: 'gone' },
    freshness: { alone: () => undefined, sinceBoot: () => 0 },
  });
  publish(CLAUDE);
  const { client_id: id, redirect_uris: uris } = CLAUDE;
  const { url, verifier } = authorization(oauth, id, { redirect_uri: uris[0] ?? '' });
  const browser = await oauth.signIn('ada');
  browser.stopAt = (to) => to.origin !== oauth.baseUrl;
  const page = await browser.open(url.href);

  await oauth.restart();
  answers.set(id, { kind: 'unreachable' });
  const { url: sent } = await browser.submit(page, { decision: 'allow' });
  const tokens = await postToken(oauth, {
    ...{ grant_type: 'authorization_code', client_id: id, code_verifier: verifier, redirect_uri: uris[0] ?? '' },
    code: sent.searchParams.get('code') ?? '',
  });
  expect(tokens.status).toBe(200);

  await oauth.restart();
  oauth.pass(DAY_MS);
  expect((await refresh(oauth, id, tokens.refresh_token)).status).toBe(200);
  oauth.pass(DAY_MS);
  await oauth.records.removeEnded(100);
  expect(await oauth.opened.database('oauth_records').distinct('kind').pluck('kind')).not.toContain('ShownDocument');
});

test('documents that strangers name are stored for other processes within bounds, and not at all by a process that is alone', async () => {
  const stored = () => oauth.opened.database('oauth_records').where('kind', 'ShownDocument').pluck('id_hash');
  publish(CLAUDE);
  expect(await isAsked(CLAUDE.client_id, CLAUDE.redirect_uris[0] ?? '')).toBe(true);
  expect(await stored()).toEqual([]);
  await oauth[Symbol.asyncDispose]();
  oauth = await openOauth({
    fetchDocument: async (url) => answers.get(url) ?? { kind: 'gone' },
    freshness: { alone: () => undefined, sinceBoot: () => 0 },
  });

  for (let n = 0; n < SHOWN_DOCUMENTS.perOrigin + 5; n += 1) {
    const document = { ...CLAUDE, client_id: `https://host${n}.example/client` };
    publish(document);
    expect(await isAsked(document.client_id, document.redirect_uris[0] ?? '')).toBe(true);
    oauth.pass(1);
  }

  expect(await stored()).toHaveLength(SHOWN_DOCUMENTS.perOrigin);
});

/** Like `isAsked`, for a browser at another address of this machine. */
async function isAskedFrom(localAddress: string, clientId: string, redirectUri: string): Promise<boolean> {
  const { url } = authorization(oauth, clientId, { redirect_uri: redirectUri });
  const sent = request(url, { localAddress, headers: { accept: 'text/html' } }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return (answer.headers.location ?? '').startsWith('/oauth/interaction/');
}

async function tokensFor(clientId: string, redirectUri: string): Promise<TokenAnswer> {
  const { url, verifier } = authorization(oauth, clientId, { redirect_uri: redirectUri });
  const browser = await oauth.signIn('ada');
  browser.stopAt = (to) => to.origin !== oauth.baseUrl;
  const { url: sent } = await browser.submit(await browser.open(url.href), { decision: 'allow' });
  return postToken(oauth, {
    grant_type: 'authorization_code',
    client_id: clientId,
    code: sent.searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: redirectUri,
  });
}

function ask(clientId: string, redirectUri: string) {
  return fetch(authorization(oauth, clientId, { redirect_uri: redirectUri }).url, {
    redirect: 'manual',
    headers: { accept: 'text/html' },
  });
}
