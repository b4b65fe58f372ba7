import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import type { Agent } from '../../harness/agent.ts';
import { type IrcClient, joinIrc } from '../../harness/irc-client.ts';
import { agentIn, informationOf } from '../../harness/person.ts';
import { ADMIN_TOKEN, type ConnectorStack, startConnectorStack } from '../../harness/start-connector.ts';
import { type Subscriber, subscriberOf } from '../../harness/subscriber.ts';
import { tempFolder } from '../../harness/temp-folder.ts';
import { createAuthority, type TestAuthority } from '../../harness/test-authority.ts';
import { type Answer, RECEIVER_SECRET, startReceiver, type WebhookReceiver } from '../../harness/webhook-receiver.ts';

let stack: ConnectorStack;
let agent: Agent;
let bob: IrcClient;
let subscriber: Subscriber;
let receiver: WebhookReceiver;
let folder: Awaited<ReturnType<typeof tempFolder>>;
let authority: TestAuthority;

const INVALID_PARAMS = -32_602;
const UNSUPPORTED = -32_014;
const EXHAUSTED = -32_013;
const CALLBACK_FAILED = -32_015;

const secretOf = (bytes: number): string => `whsec_${Buffer.alloc(bytes, 5).toString('base64')}`;

/** Returns the address of a receiver on this machine, by the one name of it that is listed. */
const listed = ({ url }: WebhookReceiver, path = ''): string => url.replace('127.0.0.1', 'localhost') + path;

beforeAll(async () => {
  folder = await tempFolder();
  authority = await createAuthority(folder.path);
  const events = { allowCallbackHosts: ['localhost'], callbackCaFile: authority.file };
  stack = await startConnectorStack({ config: { events } });
  agent = await agentIn(stack, 'ada', ['#room']);
  subscriber = subscriberOf(stack, agent);
  receiver = await startReceiver();
  bob = await joinIrc(stack.ergo, 'bob', ['#room']);
  await agent.call('go_online');
  await bob.seen('ada', ({ command, sender }) => command === 'JOIN' && sender === 'ada');
});

afterAll(async () => {
  bob?.[Symbol.dispose]();
  await receiver?.[Symbol.asyncDispose]();
  await agent?.[Symbol.asyncDispose]();
  await stack?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

for (const [what, url] of [
  ['plain http', 'http://hooks.example/x'],
  ['plain http on a port of this machine that is not listed', 'http://127.0.0.1:1/x'],
  ['another scheme', 'ftp://hooks.example/x'],
  ['no host', 'https://'],
  ['a user', 'https://user@hooks.example/x'],
  ['a fragment', 'https://hooks.example/x#y'],
  ['nine kilobytes', `https://hooks.example/${'x'.repeat(9_000)}`],
] as const) {
  test(`a callback with ${what} is refused as invalid`, async () => {
    expect((await subscriber.subscribe({ url })).error).toMatchObject({ code: INVALID_PARAMS });
  });
}

for (const host of [
  '127.0.0.1',
  '0x7f.1',
  '2130706433',
  '[::1]',
  '[::ffff:127.0.0.1]',
  'localhost.',
  '169.254.169.254',
  '10.0.0.1',
  '100.64.0.1',
  'metadata.google.internal',
]) {
  test(`a callback at ${host} is reported as refused, like any other that can’t be reached`, async () => {
    verifies('connector.code.32015');
    const before = receiver.connectionCount();

    const { error } = await subscriber.subscribe({ url: `https://${host}:${receiver.port}/` });

    expect(error).toMatchObject({ code: CALLBACK_FAILED, data: { reason: 'connection_refused' } });
    expect(receiver.connectionCount()).toBe(before);
  });
}

test('a callback that redirects inwards, or does not send the challenge back, is not subscribed', async () => {
  const inside = await startReceiver();
  for (const answer of [
    (_request, response) => {
      response.writeHead(302, { location: inside.url }).end();
      return 'answered';
    },
    (_request, response) => {
      response.end('{"challenge":"guessed"}');
      return 'answered';
    },
  ] satisfies Answer[]) {
    await using hostile = await startReceiver({ answer });
    const { error } = await subscriber.subscribe({ url: listed(hostile) });
    expect(error).toMatchObject({ code: CALLBACK_FAILED, data: { reason: 'challenge_failed' } });
  }

  expect(inside.connectionCount()).toBe(0);
  await inside[Symbol.asyncDispose]();
  expect(await informationOf(agent)).toMatchObject({ mentionEvents: { state: 'not_subscribed' } });
});

test('a certificate of the owner’s own authority is good for its name, and no other', async () => {
  await using own = await startReceiver({ tls: await authority.issue('DNS:localhost') });
  await using other = await startReceiver({ tls: await authority.issue('DNS:other.example') });

  expect((await subscriber.subscribe({ url: listed(own) })).result).toMatchObject({ truncated: false });
  const { error } = await subscriber.subscribe({ url: listed(other) });
  expect(error).toMatchObject({ code: CALLBACK_FAILED, data: { reason: 'tls_error' } });
  expect(other.requests).toEqual([]);
  await subscriber.unsubscribe({ url: listed(own) });
});

for (const [what, secret] of [
  ['without its prefix', Buffer.alloc(32).toString('base64')],
  ['of 23 bytes', secretOf(23)],
  ['of 65 bytes', secretOf(65)],
  ['that is not base64', 'whsec_!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!'],
  ['that is empty', ''],
] as const) {
  test(`a secret ${what} is refused as invalid, and the callback is not called`, async () => {
    const before = receiver.requests.length;

    const { error } = await subscriber.subscribe({ url: listed(receiver), secret });

    expect(error).toMatchObject({ code: INVALID_PARAMS });
    if (secret !== '') expect(JSON.stringify(error)).not.toContain(secret);
    expect(receiver.requests).toHaveLength(before);
  });
}

test('another way of delivery is reported as unsupported', async () => {
  const more = { delivery: { mode: 'poll', url: listed(receiver), secret: RECEIVER_SECRET } };

  expect((await subscriber.subscribe({ url: listed(receiver), more })).error).toMatchObject({
    code: UNSUPPORTED,
    data: { feature: 'deliveryMode', value: 'poll' },
  });
});

test('receivers that hang, fail, redirect or ask for years of silence do not delay the others', async () => {
  verifies('connector.event.delivery');
  const inside = await startReceiver();
  const bad = await Promise.all(
    [
      withStatus(500),
      withStatus(302, { location: inside.url }),
      withStatus(429, { 'retry-after': '1000000000' }),
      (({ body }) => (body.includes('"verification"') ? undefined : 'answered')) satisfies Answer as Answer,
    ].map((answer) => startReceiver({ answer })),
  );
  await using good = await startReceiver();
  for (const each of [...bad, good]) await subscriber.subscribed({ url: listed(each) });
  for (const n of [1, 2, 3]) bob.say('#room', `ada: line ${n}`);

  await waitFor('each has been tried', () => bad.every(({ requests }) => requests.length > 1));
  await waitFor('the good one has all', () => good.events().length === 3, { timeoutMs: 4_000 });

  expect(good.events().map(({ data }) => data['text'])).toEqual(
    expect.arrayContaining(['ada: line 1', 'ada: line 2', 'ada: line 3']),
  );
  expect(inside.connectionCount()).toBe(0);
  for (const each of [...bad, good]) await subscriber.unsubscribe({ url: listed(each) });
  for (const each of [...bad, inside]) await each[Symbol.asyncDispose]();
});

test('text of people arrives as data, with any content', async () => {
  const url = listed(receiver, '?text');
  await subscriber.subscribed({ url });
  const texts = [
    'ada: <script>alert(1)</script> "quoted" \\ {"eventId":"forged"}',
    'ada: \u001b[31mred\u001b[0m \u0002bold\u0002',
    'ada: \u202eright to left \u{1F642}',
    `ada: ${'long '.repeat(70)}`,
  ];
  for (const text of texts) bob.say('#room', text);

  await waitFor('all have come', () => receiver.events().length >= texts.length);

  const events = receiver.events();
  expect(events.map(({ data }) => String(data['text']).slice(0, 20)).toSorted()).toEqual(
    texts.map((text) => text.slice(0, 20)).toSorted(),
  );
  expect(events.every(({ eventId }) => eventId !== 'forged')).toBe(true);
  expect(Math.max(...receiver.requests.map(({ body }) => Buffer.byteLength(body)))).toBeLessThan(262_144);
  await subscriber.unsubscribe({ url });
});

test('secrets, addresses and texts of events are in no log, metric, or account information', async () => {
  const url = listed(receiver, '?private-path=7f3a');
  await subscriber.subscribed({ url });
  bob.say('#room', 'ada: between you and me 7f3a');
  await waitFor('it has come', () => receiver.events().some(({ data }) => String(data['text']).includes('7f3a')));

  const metrics = await (
    await fetch(`${stack.baseUrl}/metrics`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
  ).text();
  const places = [stack.connector.output(), metrics, JSON.stringify(await informationOf(agent))];

  for (const place of places) {
    expect(place).not.toContain('7f3a');
    expect(place).not.toContain(RECEIVER_SECRET);
    expect(place).not.toContain(String(receiver.port));
  }
  expect(metrics).toMatch(/^homeport_connector_delivery_attempt_seconds_count\{outcome="accepted"\} [1-9]/m);
  expect(metrics).toMatch(/^homeport_connector_callback_verifications_total\{outcome="verified"\} [1-9]/m);
  expect(metrics).toMatch(/^homeport_connector_deliveries_waiting \d+$/m);
  expect(metrics).toMatch(/^homeport_connector_deliveries_dropped_total 0$/m);
  await subscriber.unsubscribe({ url });
});

test('an account has no more than sixty callbacks verified a minute', async () => {
  await using hostile = await startReceiver({
    answer: (_request, response) => {
      response.writeHead(500).end();
      return 'answered';
    },
  });
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => subscriber.subscribe({ url: listed(hostile, `?n=${n}`) })),
  );

  const codes = answers.map(({ error }) => error?.code);
  expect(codes.filter((code) => code === EXHAUSTED).length).toBeGreaterThanOrEqual(40);
  expect(hostile.requests.length).toBeLessThanOrEqual(60);
  expect(answers.find(({ error }) => error?.code === EXHAUSTED)?.error?.data).toMatchObject({
    limit: 'verifications',
    max: 60,
  });
});

function withStatus(status: number, headers: Record<string, string> = {}): Answer {
  return ({ body }, response) => {
    if (body.includes('"verification"')) return undefined;
    response.writeHead(status, headers).end();
    return 'answered';
  };
}
