import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { countedHost } from '../../../../src/connector/domain/counted-host.ts';
import { createOutbound, type OutboundOptions } from '../../../../src/connector/outbound/outbound.ts';
import type { Callbacks } from '../../../../src/connector/ports/callbacks.ts';
import { retryAfter } from '../../../../src/connector/webhooks/delivery-outcome.ts';
import { createCallbacks } from '../../../../src/connector/webhooks/signed-callbacks.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import {
  type Answer,
  challengeIn,
  RECEIVER_SECRET,
  startReceiver,
  type WebhookReceiver,
} from '../../../harness/webhook-receiver.ts';

const SHORT_MS = 500;
const OLD_SECRET = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;

/** Callbacks that may reach receivers of the tests. */
const callbacksTo = (options: OutboundOptions = {}, clock = systemClock): Callbacks =>
  createCallbacks({ outbound: createOutbound({ allowHosts: ['127.0.0.1'], ...options }), clock });

const verify = (url: string, callbacks = callbacksTo(), accountId = 'acc_1') =>
  callbacks.verify({ url, secret: RECEIVER_SECRET, subscriptionId: 'sub_1', accountId });

const isWanted = async (): Promise<boolean> => true;
const EVENT = {
  ...{ secrets: [RECEIVER_SECRET], subscriptionId: 'sub_1', accountId: 'acc_1' },
  ...{ eventId: 'evt_1', body: '{"eventId":"evt_1"}' },
};

const deliver = (url: string, callbacks = callbacksTo(), accountId = 'acc_1') =>
  callbacks.deliver({ ...EVENT, url, accountId }, isWanted);

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

test('a receiver at a forbidden address is reported as refused', async () => {
  await using receiver = await startReceiver();
  const callbacks = createCallbacks({ outbound: createOutbound(), clock: systemClock });

  expect(await verify(receiver.url.replace('http:', 'https:'), callbacks)).toBe('connection_refused');
  expect(receiver.connectionCount()).toBe(0);
});

test('an account has sixty callbacks verified a minute, on any hosts, and others have their own sixty', async () => {
  await using receiver = await startReceiver();
  let now = 0;
  const callbacks = callbacksTo({ allowHosts: ['127.0.0.1', 'localhost'] }, { ...systemClock, monotonic: () => now });
  const urls = [receiver.url, receiver.url.replace('127.0.0.1', 'localhost')];
  const asked = Array.from({ length: 65 }, (_, n) => verify(urls[n % 2] ?? '', callbacks));
  const results = await Promise.allSettled(asked);

  const refused = results.filter(({ status }) => status === 'rejected');
  expect(receiver.requests).toHaveLength(60);
  expect(refused).toHaveLength(5);
  expect(refused[0]).toMatchObject({
    reason: { code: 'too_many_requests', facts: { limit: 'verifications', max: 60, retryAfterMs: 60_000 } },
  });
  expect(await verify(receiver.url, callbacks, 'acc_2')).toBeUndefined();
  now = 60_000;
  expect(await verify(receiver.url, callbacks)).toBeUndefined();
});

test('a host is asked six hundred times a minute by all accounts, under any port and spelling', async () => {
  const callbacks = callbacksTo({ allowHosts: [] }, { ...systemClock, monotonic: () => 0 });
  // These addresses may not be reached, which is reported at once.
  const spellings = ['https://127.0.0.1:1/', 'https://127.1:2/', 'https://0x7f000001/'];
  for (let account = 0; account < 10; account += 1) {
    const asked = Array.from({ length: 60 }, (_, n) => verify(spellings[n % 3] ?? '', callbacks, `acc ${account}`));
    expect(await Promise.all(asked)).toEqual(asked.map(() => 'connection_refused'));
  }

  const another = verify('https://127.0.0.1:3/', callbacks, 'another');
  await expect(another).rejects.toMatchObject({ facts: { max: 600, retryAfterMs: 60_000 } });
  expect(await verify('https://127.0.0.2/', callbacks, 'another')).toBe('connection_refused');
});

test('the dot that may end the name of a host makes it no other', () => {
  expect([countedHost('https://hooks.example.:8443/a'), countedHost('https://hooks.example/')]).toEqual([
    'hooks.example',
    'hooks.example',
  ]);
});

/** A receiver that answers a challenge only when it is let. */
async function holdingReceiver() {
  const held: (() => void)[] = [];
  let [atOnce, most] = [0, 0];
  const receiver = await startReceiver({
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
  return { held, receiver, most: () => most };
}

test('two callbacks of an account are verified at once; while they hang, those of others are verified', async () => {
  const { held, receiver } = await holdingReceiver();
  await using hanging = receiver;
  await using well = await startReceiver();
  const callbacks = callbacksTo();
  const all = Promise.all(Array.from({ length: 10 }, () => verify(hanging.url, callbacks)));
  await waitFor('two are asked', () => held.length === 2);

  expect(await verify(well.url, callbacks, 'acc_2')).toBeUndefined();

  expect(hanging.requests).toHaveLength(2);
  for (let done = 0; done < 10; done += 1) (await waitFor('another is asked', () => held.shift()))();
  expect(await all).toEqual(Array.from({ length: 10 }, () => undefined));
});

test('thirty-two receivers are asked at once, and the others in their turn', async () => {
  const { held, receiver, most } = await holdingReceiver();
  await using hanging = receiver;
  const callbacks = callbacksTo();
  const asked = Array.from({ length: 40 }, (_, n) => verify(hanging.url, callbacks, `acc ${n % 20}`));

  for (let done = 0; done < 8; done += 1)
    (await waitFor('thirty-two are asked', () => held.length >= 32 && held.shift()))();
  await waitFor('the others are asked', () => hanging.requests.length === 40);
  for (const answer of held) answer();

  expect(await Promise.all(asked)).toEqual(asked.map(() => undefined));
  expect(most()).toBe(32);
});
test('a delivery is the body byte for byte, with the event id, the time and a signature by each secret', async () => {
  await using receiver = await startReceiver();
  const now = Date.now() - 100_000;
  const callbacks = callbacksTo({}, { now: () => now, monotonic: () => 0 });
  const body = '{"text":"caf\\u00e9 \\"quoted\\" 🙂"}';

  const delivery = { ...EVENT, url: receiver.url, secrets: [RECEIVER_SECRET, OLD_SECRET], body };
  const outcome = await callbacks.deliver(delivery, isWanted);

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
  const outcomes = await Promise.all([
    deliver(hanging.url, callbacksTo({ deadlineMs: SHORT_MS })),
    ...[dropping, gone].map(({ url }) => deliver(url)),
  ]);

  expect(outcomes).toEqual([
    { kind: 'failed', failure: 'timeout' },
    { kind: 'failed', failure: 'connection_refused' },
    { kind: 'failed', failure: 'connection_refused' },
  ]);
});

test('the pause that a receiver asks for is reported, in seconds or as a date', async () => {
  await using receiver = await startReceiver({ answer: withStatus(429, { 'retry-after': '120' }) });

  expect(await deliver(receiver.url)).toEqual({ kind: 'failed', failure: 'http_4xx', retryAfterMs: 120_000 });
  const now = Date.UTC(2026, 0, 1);
  expect(retryAfter('Thu, 01 Jan 2026 00:00:30 GMT', now)).toBe(30_000);
  expect(retryAfter('Thu, 01 Jan 2015 00:00:30 GMT', now)).toBe(0);
  for (const nonsense of ['', '-5', '1e9', 'soon', undefined]) expect(retryAfter(nonsense, now)).toBeUndefined();
});

/** Deliveries of two accounts take all places at a host, and four more wait. */
async function fillHost(slow: WebhookReceiver, held: ServerResponse[], callbacks: Callbacks) {
  const all = Promise.all(Array.from({ length: 20 }, (_, n) => deliver(slow.url, callbacks, `acc ${n % 2}`)));
  await waitFor('sixteen are there', () => held.length === 16);
  return {
    end: async () => {
      for (let done = 0; done < 20; done += 1) (await waitFor('another is there', () => held.shift())).end();
      return all;
    },
  };
}

test('one host gets sixteen deliveries at once, and others do not wait for it', async () => {
  const held: ServerResponse[] = [];
  await using slow = await startReceiver({ answer: answering((response) => held.push(response)) });
  await using other = await startReceiver();
  const callbacks = callbacksTo({ allowHosts: ['127.0.0.1', 'localhost'] });
  const full = await fillHost(slow, held, callbacks);

  expect(await deliver(other.url.replace('127.0.0.1', 'localhost'), callbacks)).toEqual({ kind: 'accepted' });

  expect(slow.connectionCount()).toBe(16);
  expect(await full.end()).toHaveLength(20);
});

test('one account has eight places at a host, and others at the same host do not wait for it', async () => {
  const held: ServerResponse[] = [];
  await using host = await startReceiver({
    answer: ({ path }, response) => {
      if (path === '/well') return undefined;
      held.push(response);
      return 'answered';
    },
  });
  const callbacks = callbacksTo();
  const hanging = Promise.all(Array.from({ length: 10 }, () => deliver(host.url, callbacks, 'acc_1')));
  await waitFor('eight are there', () => held.length === 8);

  expect(await deliver(host.url.replace('/hook', '/well'), callbacks, 'acc_2')).toEqual({ kind: 'accepted' });

  expect(host.requests).toHaveLength(9);
  for (let done = 0; done < 10; done += 1) (await waitFor('another is there', () => held.shift())).end();
  expect(await hanging).toHaveLength(10);
});

test('a delivery is asked for once more when its host has a place, and is not sent if it is not wanted by then', async () => {
  const held: ServerResponse[] = [];
  await using slow = await startReceiver({ answer: answering((response) => held.push(response)) });
  const callbacks = callbacksTo();
  const full = await fillHost(slow, held, callbacks);
  let wanted = true;
  const waiting = callbacks.deliver({ ...EVENT, url: slow.url }, async () => wanted);

  wanted = false;
  await full.end();

  expect(await waiting).toEqual({ kind: 'withheld' });
  expect(slow.requests).toHaveLength(20);
});

test('a delivery that gets no place at its host for too long is withheld, and no byte of it is sent', async () => {
  const held: (() => void)[] = [];
  await using receiver = await startReceiver({
    answer: (_request, response) => {
      held.push(() => response.writeHead(204).end());
      return 'answered';
    },
  });
  const outbound = createOutbound({ allowHosts: ['127.0.0.1'] });
  const callbacks = createCallbacks({ outbound, clock: systemClock, waitMaxMs: SHORT_MS });
  const places = Array.from({ length: 8 }, () => deliver(receiver.url, callbacks));
  await waitFor('all places of the account are held', () => held.length === 8);

  expect(await deliver(receiver.url, callbacks)).toEqual({ kind: 'withheld' });

  for (const end of held) end();
  await Promise.all(places);
  expect(receiver.requests).toHaveLength(8);
});

/** Makes a receiver that answers every request like this. */
function answering(answer: (response: ServerResponse, body: string) => void): Answer {
  return ({ body }, response) => {
    answer(response, body);
    return 'answered';
  };
}
