import { expect } from 'vitest';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { callMethod, ERAS, mentionsAt, type RpcAnswer } from '../../../harness/event-calls.ts';
import { agent, door, testWithNewAgent } from '../../../harness/fixtures/front-door.ts';
import { receiver, receiving } from '../../../harness/fixtures/receiver.ts';
import { SECRETS } from '../../../harness/mentions.ts';
import { challengeIn } from '../../../harness/webhook-receiver.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NAMES = ['events/list', 'events/subscribe', 'events/unsubscribe'];

const test = testWithNewAgent().extend('receiver', { auto: true }, receiving);

const iso = (ms: number): string => new Date(ms).toISOString();
const subscribe = (params: object, as = agent): Promise<RpcAnswer> => callMethod(as, 'events/subscribe', params);
const information = async (as = agent) => (await as.call('see_account_information'))['mentionEvents'];
const challenges = (): number => receiver.requests.filter(({ body }) => challengeIn(body) !== undefined).length;

test('events are advertised in both places, in both eras', async () => {
  verifies('connector.method.server-discover', 'connector.endpoint.POST-mcp');
  const started = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'tests', version: '1' } };

  const answers = [await callMethod(agent, 'server/discover'), await callMethod(agent, 'initialize', started, 'older')];

  for (const { result } of answers) {
    expect(result?.['capabilities']).toMatchObject({
      events: {},
      extensions: { 'io.modelcontextprotocol/events': {} },
    });
  }
});

for (const era of ERAS) {
  test(`the list of events in the ${era} era has mentions with the schemas of filters and payload, and starts no subscription`, async () => {
    verifies('connector.method.events-list', 'connector.endpoint.POST-mcp');
    const { result } = await callMethod(agent, 'events/list', {}, era);

    expect(result?.['events']).toMatchObject([
      {
        name: 'message.mention',
        delivery: ['webhook'],
        inputSchema: { type: 'object', additionalProperties: false },
        payloadSchema: { type: 'object' },
      },
    ]);
    const [event] = (result?.['events'] ?? []) as Record<string, { properties: object }>[];
    expect(Object.keys(event?.['inputSchema']?.properties ?? {})).toEqual(['network', 'channel', 'sender', 'keyword']);
    expect(Object.keys(event?.['payloadSchema']?.properties ?? {})).toEqual([
      'network',
      'channel',
      'sender',
      'text',
      'kind',
      'observedAt',
      'entryId',
    ]);
    expect(event?.['payloadSchema']).not.toHaveProperty('additionalProperties');
    expect(await information()).toEqual({ state: 'not_subscribed', dropped: 0, subscriptions: [] });
  });

  test(`a subscription in the ${era} era is begun, seen, renewed and ended`, async () => {
    verifies(
      'connector.method.events-subscribe',
      'connector.method.events-unsubscribe',
      'connector.endpoint.POST-mcp',
      'connector.information.mentionEvents',
      'connector.delivery.subscription-expiry',
    );
    const now = door.open.clock.now();
    const params = mentionsAt(`${receiver.url}?canary=1`, { keyword: 'deploy', channel: 'ROOM' });

    const begun = (await callMethod(agent, 'events/subscribe', params, era)).result;
    const seen = await information();
    const renewed = (await callMethod(agent, 'events/subscribe', params, era)).result;
    if (era === 'new') expect([begun, renewed].map((each) => each?.['resultType'])).toEqual(['complete', 'complete']);
    const ended = await callMethod(
      agent,
      'events/unsubscribe',
      { ...params, delivery: { url: params.delivery.url } },
      era,
    );

    const id = expect.stringMatching(/^sub_[0-9a-f]{32}$/);
    const granted = { id, refreshBefore: iso(now + DAY_MS), cursor: null, truncated: false };
    expect(begun).toMatchObject(granted);
    expect(begun).not.toHaveProperty('deliveryStatus');
    expect(renewed).toMatchObject({
      ...granted,
      id: begun?.['id'],
      deliveryStatus: { active: true, lastDeliveryAt: null, lastError: null },
    });
    const subscription = { id, filters: { keyword: 'deploy', channel: '#room' }, paused: false };
    expect(seen).toEqual({
      state: 'idle',
      dropped: 0,
      subscriptions: [{ ...subscription, expiresAt: iso(now + DAY_MS), dropped: 0, state: 'idle' }],
    });
    expect(JSON.stringify(seen)).not.toMatch(/canary|whsec_|127\.0\.0\.1/);
    expect(ended.error).toBeUndefined();
    expect(await information()).toEqual({ state: 'not_subscribed', dropped: 0, subscriptions: [] });
  });
}

test('a callback proves that it wants events before it gets any, and again only after a while or for another secret', async () => {
  verifies('connector.method.events-subscribe');
  const counts: number[] = [];
  const subscribeAnd = async (params: object) => {
    expect((await subscribe(params)).error).toBeUndefined();
    counts.push(challenges());
  };

  await subscribeAnd(mentionsAt(receiver.url));
  await subscribeAnd(mentionsAt(receiver.url));
  await subscribeAnd(mentionsAt(receiver.url, { keyword: 'other' }));
  await subscribeAnd(mentionsAt(receiver.url, {}, SECRETS[0]));
  await subscribeAnd(mentionsAt(`${receiver.url}/other`, {}, SECRETS[0]));
  door.open.clock.set(door.open.clock.now() + 5 * MINUTE_MS);
  await subscribeAnd(mentionsAt(receiver.url, {}, SECRETS[0]));

  expect(counts).toEqual([1, 1, 1, 2, 3, 4]);
});

test('a callback that fails the challenge gets no subscription, and one that stands stays as it was', async () => {
  verifies('connector.code.32015');
  const { result } = await subscribe(mentionsAt(receiver.url));
  receiver.answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"challenge":"another"}');
    return 'answered';
  };
  const before = await information();

  const refused = await subscribe(mentionsAt(receiver.url, {}, SECRETS[0]));
  const unreachable = await subscribe(mentionsAt('https://10.1.2.3/'));

  expect(refused.error).toMatchObject({ code: -32_015, data: { reason: 'challenge_failed' } });
  expect(unreachable.error).toMatchObject({ code: -32_015, data: { reason: 'connection_refused' } });
  expect(await information()).toEqual(before);
  expect(before).toMatchObject({ subscriptions: [{ id: result?.['id'] }] });
});

test('an event that does not exist is not found by any call', async () => {
  verifies('connector.code.32011');
  for (const method of ['events/subscribe', 'events/unsubscribe']) {
    const answer = await callMethod(agent, method, {
      ...mentionsAt(receiver.url, { nonsense: 1 }),
      name: 'message.sent',
    });
    expect(answer.error).toMatchObject({ code: -32_011, data: { kind: 'event' } });
  }
});

test('a mode of delivery other than webhooks is not supported, and left out it is that', async () => {
  verifies('connector.code.32014');
  const params = mentionsAt(receiver.url);
  const { mode: _mode, ...delivery } = params.delivery;

  const polling = await subscribe({ ...params, delivery: { mode: 'poll' } });
  const unnamed = await subscribe({ ...params, delivery });

  expect(polling.error).toMatchObject({ code: -32_014, data: { feature: 'deliveryMode', value: 'poll' } });
  expect(unnamed.error).toBeUndefined();
});

test('a channel that is not enabled is refused, whether it exists or not', async () => {
  verifies('connector.code.32012', 'connector.event.channel-filter');
  await door.services.enableChannels(agent.accountId, ['#ops']);

  for (const channel of ['#room', 'room', '#nowhere']) {
    const { error } = await subscribe(mentionsAt(receiver.url, { channel }));
    expect(error).toMatchObject({ code: -32_012, data: { reason: 'channel_not_enabled' } });
  }
  expect(challenges()).toBe(0);
});

test('a client that the person has just ended can’t subscribe any more', async () => {
  verifies('connector.code.32012');
  const [consent] = await door.open.consents.ofAccount(agent.accountId);
  await door.open.consents.end(agent.accountId, consent?.consentId ?? '');

  const { error } = await subscribe(mentionsAt(receiver.url));

  expect(error).toMatchObject({ code: -32_012, data: { reason: 'access_ended' } });
  expect(await information()).toMatchObject({ state: 'not_subscribed' });
});

test('the fifty-first subscription is refused before its callback is asked', async () => {
  verifies('connector.code.32013', 'connector.delivery.subscriptions');
  for (let index = 0; index < 50; index += 1) {
    expect((await subscribe(mentionsAt(receiver.url, { keyword: `k${index}` }))).error).toBeUndefined();
  }

  const { error } = await subscribe(mentionsAt(`${receiver.url}/more`));

  expect(error).toMatchObject({ code: -32_013, data: { limit: 'subscriptions', max: 50 } });
  expect(challenges()).toBe(1);
  expect((await subscribe(mentionsAt(receiver.url, { keyword: 'k7' }))).error).toBeUndefined();
});

test('an account has 60 callbacks verified a minute; a further request learns when to try again', async () => {
  verifies('connector.code.32013');
  receiver.answer = (_request, response) => {
    response.writeHead(404).end();
    return 'answered';
  };
  const codes = new Map<number | undefined, number>();
  for (let index = 0; index < 62; index += 1) {
    const { error } = await subscribe(mentionsAt(`${receiver.url}/${index}`));
    codes.set(error?.code, (codes.get(error?.code) ?? 0) + 1);
  }

  const { error } = await subscribe(mentionsAt(receiver.url));

  expect(codes).toEqual(
    new Map([
      [-32_015, 60],
      [-32_013, 2],
    ]),
  );
  expect(error?.data).toMatchObject({ limit: 'verifications', max: 60, retryAfterMs: expect.any(Number) });
});

for (const [asked, ttlMs, granted] of [
  ['nothing', undefined, DAY_MS],
  ['no end', null, 30 * DAY_MS],
  ['an hour', 60 * MINUTE_MS, 60 * MINUTE_MS],
  ['a year', 365 * DAY_MS, 30 * DAY_MS],
  ['no time at all', 0, MINUTE_MS],
  ['less than nothing', -5, MINUTE_MS],
  ['more than any clock counts', 1e300, 30 * DAY_MS],
] as const) {
  test(`a client that asks for ${asked} gets what is possible`, async () => {
    verifies('connector.delivery.subscription-expiry');
    const { result } = await subscribe({ ...mentionsAt(receiver.url), ...(ttlMs === undefined ? {} : { ttlMs }) });

    expect(result?.['refreshBefore']).toBe(iso(door.open.clock.now() + granted));
  });
}

test('a subscription expires when it is not renewed', async () => {
  verifies('connector.delivery.subscription-expiry');
  await subscribe({ ...mentionsAt(receiver.url), ttlMs: MINUTE_MS });
  door.open.clock.set(door.open.clock.now() + MINUTE_MS - 1);
  expect(await information()).toMatchObject({ state: 'idle' });
  door.open.clock.set(door.open.clock.now() + 1);

  expect(await information()).toEqual({ state: 'not_subscribed', dropped: 0, subscriptions: [] });
});

test('the answer to a cursor from elsewhere says that events may be missing; the list knows no cursor', async () => {
  expect((await subscribe({ ...mentionsAt(receiver.url), cursor: null })).result).toMatchObject({ truncated: false });
  expect((await subscribe({ ...mentionsAt(receiver.url), cursor: 'x' })).result).toMatchObject({ truncated: true });
  expect((await callMethod(agent, 'events/list', { cursor: 'x' })).error).toMatchObject({ code: -32_602 });
  expect((await callMethod(agent, 'events/list', { cursor: null })).error).toBeUndefined();
});

const GOOD = mentionsAt('https://agent.example/hook');
const { delivery: GOOD_DELIVERY } = GOOD;

for (const [what, params] of [
  ['no name', { ...GOOD, name: undefined }],
  ['no delivery', { ...GOOD, delivery: undefined }],
  ['a mode that is not text', { ...GOOD, delivery: { ...GOOD_DELIVERY, mode: 1 } }],
  ['no address', { ...GOOD, delivery: { ...GOOD_DELIVERY, url: undefined } }],
  ['an address without encryption', { ...GOOD, delivery: { ...GOOD_DELIVERY, url: 'http://agent.example/' } }],
  ['another protocol', { ...GOOD, delivery: { ...GOOD_DELIVERY, url: 'ftp://agent.example/' } }],
  ['no absolute address', { ...GOOD, delivery: { ...GOOD_DELIVERY, url: '/hook' } }],
  ['an address with a password', { ...GOOD, delivery: { ...GOOD_DELIVERY, url: 'https://a:b@agent.example/' } }],
  ['an address with a fragment', { ...GOOD, delivery: { ...GOOD_DELIVERY, url: 'https://agent.example/#a' } }],
  [
    'an address of 9 kB',
    { ...GOOD, delivery: { ...GOOD_DELIVERY, url: `https://agent.example/${'a'.repeat(9_216)}` } },
  ],
  ['no secret', { ...GOOD, delivery: { ...GOOD_DELIVERY, secret: undefined } }],
  ['a secret of another kind', { ...GOOD, delivery: { ...GOOD_DELIVERY, secret: 'canary-password' } }],
  ['filters that are a list', { ...GOOD, arguments: [] }],
  ['a filter that does not exist', { ...GOOD, arguments: { room: '#room' } }],
  ['a filter that is not text', { ...GOOD, arguments: { keyword: 7 } }],
  ['an empty filter', { ...GOOD, arguments: { channel: '' } }],
  ['a phrase without anything to find', { ...GOOD, arguments: { keyword: ' \u0002 ' } }],
  ['a phrase of 401 characters', { ...GOOD, arguments: { keyword: 'a'.repeat(401) } }],
  ['a time that is not a number', { ...GOOD, ttlMs: '1h' }],
  ['a time that is not whole', { ...GOOD, ttlMs: 1.5 }],
] as const) {
  test(`a subscription with ${what} is refused as invalid, and no request leaves`, async () => {
    const { error } = await subscribe(JSON.parse(JSON.stringify(params)));

    expect(error?.code).toBe(-32_602);
    expect(error).not.toHaveProperty('data');
    expect(error?.message).not.toContain('canary');
    expect(await information()).toMatchObject({ state: 'not_subscribed' });
  });
}

test('a filter that is null is ignored, and so are filters that are null as a whole', async () => {
  const one = await subscribe({ ...mentionsAt(receiver.url), arguments: { channel: null, keyword: null } });
  const two = await subscribe({ ...mentionsAt(receiver.url), arguments: null });

  expect(one.result?.['id']).toBe(two.result?.['id']);
  expect(await information()).toMatchObject({ subscriptions: [{ filters: {} }] });
});

test('the same filters in another order are the same subscription', async () => {
  const [one, two] = [
    await subscribe(mentionsAt(receiver.url, { keyword: 'a', channel: '#room' })),
    await subscribe(mentionsAt(receiver.url, { channel: 'room', keyword: 'A' })),
  ];

  expect(one.result?.['id']).toBe(two.result?.['id']);
  expect(await information()).toMatchObject({ subscriptions: [{}] });
});

test('only the client of a person that made a subscription sees and ends it', async () => {
  verifies('connector.event.subscription-owner');
  const params = mentionsAt(receiver.url, { keyword: 'a' });
  await subscribe(params);
  const others = [await door.agent('ada', { client: 'other' }), await door.agent('eve')];

  for (const other of others) {
    expect((await callMethod(other, 'events/unsubscribe', params)).error).toBeUndefined();
    expect(await information(other)).toEqual({ state: 'not_subscribed', dropped: 0, subscriptions: [] });
  }
  expect(await information()).toMatchObject({ state: 'idle', subscriptions: [{}] });
  expect(await door.services.subscriptions(agent.accountId)).toMatchObject([
    { clientId: 'client', callbackHost: `127.0.0.1:${receiver.port}` },
  ]);
});

test('an end with other filters, with another address or for the second time has no effect, and all get the same answer', async () => {
  verifies('connector.method.events-unsubscribe');
  const params = mentionsAt(receiver.url, { keyword: 'a' });
  await subscribe(params);
  const unsubscribe = (given: object) => callMethod(agent, 'events/unsubscribe', given);

  for (const other of [mentionsAt(receiver.url), mentionsAt(`${receiver.url}/other`, { keyword: 'a' })]) {
    expect((await unsubscribe(other)).error).toBeUndefined();
  }
  expect(await information()).toMatchObject({ state: 'idle' });
  expect(await unsubscribe(params)).toEqual(await unsubscribe(params));
  expect(await information()).toMatchObject({ state: 'not_subscribed' });
});

test('a person ends a subscription of any of their clients, and no other', async () => {
  const { result } = await subscribe(mentionsAt(receiver.url));
  const id = String(result?.['id']);
  const eve = await door.agent('eve');

  expect(await door.services.endSubscription(eve.accountId, id)).toBe(false);
  expect(await door.services.endSubscription(agent.accountId, id)).toBe(true);
  expect(await information()).toMatchObject({ state: 'not_subscribed' });
});

test('the event methods need a token that may read', async () => {
  const writer = await door.agent('ada', { client: 'writer', scopes: ['irc:write'] });

  for (const method of NAMES) {
    const answer = await writer.post('/mcp', { jsonrpc: '2.0', id: 1, method, params: {} });
    expect([method, answer.status]).toEqual([method, 403]);
  }
});
