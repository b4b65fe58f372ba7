import { afterEach, expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { createOutbound } from '../../../../src/connector/outbound/outbound.ts';
import { startDeliveries } from '../../../../src/connector/upkeep/delivering.ts';
import type { Repeated } from '../../../../src/connector/upkeep/repeat.ts';
import { createCallbacks } from '../../../../src/connector/webhooks/signed-callbacks.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { door, testWithNewDoor } from '../../../harness/fixtures/front-door.ts';
import { receiver, receiving } from '../../../harness/fixtures/receiver.ts';
import { DOOR_CHANNELS, type DoorAgent } from '../../../harness/front-door.ts';
import { listeningLog } from '../../../harness/listening-log.ts';
import { type Answer, RECEIVER_SECRET, startReceiver } from '../../../harness/webhook-receiver.ts';

const test = testWithNewDoor().extend('receiver', { auto: true }, receiving);

let agent: DoorAgent;
let worker: Repeated;

test.beforeEach(async () => {
  // Signatures are checked against the time of the machine.
  door.open.clock.set(Date.now());
  agent = await door.agent('ada');
  worker = startWorker();
  await agent.call('go_online');
  await subscribe();
});

afterEach(async () => {
  await worker.close();
});

const events = () => receiver.requests.filter(({ body }) => !body.includes('"verification"'));

const hasEnded = () =>
  waitFor('nothing waits any more', async () => (await door.open.store.deliveries.counts()).waiting === 0);

const stateOf = async () =>
  ((await agent.call('see_account_information')) as { mentionEvents: { state: string } }).mentionEvents.state;

test('a receiver that fails is tried five times in about ten minutes, and hears of the same event each time', async () => {
  verifies('connector.delivery.attempts', 'connector.event.retries');
  receiver.answer = answerEvents(500);
  door.bouncer.hear('ada: hello');

  for (const [index, least] of [5_000, 25_000, 90_000, 360_000].entries()) {
    const waitMs = await waitAfter(index + 1);
    expect(waitMs).toBeGreaterThanOrEqual(least);
    expect(waitMs).toBeLessThanOrEqual(least * 1.2);
    expect(await stateOf()).toBe('queued');
    pass(waitMs);
  }
  await hasEnded();

  expect(events()).toHaveLength(5);
  expect(new Set(events().map(({ body }) => body)).size).toBe(1);
  expect(new Set(events().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(events().map(({ headers }) => headers['webhook-timestamp'])).size).toBe(5);
  expect(new Set(events().map(({ headers }) => headers['webhook-signature'])).size).toBe(5);
  expect(await stateOf()).toBe('failed');
});

for (const [asked, waits] of [
  ['600', 600_000],
  ['1000000000', 900_000],
] as const) {
  test(`a receiver that asks for ${asked} s of silence is tried again after ${waits / 1_000} s`, async () => {
    verifies('connector.delivery.attempts');
    receiver.answer = answerEvents(429, { 'retry-after': asked });
    door.bouncer.hear('ada: hello');

    expect(await waitAfter(1)).toBe(waits);
  });
}

for (const [status, requests, state] of [
  [204, 1, 'accepted'],
  [410, 1, 'failed'],
  [413, 1, 'failed'],
] as const) {
  test(`an answer of ${status} ends a delivery, as ${state}`, async () => {
    verifies('connector.delivery.final-answers');
    receiver.answer = answerEvents(status);
    door.bouncer.hear('ada: hello');

    await waitFor('it has come', () => events().length > 0);
    await hasEnded();
    pass(900_000);

    expect(await stateOf()).toBe(state);
    expect(events()).toHaveLength(requests);
  });
}

test('a redirect is a failure and is not followed', async () => {
  verifies('connector.delivery.final-answers');
  await using elsewhere = await startReceiver();
  receiver.answer = answerEvents(307, { location: elsewhere.url });
  door.bouncer.hear('ada: hello');

  expect(await waitAfter(1)).toBeGreaterThan(0);
  expect(elsewhere.connectionCount()).toBe(0);
});

test('a receiver that is well again gets what failed before', async () => {
  receiver.answer = answerEvents(503);
  door.bouncer.hear('ada: hello');
  const waitMs = await waitAfter(1);

  receiver.answer = () => undefined;
  pass(waitMs);
  await hasEnded();

  expect(events()).toHaveLength(2);
  expect(await stateOf()).toBe('accepted');
});

test('a delivery that a killed process had under way is done by the next, under the same event id', async () => {
  receiver.answer = ({ body }) => (body.includes('"verification"') ? undefined : 'answered');
  door.bouncer.hear('ada: hello');
  await waitFor('it is under way', () => events().length === 1);
  await worker.close();

  receiver.answer = () => undefined;
  await door.open.store.deliveries.releaseAllBut([]);
  worker = startWorker();
  await hasEnded();

  const ids = events().map(({ headers }) => headers['webhook-id']);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});

test('a mention in a disabled channel is not delivered until the channel is enabled again', async () => {
  receiver.answer = answerEvents(503);
  door.bouncer.hear('ada: hello', { channel: '#room' });
  const waitMs = await waitAfter(1);
  receiver.answer = () => undefined;
  await door.services.enableChannels(agent.accountId, ['#ops']);
  pass(waitMs);
  door.bouncer.hear('ada: elsewhere', { channel: '#ops' });
  await waitFor('the other one has come', () => events().length === 2);

  expect(events().map(({ body }) => JSON.parse(body).data.text)).toEqual(['ada: hello', 'ada: elsewhere']);
  await door.services.enableChannels(agent.accountId, DOOR_CHANNELS);
  pass(0);
  await hasEnded();

  expect(events().map(({ body }) => JSON.parse(body).data.text)).toEqual([
    'ada: hello',
    'ada: elsewhere',
    'ada: hello',
  ]);
});

test('one client whose fifty receivers all hang does not delay the others', async () => {
  const other = await door.agent('ada', { client: 'another client' });
  await using well = await startReceiver();
  await using hanging = await startReceiver({
    answer: ({ body }) => (body.includes('"verification"') ? undefined : 'answered'),
  });
  for (let n = 1; n < 50; n += 1) await subscribe(agent, `${hanging.url}?n=${n}`);
  await subscribe(other, well.url.replace('127.0.0.1', 'localhost'));

  for (let n = 0; n < 10; n += 1) door.bouncer.hear(`ada: line ${n}`);
  await waitFor('the other client has all', () => well.events().length === 10);

  // Each of the others has two at most, and their host sixteen at once.
  expect(hanging.requests.length - 49).toBeLessThanOrEqual(16);
  expect(hanging.requests.length).toBeGreaterThan(49);
});

/** The worker of the program, before the same store. */
function startWorker(): Repeated {
  const { store, clock, invalidations } = door.open;
  const callbacks = createCallbacks({ outbound: createOutbound({ allowHosts: ['127.0.0.1', 'localhost'] }), clock });
  return startDeliveries({ deliveries: store.deliveries, callbacks, invalidations, clock, log: listeningLog().log });
}

async function subscribe(who = agent, url = receiver.url): Promise<void> {
  const delivery = { mode: 'webhook', url, secret: RECEIVER_SECRET };
  const params = { name: 'message.mention', delivery };
  const answer = await who.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'events/subscribe', params });
  expect(await answer.json()).toMatchObject({ result: { id: expect.stringMatching(/^sub_/) } });
}

/** Lets time pass, and the worker look. */
function pass(ms: number): void {
  const { clock, invalidations } = door.open;
  clock.set(clock.now() + ms);
  invalidations.invalidate('deliveries', agent.accountId);
}

function answerEvents(status: number, headers: Record<string, string> = {}): Answer {
  return ({ body }, response) => {
    if (body.includes('"verification"')) return undefined;
    response.writeHead(status, headers).end();
    return 'answered';
  };
}

/** Resolves with the milliseconds until the next attempt, when `attempts` of them have ended. */
function waitAfter(attempts: number): Promise<number> {
  return waitFor(`attempt ${attempts} has ended`, async () => {
    const row = await door.open.database('deliveries').first('attempts', 'due_at');
    return row?.attempts === attempts && Number(row.due_at) - door.open.clock.now();
  });
}
