import { request as rawRequest } from 'node:http';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { type Agent, connectAgent, consent } from '../../harness/agent.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { authorization, postToken } from '../../harness/oauth-client.ts';
import { enableChannels } from '../../harness/person.ts';
import { LEGACY_CLIENT } from '../../harness/start-connector.ts';

const test = testWithStack({ isUnpaced: true });

let agent: Agent;
let reader: Agent;
let poster: Agent;
let bob: IrcClient;

const ROOM = '/v1/channels/ROOM/messages';
const bearer = ({ accessToken }: { accessToken: string }) => ({ authorization: `Bearer ${accessToken}` });

const get = async (path: string, who = agent): Promise<Answer> =>
  answerOf(await fetch(`${stack.baseUrl}${path}`, { headers: bearer(who) }));

test.beforeAll(async () => {
  await stack.invite('eve');
  for (const login of ['ada', 'eve']) await enableChannels(stack, login, ['#room', '#Ops']);
  agent = await connectAgent(stack, 'ada');
  reader = await connectAgent(stack, 'ada', { scope: 'irc:read' });
  poster = await connectAgent(stack, 'eve');
  bob = await joinIrc(stack.ergo, 'bob', ['#room', '#Ops']);
});

afterAll(async () => {
  for (const part of [agent, reader, poster]) await part?.[Symbol.asyncDispose]();
  bob?.[Symbol.dispose]();
});

test('the status of an account that is offline says so, and a post to it names what is missing', async () => {
  verifies('connector.status.connected', 'connector.status.enabled-channels');
  const refused = await post({ text: 'too early' });

  expect((await get('/v1/status')).body).toEqual({
    connected: false,
    joined_channels: [],
    enabled_channels: ['#Ops', '#room'],
    logged_in_as: null,
  });
  expect([refused.status, refused.body.error?.code]).toEqual([503, 'account_offline']);
});

test('a post reaches the channel as one line and is in the listing, newest first', async () => {
  verifies(
    'connector.endpoint.POST-v1-channels-channel-messages',
    'connector.endpoint.GET-v1-channels-channel-messages',
    'connector.status.joined-channels',
    'connector.version.2',
  );
  await agent.call('go_online');

  const posted = await post({ text: 'deploy done' });

  expect([posted.status, posted.body]).toEqual([202, { accepted: true, channel: '#room' }]);
  expect((await get('/v1/status')).body).toMatchObject({ connected: true, joined_channels: ['#Ops', '#room'] });
  await bob.seen('the post', ({ command, params }) => command === 'PRIVMSG' && params[1] === 'deploy done');
  expect(bob.lines.filter(({ params }) => params[1] === 'deploy done')).toHaveLength(1);
  bob.say('#room', 'thanks');
  const listed = await waitFor('the answer is kept', async () => {
    const { body } = await get(ROOM);
    return JSON.stringify(body).includes('thanks') && body;
  });
  expect(listed).toMatchObject({
    channel: '#room',
    entries: [
      { kind: 'message', sender: 'bob', text: 'thanks', messageId: null, timestampSource: 'server' },
      { kind: 'message', sender: 'ada', text: 'deploy done', messageId: expect.stringMatching(/^msg_/) },
      ...((listed['entries'] as unknown[]).slice(2) as object[]),
    ],
  });
  expect((await get(`${ROOM}?limit=1`)).body['entries']).toHaveLength(1);
});

for (const [why, headers] of [
  ['no token', {}],
  ['a made-up token', { authorization: 'Bearer made-up' }],
  ['a password', { authorization: 'Basic YTpi' }],
] as const) {
  test(`${why} is answered 401 with a challenge`, async () => {
    verifies('connector.error.401', 'connector.authentication.1');
    const answer = await answerOf(await fetch(`${stack.baseUrl}/v1/status`, { headers }));

    expect([answer.status, answer.body.error?.code]).toEqual([401, 'token_invalid']);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });
}

test('a token without the scope is answered 401', async () => {
  verifies('connector.error.401');
  const answer = await post({ text: 'x' }, { who: reader });

  expect([answer.status, answer.body.error?.code]).toEqual([401, 'scope_missing']);
  expect(answer.headers.get('www-authenticate')).toContain('insufficient_scope');
  expect((await get(ROOM, reader)).status).toBe(200);
});

for (const limit of ['0', '201', 'abc', '1e2', '-1', '1.5', '', '1&limit=2', '%31%30%30%30']) {
  test(`limit=${limit} is answered 400`, async () => {
    verifies('connector.error.400');
    const answer = await get(`${ROOM}?limit=${limit}`);

    expect([answer.status, answer.body.error?.code]).toEqual([400, 'limit_invalid']);
  });
}

for (const segment of ['%23room', '..%2f', 'a%20b', 'a,b', 'a%0d%0aJOIN', '%00', '%ff', 'x'.repeat(300)]) {
  test(`the channel ${segment.slice(0, 12)} is answered 400`, async () => {
    verifies('connector.error.400');
    const answers = [
      await get(`/v1/channels/${segment}/messages`),
      await post({ text: 'x' }, { path: `/v1/channels/${segment}/messages` }),
    ];

    expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual([
      [400, 'channel_invalid'],
      [400, 'channel_invalid'],
    ]);
  });
}

test('an empty channel is a bad one, and not another path', async () => {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  rawRequest(`${stack.baseUrl}/v1/channels//messages`, { headers: bearer(agent) }, (answer) => {
    resolve(answer.resume().statusCode);
  }).end();

  expect(await promise).toBe(400);
});

test('a channel that is not enabled and one that does not exist are answered alike', async () => {
  verifies('connector.error.404');
  const granted = await get('/v1/channels/third/messages');
  const unknown = await get('/v1/channels/nowhere/messages');
  const posted = await post({ text: 'x' }, { path: '/v1/channels/third/messages' });

  expect([granted.status, unknown.status, posted.status]).toEqual([404, 404, 404]);
  expect(JSON.stringify(granted.body).replace('third', 'nowhere')).toBe(JSON.stringify(unknown.body));
});

for (const [why, body] of [
  ['no text', {}],
  ['an empty text', { text: '' }],
  ['blanks alone', { text: '  ' }],
  ['401 characters', { text: '🙂'.repeat(401) }],
  ['two lines', { text: 'x\r\nQUIT' }],
  ['a separator of lines', { text: 'x\u2028y' }],
  ['a NUL', { text: 'x\0' }],
  ['formatting', { text: '\u0002x' }],
  ['a lone surrogate', '{"text":"\\ud800"}'],
  ['a number', { text: 1 }],
  ['an array', ['x']],
] as const) {
  test(`a body with ${why} is answered 422 and no message is sent`, async () => {
    verifies('connector.error.422', 'connector.limit.message-text');
    const before = bob.lines.length;
    const answer = await post(body);

    expect([answer.status, answer.body.error?.code]).toEqual([422, 'message_invalid']);
    expect(bob.lines.slice(before).filter(({ sender }) => sender === 'ada')).toEqual([]);
  });
}

test('a body that is not JSON, is too large, or has another type has its own answer', async () => {
  const answers = [
    await post('{"text":'),
    await post({ text: 'x', padding: 'x'.repeat(100_000) }),
    await post('text=x', { type: 'application/x-www-form-urlencoded' }),
    await post({ text: 'x' }, { type: 'application/json; charset=latin1' }),
  ];
  const other = await fetch(`${stack.baseUrl}${ROOM}`, { method: 'DELETE', headers: bearer(agent) });

  expect(answers.map(({ status, body }) => [status, body.error?.code])).toEqual([
    [400, 'body_malformed'],
    [413, 'body_too_large'],
    [415, 'media_type_unsupported'],
    [415, 'media_type_unsupported'],
  ]);
  expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, POST']);
});

test('exactly twenty of many posts at once are accepted, over all tokens of the account; the others learn when to try again', async () => {
  verifies('connector.error.429', 'connector.limit.post-rate', 'connector.limit.the-minute-of-the-post-rate');
  const second = await connectAgent(stack, 'eve');
  await poster.call('go_online');
  // Refusals are not counted.
  for (let count = 0; count < 5; count += 1) await post({ text: '' }, { who: poster });

  const began = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => post({ text: `post ${index}` }, { who: index % 2 ? poster : second })),
  );

  const answeredAt = performance.now();
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(20);
  expect(refused).toHaveLength(80);
  for (const { headers, body } of refused) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(Math.floor(60 - (answeredAt - began) / 1_000));
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(body.error?.code).toBe('rate_limited');
  }
  const askedAt = performance.now();
  const still = await post({ text: 'still' }, { who: second });
  const leastLeft = 60 - (performance.now() - began) / 1_000;
  const mostLeft = 60 - (askedAt - answeredAt) / 1_000;
  expect(still.status).toBe(429);
  // A second later than the wait is over is as wrong as a second before.
  expect(Number(still.headers.get('retry-after'))).toBeGreaterThanOrEqual(Math.floor(leastLeft));
  expect(Number(still.headers.get('retry-after'))).toBeLessThanOrEqual(Math.ceil(mostLeft));
  expect((await post({ text: '' }, { who: second })).status).toBe(422);
  expect((await post({ text: 'another account may' })).status).toBe(202);
  await second[Symbol.asyncDispose]();
});

test('a HEAD is answered as the GET without its body, and a preference for another format does not matter', async () => {
  const head = await fetch(`${stack.baseUrl}${ROOM}`, { method: 'HEAD', headers: bearer(agent) });
  const other = await fetch(`${stack.baseUrl}/v1/status`, { headers: { ...bearer(agent), accept: 'text/csv' } });

  expect([head.status, await head.text()]).toEqual([200, '']);
  expect([other.status, other.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
});

test('the legacy client reads and posts with a token it got without PKCE', async () => {
  verifies('connector.version.3', 'connector.authentication.4');
  const { redirectUri, id, secret } = LEGACY_CLIENT;
  const { url } = authorization(stack, id, {
    redirect_uri: redirectUri,
    code_challenge: undefined,
    code_challenge_method: undefined,
  });
  const code = (await consent(stack, 'ada', url)).searchParams.get('code') ?? '';
  const token = await postToken(stack, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: id,
    client_secret: secret,
  });
  const headers = { authorization: `Bearer ${token.access_token}`, 'content-type': 'application/json' };

  const listed = await fetch(`${stack.baseUrl}${ROOM}`, { headers });
  const posted = await fetch(`${stack.baseUrl}${ROOM}`, { method: 'POST', headers, body: '{"text":"from an action"}' });

  expect([listed.status, posted.status]).toEqual([200, 202]);
});

test('the description is valid OpenAPI 3.1 and names every operation with its scope and answers', async () => {
  verifies('connector.endpoint.GET-openapi-json', 'connector.version.3');
  const description = (await (await fetch(`${stack.baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string; security: object[]; responses: object }>>;
  };

  const validator = new Validator();
  expect(await validator.validate(structuredClone(description))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security, responses }]) => [
      `${method} ${path}`,
      JSON.stringify(security),
      Object.keys(responses).join(),
    ]),
  );
  expect(operations).toEqual([
    ['get /v1/status', '[{"oauth":["irc:read"]}]', '200,401,503'],
    ['get /v1/channels/{channel}/messages', '[{"oauth":["irc:read"]}]', '200,400,401,404,503'],
    ['post /v1/channels/{channel}/messages', '[{"oauth":["irc:write"]}]', '202,400,401,404,413,415,422,429,503'],
  ]);
  expect(description).toMatchObject({
    servers: [{ url: stack.baseUrl }],
    components: { schemas: { NewMessage: { properties: { text: { minLength: 1, maxLength: 400 } } } } },
  });
});

test('while the bouncer is down reading goes on, and status and posts are answered 503', async () => {
  verifies('connector.error.503');
  await stack.soju.process.stop();

  const refused = await waitFor('the loss is noticed', async () => {
    const answer = await post({ text: 'into the void' });
    return answer.status === 503 && answer;
  });

  expect(refused.body.error?.code).toBe('bouncer_unreachable');
  expect((await get('/v1/status')).status).toBe(503);
  expect((await get(ROOM)).status).toBe(200);
});

async function answerOf(response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
}

async function post(body: unknown, { who = agent, path = ROOM, type = 'application/json' } = {}): Promise<Answer> {
  const response = await fetch(`${stack.baseUrl}${path}`, {
    method: 'POST',
    headers: { ...bearer(who), 'content-type': type },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return answerOf(response);
}

interface Answer {
  status: number;
  headers: Headers;
  body: { error?: { code: string; message: string } } & Record<string, unknown>;
}
