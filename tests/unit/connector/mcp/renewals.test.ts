import { expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { callMethod, mentionsAt, type RpcAnswer } from '../../../harness/event-calls.ts';
import { agent, door, testWithNewAgent } from '../../../harness/fixtures/front-door.ts';
import { receiver, receiving } from '../../../harness/fixtures/receiver.ts';
import { heard, textIn } from '../../../harness/mentions.ts';
import { challengeIn } from '../../../harness/webhook-receiver.ts';

const SECOND_MS = 1_000;
const LIFE_MS = 600 * SECOND_MS;
const LEASE_MS = 60 * SECOND_MS;

const test = testWithNewAgent().extend('receiver', { auto: true }, receiving);

let beganAt: number;

test.beforeEach(async () => {
  beganAt = door.open.clock.now();
});

const subscribe = (filters: object = {}): Promise<RpcAnswer> =>
  callMethod(agent, 'events/subscribe', { ...mentionsAt(receiver.url, filters), ttlMs: LIFE_MS });

const own = () => door.services.subscriptions(agent.accountId);
const takenTexts = async (): Promise<string[]> =>
  (await door.open.store.deliveries.take(10, LEASE_MS)).map(({ body }) => textIn(body));

test('a renewal that begins in time goes on with all that waits, though the subscription has expired by its end', async () => {
  const { result } = await subscribe();
  await heard(door.open, agent.accountId, ['ada: before']);
  door.open.clock.set(beganAt + LIFE_MS - SECOND_MS);
  const renewal = await beginRenewal();
  door.open.clock.set(beganAt + LIFE_MS + SECOND_MS);
  await heard(door.open, agent.accountId, ['ada: meanwhile']);
  const removed = await door.open.store.subscriptions.removeEnded(10);
  const whileExpired = await takenTexts();

  const renewed = await renewal.end();

  expect([removed, whileExpired]).toEqual([0, []]);
  expect(renewed.result).toMatchObject({ id: result?.['id'], deliveryStatus: { active: true } });
  expect(await own()).toMatchObject([{ createdAt: beganAt, state: 'queued' }]);
  expect(await takenTexts()).toEqual(['ada: before', 'ada: meanwhile']);
});

test('such a renewal needs no enabled channel either', async () => {
  await subscribe({ channel: '#room' });
  await door.services.enableChannels(agent.accountId, ['#ops']);
  door.open.clock.set(beganAt + LIFE_MS - SECOND_MS);
  const renewal = await beginRenewal({ channel: '#room' });
  door.open.clock.set(beganAt + LIFE_MS + SECOND_MS);

  expect((await renewal.end()).error).toBeUndefined();
  expect(await own()).toMatchObject([{ isPaused: true }]);
});

test('a subscription after the end begins anew, without the earlier deliveries', async () => {
  await subscribe();
  await heard(door.open, agent.accountId, ['ada: before']);
  door.open.clock.set(beganAt + LIFE_MS);
  await heard(door.open, agent.accountId, ['ada: too late']);

  const { result } = await subscribe();
  await heard(door.open, agent.accountId, ['ada: anew']);

  expect(result).not.toHaveProperty('deliveryStatus');
  expect(await takenTexts()).toEqual(['ada: anew']);
});

test('mentions after the end are not kept for long', async () => {
  await subscribe();
  door.open.clock.set(beganAt + LIFE_MS + 120 * SECOND_MS);
  await heard(door.open, agent.accountId, ['ada: too late']);

  expect(await door.open.store.deliveries.counts()).toMatchObject({ waiting: 0 });
  expect(await door.open.store.subscriptions.removeEnded(10)).toBe(1);
});

for (const [who, end] of [
  [
    'its client',
    async () => {
      const { name, arguments: filters, delivery } = mentionsAt(receiver.url);
      const params = { name, arguments: filters, delivery: { url: delivery.url } };
      expect((await callMethod(agent, 'events/unsubscribe', params)).error).toBeUndefined();
    },
  ],
  [
    'the person',
    async () => {
      const [subscription] = await own();
      expect(await door.services.endSubscription(agent.accountId, subscription?.subscriptionId ?? '')).toBe(true);
    },
  ],
] as const) {
  test(`a renewal that is under way when ${who} ends the subscription is refused, and no subscription begins`, async () => {
    await subscribe();
    door.open.clock.set(beganAt + LIFE_MS - SECOND_MS);
    const renewal = await beginRenewal();

    await end();

    expect((await renewal.end()).error).toMatchObject({ code: -32_012, data: { reason: 'subscription_ended' } });
    expect(await own()).toEqual([]);
  });
}

/** Renews, up to where the callback is asked; it answers when the test lets it. */
async function beginRenewal(filters: object = {}) {
  let echo: (() => void) | undefined;
  receiver.answer = ({ body }, response) => {
    echo = () => response.writeHead(200).end(JSON.stringify({ challenge: challengeIn(body) }));
    return 'answered';
  };
  const answer = subscribe(filters);
  const answerChallenge = await waitFor('its callback is asked', () => echo);
  return {
    end: () => {
      answerChallenge();
      return answer;
    },
  };
}
