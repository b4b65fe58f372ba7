import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { AGENT_REDIRECT_URI, type Agent, connectAgent } from '../../harness/agent.ts';
import type { CookieBrowser } from '../../harness/cookie-browser.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { type IrcProxy, startIrcProxy } from '../../harness/irc-proxy.ts';
import { codeFor, postMcp, postRegistration } from '../../harness/oauth-client.ts';
import { ADMIN_TOKEN, LEGACY_CLIENT } from '../../harness/start-connector.ts';
import { startReceiver } from '../../harness/webhook-receiver.ts';

/** Texts that people and agents write; they have no place outside of what reads history. */
const SAID = 'canary-said-on-irc';
const SENT = 'canary-sent-by-an-agent';
/** Secret that strangers try. */
const GUESS = 'canary-guessed-secret';

/** Parts of a webhook: of its address, and its secret. */
const CALLBACK = 'canary-in-the-address-of-a-callback';
const WEBHOOK_SECRET = `whsec_${Buffer.from('canary-secret-of-a-webhook-of-36-bytes').toString('base64')}`;

/** The databases' own words for tables that were taken away. */
const MISSING_TABLE = /no such table|relation .*entries.* does not exist/;
const MISSING_SUBSCRIPTIONS = /no such table: .*subscriptions|relation .*subscriptions.* does not exist/;

/** Length of a line beyond what IRC allows with all its tags. */
const OVERLONG = 20_000;

const test = testWithStack({
  isUnpaced: true,
  config: { logLevel: 'debug', events: { allowCallbackHosts: ['127.0.0.1'] } },
  wrapBouncer: async (port) => {
    bouncerProxy = await startIrcProxy(port);
    return bouncerProxy.port;
  },
});

let agent: Agent;
let browser: CookieBrowser;
let bob: IrcClient;
let bouncerProxy: IrcProxy;
let secrets: Record<string, string>;

test.beforeAll(async () => {
  browser = await stack.signIn('ada');
  await browser.submit(await browser.open(`${stack.baseUrl}/settings`), { channel: ['#room'] }, '/settings');
  agent = await connectAgent(stack, 'ada');
  bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  await agent.call('go_online');
  secrets = await knownSecrets();
});

afterAll(async () => {
  bob?.[Symbol.dispose]();
  await agent?.[Symbol.asyncDispose]();
  await bouncerProxy?.[Symbol.asyncDispose]();
});

const post = (path: string, body: string | URLSearchParams, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${stack.baseUrl}${path}`, { method: 'POST', body, headers, redirect: 'manual' });

const JSON_BODY = { 'content-type': 'application/json' };
const bearer = (token = agent.accessToken) => ({ authorization: `Bearer ${token}` });

const callTool = (name: string, args: Record<string, unknown>): Promise<Response> =>
  postMcp(stack, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }, bearer());

const send = (text: string, more: Record<string, unknown> = {}): Promise<Response> =>
  callTool('send_message', { channel: '#room', text, ...more });

const say = (text: string): Promise<Response> =>
  post('/v1/channels/room/messages', JSON.stringify({ text }), { ...JSON_BODY, ...bearer() });

const token = (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  post('/oauth/token', new URLSearchParams(fields), headers);

test('refused messages leave no word in answers, log and metrics, for any reason of the refusal', async () => {
  await send(SENT, { idempotency_key: 'taken' });
  await expectSilence([
    await refused(send(`${SENT}\r\nQUIT`)),
    await refused(send(`${SENT}${'x'.repeat(400)}`)),
    await refused(send(SENT, { channel: '#elsewhere' })),
    await refused(send(SENT, { idempotency_key: `not ascii ü ${SENT}` })),
    await refused(send(`${SENT} again`, { idempotency_key: 'taken' })),
    await refused(send(SENT, { session_id: GUESS })),
    await refused(callTool('read_history', { channel: '#room', mode: 'recent', page_token: GUESS })),
    await refused(callTool('ack_messages', { channel: '#room', session_id: GUESS, entry_id: GUESS })),
    await refused(callTool('get_message_status', { message_id: GUESS })),
    await refused(say(`${SENT}\n`)),
    await refused(say(`${SENT}${'x'.repeat(400)}`)),
  ]);
});

test('bodies that can’t be read are not quoted, on any route that reads one', async () => {
  const broken = `{"text":"${SENT}","token":"${GUESS}"`;
  const wrong = JSON.stringify({ text: { said: SENT }, idp_login: { was: GUESS }, redirect_uris: [GUESS] });
  const large = JSON.stringify({ text: SENT.repeat(OVERLONG) });
  const admin = { ...JSON_BODY, ...bearer(ADMIN_TOKEN) };
  const routes = [
    ['/mcp', { ...JSON_BODY, ...bearer() }],
    ['/v1/channels/room/messages', { ...JSON_BODY, ...bearer() }],
    ['/admin/invite', admin],
    ['/oauth/register', JSON_BODY],
    ['/oauth/token', JSON_BODY],
    ['/oauth/revoke', JSON_BODY],
    ['/settings', JSON_BODY],
    ['/logout', JSON_BODY],
  ] as const;
  const answers: Refused[] = [];
  for (const [path, headers] of routes.slice(0, -2)) {
    for (const body of [broken, wrong, large]) answers.push(await refused(post(path, body, headers)));
  }
  // These send who isn't signed in to sign in.
  for (const [path, headers] of routes.slice(-2)) await refused(post(path, broken, headers));
  await expectSilence(answers);
});

test('secrets that are wrong are not repeated, wherever they are presented', async () => {
  const clientId = agent.credentials.client?.client_id ?? '';
  const legacy = Buffer.from(`${LEGACY_CLIENT.id}:${GUESS}`).toString('base64');
  const answers = [
    await refused(fetch(`${stack.baseUrl}/v1/status`, { headers: bearer(GUESS) })),
    await refused(postMcp(stack, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, bearer(GUESS))),
    await refused(fetch(`${stack.baseUrl}/metrics`, { headers: bearer(GUESS) })),
    await refused(post('/admin/invite', '{"idp_login":"x"}', { ...JSON_BODY, ...bearer(GUESS) })),
    await refused(token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: GUESS })),
    await refused(token({ grant_type: 'refresh_token', refresh_token: GUESS }, { authorization: `Basic ${legacy}` })),
    await refused(token({ grant_type: 'client_credentials', client_id: LEGACY_CLIENT.id, client_secret: GUESS })),
    await refused(
      token({
        grant_type: 'authorization_code',
        client_id: clientId,
        code: GUESS,
        code_verifier: agent.credentials.codeVerifier(),
        redirect_uri: AGENT_REDIRECT_URI,
      }),
    ),
    await refused(fetch(`${stack.baseUrl}/login/idp/callback?code=${GUESS}&state=${GUESS}`)),
    await refused(
      browser.fetch(`${stack.baseUrl}/settings`, { method: 'POST', body: new URLSearchParams({ csrf: GUESS }) }),
    ),
    await refused(browser.fetch(`${stack.baseUrl}/oauth/interaction/${GUESS}`)),
  ];
  await expectSilence(answers);
});

test('codes and tokens that are used twice are not repeated', async () => {
  const registered = await postRegistration(stack, { token_endpoint_auth_method: 'client_secret_post' });
  const { client_id: clientId, client_secret: clientSecret } = (await registered.json()) as Record<string, string>;
  const client = { client_id: clientId ?? '', client_secret: clientSecret ?? '' };
  const { code, verifier } = await codeFor(stack, 'ada', client.client_id);
  const exchange = {
    grant_type: 'authorization_code',
    redirect_uri: AGENT_REDIRECT_URI,
    code,
    code_verifier: verifier,
  };
  const first = (await (await token({ ...client, ...exchange })).json()) as Record<string, string>;
  const rotation = { grant_type: 'refresh_token', refresh_token: first['refresh_token'] ?? '' };
  const second = (await (await token({ ...client, ...rotation })).json()) as Record<string, string>;
  const next = { grant_type: 'refresh_token', refresh_token: second['refresh_token'] ?? '' };
  // From its first use on, the token before it counts as stolen.
  const third = (await (await token({ ...client, ...next })).json()) as Record<string, string>;
  Object.assign(secrets, {
    'a client secret': clientSecret,
    'a code': code,
    'a verifier': verifier,
    'a spent refresh token': first['refresh_token'],
    'a rotated refresh token': second['refresh_token'],
    'the newest refresh token': third['refresh_token'],
    'an access token that ended': second['access_token'],
  });

  await expectSilence([
    await refused(token({ ...client, ...rotation })),
    await refused(token({ ...client, ...exchange })),
    await refused(token({ ...client, ...next })),
    await refused(token({ ...client, ...next, refresh_token: third['refresh_token'] ?? '' })),
    await refused(fetch(`${stack.baseUrl}/v1/status`, { headers: bearer(second['access_token']) })),
  ]);
});

for (const [table, what] of [
  ['entries', 'history'],
  ['messages', 'sends'],
] as const) {
  test(`a fault in the store of ${what} reveals no line that comes or goes`, async () => {
    const answers = await withoutTable(table, async () => {
      bob.say('#room', SAID);
      bob.send('TOPIC', '#room', SAID);
      const refusals = [
        await refused(send(SENT)),
        await refused(say(SENT)),
        ...(table === 'entries' ? [await refused(callTool('search_history', { phrase: SAID }))] : []),
      ];
      if (table === 'entries')
        await waitFor('a line could not be stored', () => MISSING_TABLE.test(stack.connector.output()));
      return refusals;
    });

    await expectSilence(answers);
  });
}

test('a fault in the store of tokens reveals no token that is asked for', async () => {
  const { code, verifier } = await codeFor(stack, 'ada', agent.credentials.client?.client_id ?? '');
  Object.assign(secrets, { 'another code': code, 'another verifier': verifier });
  const client = { client_id: agent.credentials.client?.client_id ?? '' };
  const exchange = {
    grant_type: 'authorization_code',
    redirect_uri: AGENT_REDIRECT_URI,
    code,
    code_verifier: verifier,
  };

  const answers = await withoutTable('oauth_records', async () => [
    await refused(token({ ...client, ...exchange })),
    await refused(token({ ...client, grant_type: 'refresh_token', refresh_token: secrets['the refresh token'] ?? '' })),
    await refused(postRegistration(stack, { client_name: GUESS })),
    await refused(fetch(`${stack.baseUrl}/v1/status`, { headers: bearer(GUESS) })),
  ]);

  await expectSilence(answers);
});

test('a fault in the store of browser sessions shows no cookie and no CSRF token', async () => {
  const answers = await withoutTable('browser_sessions', async () => [
    await refused(browser.fetch(`${stack.baseUrl}/settings`)),
    await refused(
      browser.fetch(`${stack.baseUrl}/settings`, {
        method: 'POST',
        body: new URLSearchParams({ csrf: secrets['the CSRF token'] ?? '' }),
      }),
    ),
  ]);

  await expectSilence(answers);
});

/** Parameters of a subscription with everything that must stay secret. */
const mentionsAt = (url: string, more: object = {}) => ({
  name: 'message.mention',
  arguments: { keyword: SAID },
  delivery: { mode: 'webhook', url: `${url}?token=${CALLBACK}`, secret: WEBHOOK_SECRET, ...more },
});

const subscribe = (params: object): Promise<Response> =>
  postMcp(stack, { jsonrpc: '2.0', id: 1, method: 'events/subscribe', params }, bearer());

test('refused subscriptions and failed deliveries show no address, no secret and no message', async () => {
  await using receiver = await startReceiver({ secret: WEBHOOK_SECRET });
  const refusals = [
    await refused(subscribe(mentionsAt('http://agent.example/'))),
    await refused(subscribe(mentionsAt('https://127.0.0.1:1/'))),
    await refused(subscribe(mentionsAt(receiver.url, { mode: 'poll' }))),
    await refused(subscribe(mentionsAt(receiver.url, { secret: WEBHOOK_SECRET.replace('whsec_', 'secret_') }))),
    await refused(subscribe({ ...mentionsAt(receiver.url), arguments: { unknown: SAID } })),
  ];
  expect(await (await subscribe(mentionsAt(receiver.url))).json()).toMatchObject({ result: {} });
  receiver.answer = (_request, response) => {
    response.writeHead(500).end(CALLBACK);
    return 'answered';
  };
  bob.say('#room', `ada: ${SAID}`);
  await waitFor('the delivery has failed once', async () => {
    const { mentionEvents } = await agent.call('see_account_information');
    return receiver.requests.length > 1 && JSON.stringify(mentionEvents).includes('queued');
  });

  const fault = await withoutTable('subscriptions', async () => {
    bob.say('#room', `ada: ${SAID} again`);
    await waitFor('it could not be stored', () => MISSING_SUBSCRIPTIONS.test(stack.connector.output()));
    return refused(subscribe(mentionsAt(receiver.url)));
  });

  await expectSilence([...refusals, fault]);
});

test('lines of the bouncer that are too long, or no lines at all, are not quoted', async () => {
  bouncerProxy.tell(`:bob!bob@host PRIVMSG #room :${SAID}${'x'.repeat(OVERLONG)}`);
  bouncerProxy.tell(`@${SAID} :${SAID} PRIVMSG`);
  bouncerProxy.tell(`:${SAID}`);
  bouncerProxy.tell(`:server 904 ada :${SAID}`);
  bouncerProxy.tell(`ERROR :${SAID}`);
  bouncerProxy.reset();

  await waitFor('the account was away and is back', async () => {
    const { lastDisconnectedAt, upstreamConnected } = await agent.call('see_account_information');
    return lastDisconnectedAt !== null && upstreamConnected === true;
  });
  await expectSilence([]);
});

test('the loss of the bouncer reveals no message that it does not get', async () => {
  await stack.soju.process.stop();
  const answers = await waitFor('sends are refused', async () => {
    const answer = await refused(send(SENT));
    return answer.text.includes('"isError":true') && [answer, await refused(say(SENT))];
  });

  await expectSilence(answers);
});

/** Everything that must stay where it is, by name. */
async function knownSecrets(): Promise<Record<string, string>> {
  const keys = JSON.parse(await readFile(join(stack.folder, 'state/keys.json'), 'utf8')) as {
    sealKey: string;
    cookieKeys: string[];
    signingKey: { d: string };
  };
  const settings = await browser.open(`${stack.baseUrl}/settings`);
  const found = {
    'what was said': SAID,
    'what was sent': SENT,
    'what was guessed': GUESS,
    'the address of a webhook': CALLBACK,
    'the secret of a webhook': WEBHOOK_SECRET,
    'the access token': agent.accessToken,
    'the refresh token': agent.credentials.stored?.refresh_token,
    'the code verifier': agent.credentials.codeVerifier(),
    'the admin token': ADMIN_TOKEN,
    'the secret of the legacy client': LEGACY_CLIENT.secret,
    'the secret at the identity provider': 'secret-at-the-identity-provider',
    'the cookie': browser.cookie(stack.baseUrl, '__Host-homeport'),
    'the CSRF token': /name="csrf" value="([^"]+)"/.exec(settings.body)?.[1],
    'the key that seals': keys.sealKey,
    'the key of the cookies': keys.cookieKeys[0],
    'the signing key': keys.signingKey.d,
  };
  for (const [name, value = ''] of Object.entries(found)) if (value.length < 16) throw new Error(`${name} is missing`);
  return found as Record<string, string>;
}

async function refused(answer: Response | Promise<Response>): Promise<Refused> {
  const { status, headers, body } = await textOf(await answer);
  return { status, text: `${[...headers].map((pair) => pair.join(': ')).join('\n')}\n\n${body}` };
}

/** Expects that every answer refuses, and that no secret is in an answer, the log or the metrics. */
async function expectSilence(answers: readonly Refused[]): Promise<void> {
  for (const { status, text } of answers) {
    expect(status >= 400 || /"isError":true|"error":/.test(text), `${status} ${text}`).toBe(true);
  }
  const metrics = await (await fetch(`${stack.baseUrl}/metrics`, { headers: bearer(ADMIN_TOKEN) })).text();
  const places = {
    log: stack.connector.output(),
    metrics,
    ...Object.fromEntries(answers.map(({ text }) => [text, text])),
  };
  const leaks = Object.entries(places).flatMap(([place, text]) =>
    Object.entries(secrets).flatMap(([name, secret]) =>
      spellings(secret).some((each) => text.includes(each)) ? [`${name} in ${place}`] : [],
    ),
  );
  expect(leaks).toEqual([]);
}

/** Takes a table away while `work` runs: every step on it fails as a bug would. */
async function withoutTable<T>(table: string, work: () => Promise<T>): Promise<T> {
  const connection = stack.database.connect();
  await connection.schema.renameTable(table, 'taken_away');
  try {
    return await work();
  } finally {
    await connection.schema.renameTable('taken_away', table);
    await connection.destroy();
  }
}

/** An answer that refuses, with all it says. */
interface Refused {
  status: number;
  text: string;
}

async function textOf(response: Response) {
  return {
    status: response.status,
    headers: response.headers,
    body: await response.text(),
  };
}

/** Spellings of a secret: as it is, as a form carries it, and as the header of a client's name and secret does. */
function spellings(secret: string): string[] {
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')];
}
