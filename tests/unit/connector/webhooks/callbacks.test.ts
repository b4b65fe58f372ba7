import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { createOutbound, type OutboundOptions } from '../../../../src/connector/outbound/outbound.ts';
import type { Callbacks } from '../../../../src/connector/ports/callbacks.ts';
import { createCallbacks } from '../../../../src/connector/webhooks/callbacks.ts';
import { retryAfter } from '../../../../src/connector/webhooks/delivery-outcome.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { type Answer, challengeIn, RECEIVER_SECRET, startReceiver } from '../../../harness/webhook-receiver.ts';

const SHORT_MS = 500;
const OLD_SECRET = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;

/** Callbacks that may reach receivers of the tests. */
const callbacksTo = (options: OutboundOptions = {}, clock = systemClock): Callbacks =>
  createCallbacks({ outbound: createOutbound({ allowHosts: ['127.0.0.1'], ...options }), clock });

const verify = (url: string, callbacks = callbacksTo()) =>
  callbacks.verify({ url, secret: RECEIVER_SECRET, subscriptionId: 'sub_1' });

const EVENT = { secrets: [RECEIVER_SECRET], subscriptionId: 'sub_1', eventId: 'evt_1', body: '{"eventId":"evt_1"}' };

const deliver = (url: string, callbacks = callbacksTo()) => callbacks.deliver({ ...EVENT, url });

/** A receiver that answers everything so. */
const answering =
  (answer: (response: ServerResponse, body: string) => void): Answer =>
  ({ body }, response) => {
    answer(response, body);
    return 'answered';
  };

const withStatus = (status: number, headers: Record<string, string> = {}): Answer =>
  answering((response) => response.writeHead(status, headers).end());

for (const [what, url] of [
  ['plain http', 'http://hooks.example/x'],
  ['plain http to a host that is not listed', 'http://127.0.0.2/x'],
  ['another scheme', 'ftp://hooks.example/x'],
  ['a script', 'javascript:alert(1)'],
  ['no scheme', 'hooks.example/x'],
  ['no host', 'https://'],
  ['nothing', ''],
  ['a user name', 'https://user@hooks.example/x'],
  ['a password', 'https://user:secret@hooks.example/x'],
  ['a fragment', 'https://hooks.example/x#part'],
  ['an empty fragment', 'https://hooks.example/x#'],
  ['a blank', 'https://hooks.example/a b'],
  ['a line break', 'https://hooks.example/\r\nx'],
  ['characters beyond ASCII', 'https://１２７.0.0.1/x'],
  ['nine kilobytes', `https://hooks.example/${'x'.repeat(9_000)}`],
] as const) {
  test(`an address with ${what} is never a callback, and the words for it do not repeat it`, () => {
    const fault = callbacksTo().check(url);

    expect(fault).toMatch(/^delivery\.url: expected /);
    if (url.length > 'https://'.length) expect(fault).not.toContain(url.slice(0, 200));
  });
}

test('an address with a port, a path and a query may be a callback', () => {
  const { check } = callbacksTo();

  expect(check('https://hooks.example:8443/a/b?mcp_event_subscription=1&x=%20')).toBeUndefined();
  expect(check('http://127.0.0.1:9000/x')).toBeUndefined();
  expect(check(`https://hooks.example/${'x'.repeat(2_000)}`)).toBeUndefined();
});

test('a receiver is asked by a signed message, and is verified by sending its challenge back', async () => {
  await using receiver = await startReceiver();

  expect(await verify(`${receiver.url}?kept=1`)).toBeUndefined();

  const [request] = receiver.requests;
  const headers = request?.headers as Record<string, string>;
  expect(request).toMatchObject({ method: 'POST', path: '/hook?kept=1' });
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-mcp-subscription-id': 'sub_1' });
  expect(headers['webhook-id']).toMatch(/^msg_verification_[\w-]{43}$/);
  expect(new Webhook(RECEIVER_SECRET).verify(request?.body ?? '', headers)).toEqual({
    type: 'verification',
    challenge: expect.stringMatching(/^[\w-]{43}$/),
  });
});

test('each verification has a challenge and a message id of its own', async () => {
  await using receiver = await startReceiver();
  const callbacks = callbacksTo();

  await Promise.all([verify(receiver.url, callbacks), verify(receiver.url, callbacks)]);

  const [one, other] = receiver.requests;
  expect(challengeIn(one?.body ?? '')).not.toBe(challengeIn(other?.body ?? ''));
  expect(one?.headers['webhook-id']).not.toBe(other?.headers['webhook-id']);
});

const echo = (body: string): string => JSON.stringify({ challenge: challengeIn(body) });

for (const [what, answer] of [
  ['another challenge', answering((response) => response.end(JSON.stringify({ challenge: 'x'.repeat(43) })))],
  ['the challenge as text', answering((response, body) => response.end(challengeIn(body)))],
  ['the challenge in an object', answering((response, body) => response.end(`{"data":${echo(body)}}`))],
  ['the challenge in a list', answering((response, body) => response.end(`[${echo(body)}]`))],
  ['no text as challenge', answering((response) => response.end('{"challenge":{"toString":1}}'))],
  ['the question itself', answering((response, body) => response.end(body.replace('challenge', 'challenged')))],
  ['nothing', answering((response) => response.writeHead(204).end())],
  ['the challenge with an error', answering((response, body) => response.writeHead(500).end(echo(body)))],
  ['the challenge with a refusal', answering((response, body) => response.writeHead(404).end(echo(body)))],
  [
    'the challenge with a redirect',
    answering((response, body) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(echo(body))),
  ],
  [
    'the challenge before ten megabytes',
    answering((response, body) => response.end(`${echo(body)}${' '.repeat(10_485_760)}`)),
  ],
  ['no HTTP', answering((response) => response.socket?.end('220 ready\r\n'))],
] as const) {
  test(`a receiver that answers ${what} is not verified`, async () => {
    await using receiver = await startReceiver({ answer });

    expect(await verify(receiver.url)).toBe('challenge_failed');
  });
}

test('a receiver that takes its time fails at the deadline', async () => {
  await using hanging = await startReceiver({ answer: answering(() => undefined) });

  expect(await verify(hanging.url, callbacksTo({ deadlineMs: SHORT_MS }))).toBe('timeout');
});

test('a receiver where nobody may go is told as refused', async () => {
  await using receiver = await startReceiver();
  const callbacks = createCallbacks({ outbound: createOutbound(), clock: systemClock });

  expect(await verify(receiver.url.replace('http:', 'https:'), callbacks)).toBe('connection_refused');
  expect(receiver.connectionCount()).toBe(0);
});

test('a host is asked sixty times a minute, and no further request leaves', async () => {
  await using receiver = await startReceiver();
  let now = 0;
  const callbacks = callbacksTo({}, { now: () => Date.now(), monotonic: () => now });
  const results = await Promise.allSettled(Array.from({ length: 100 }, () => verify(receiver.url, callbacks)));

  const refused = results.filter(({ status }) => status === 'rejected');
  expect(receiver.requests).toHaveLength(60);
  expect(refused).toHaveLength(40);
  expect(refused[0]).toMatchObject({ reason: { code: 'too_many_requests', retryAfterSeconds: 60 } });
  now = 60_000;
  expect(await verify(receiver.url, callbacks)).toBeUndefined();
});

test('eight receivers are asked at once, and the others in their turn', async () => {
  let atOnce = 0;
  let most = 0;
  const held: (() => void)[] = [];
  await using receiver = await startReceiver({
    answer: ({ body }, response) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      held.push(() => {
        atOnce -= 1;
        response.end(echo(body));
      });
      return 'answered';
    },
  });
  const callbacks = callbacksTo();
  const all = Promise.all(Array.from({ length: 20 }, () => verify(receiver.url, callbacks)));

  await waitFor('eight are asked', () => held.length === 8);
  for (let done = 0; done < 20; done += 1) (await waitFor('another is asked', () => held.shift()))();

  expect(await all).toEqual(Array.from({ length: 20 }, () => undefined));
  expect(most).toBe(8);
});

test('a delivery is the body byte for byte, with the event id, the time and a signature by each secret', async () => {
  await using receiver = await startReceiver();
  const now = Date.now() - 100_000;
  const callbacks = callbacksTo({}, { now: () => now, monotonic: () => 0 });
  const body = '{"text":"caf\\u00e9 \\"quoted\\" 🙂"}';

  const outcome = await callbacks.deliver({
    ...EVENT,
    url: receiver.url,
    secrets: [RECEIVER_SECRET, OLD_SECRET],
    body,
  });

  const headers = receiver.requests[0]?.headers as Record<string, string>;
  expect(outcome).toEqual({ kind: 'accepted' });
  expect(receiver.requests[0]?.body).toBe(body);
  expect(headers).toMatchObject({
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(now / 1_000)),
    'x-mcp-subscription-id': 'sub_1',
    'content-type': 'application/json',
  });
  for (const secret of [RECEIVER_SECRET, OLD_SECRET]) {
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  }
});

test('a repeated delivery has the same event id and body, and a time and a signature of its own', async () => {
  await using receiver = await startReceiver({ answer: withStatus(503) });
  let now = Date.now();
  const callbacks = callbacksTo({}, { now: () => now, monotonic: () => 0 });

  await deliver(receiver.url, callbacks);
  now += 5_000;
  await deliver(receiver.url, callbacks);

  const [first, second] = receiver.requests;
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
  expect(second?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature']);
});

for (const [status, expected] of [
  [200, { kind: 'accepted' }],
  [202, { kind: 'accepted' }],
  [204, { kind: 'accepted' }],
  [301, { kind: 'failed', failure: 'http_4xx' }],
  [302, { kind: 'failed', failure: 'http_4xx' }],
  [400, { kind: 'failed', failure: 'http_4xx' }],
  [401, { kind: 'failed', failure: 'http_4xx' }],
  [404, { kind: 'failed', failure: 'http_4xx' }],
  [410, { kind: 'refused', failure: 'http_4xx' }],
  [413, { kind: 'refused', failure: 'http_4xx' }],
  [500, { kind: 'failed', failure: 'http_5xx' }],
  [503, { kind: 'failed', failure: 'http_5xx' }],
] as const) {
  test(`a delivery that is answered ${status} is ${expected.kind}`, async () => {
    await using elsewhere = await startReceiver();
    await using receiver = await startReceiver({ answer: withStatus(status, { location: elsewhere.url }) });

    expect(await deliver(receiver.url)).toEqual(expected);
    expect(elsewhere.connectionCount()).toBe(0);
  });
}

test('a success whose body never ends is a success', async () => {
  await using receiver = await startReceiver({ answer: answering((response) => response.writeHead(200).write('x')) });

  expect(await deliver(receiver.url, callbacksTo({ deadlineMs: SHORT_MS }))).toEqual({ kind: 'accepted' });
});

test('a receiver that hangs, is gone, or drops the connection has failed', async () => {
  await using hanging = await startReceiver({ answer: answering(() => undefined) });
  await using dropping = await startReceiver({ answer: answering((response) => response.socket?.destroy()) });
  const gone = await startReceiver();
  await gone[Symbol.asyncDispose]();
  const callbacks = callbacksTo({ deadlineMs: SHORT_MS });

  const outcomes = await Promise.all([hanging, dropping, gone].map(({ url }) => deliver(url, callbacks)));

  expect(outcomes).toEqual([
    { kind: 'failed', failure: 'timeout' },
    { kind: 'failed', failure: 'connection_refused' },
    { kind: 'failed', failure: 'connection_refused' },
  ]);
});

test('how long a receiver asks to be left alone is told, in seconds or as a date', async () => {
  await using receiver = await startReceiver({ answer: withStatus(429, { 'retry-after': '120' }) });

  expect(await deliver(receiver.url)).toEqual({ kind: 'failed', failure: 'http_4xx', retryAfterMs: 120_000 });
  const now = Date.UTC(2026, 0, 1);
  expect(retryAfter('Thu, 01 Jan 2026 00:00:30 GMT', now)).toBe(30_000);
  expect(retryAfter('Thu, 01 Jan 2015 00:00:30 GMT', now)).toBe(0);
  for (const nonsense of ['', '-5', '1e9', 'soon', undefined]) expect(retryAfter(nonsense, now)).toBeUndefined();
});

test('one host gets sixteen deliveries at once, and others do not wait for it', async () => {
  const held: ServerResponse[] = [];
  await using slow = await startReceiver({ answer: answering((response) => held.push(response)) });
  await using other = await startReceiver();
  const callbacks = callbacksTo({ allowHosts: ['127.0.0.1', 'localhost'] });
  const all = Promise.all(Array.from({ length: 20 }, () => deliver(slow.url, callbacks)));
  await waitFor('sixteen are there', () => held.length === 16);

  expect(await deliver(other.url.replace('127.0.0.1', 'localhost'), callbacks)).toEqual({ kind: 'accepted' });

  expect(slow.connectionCount()).toBe(16);
  for (let done = 0; done < 20; done += 1) (await waitFor('another is there', () => held.shift())).end();
  expect(await all).toHaveLength(20);
});
