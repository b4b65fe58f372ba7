import { afterEach, expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { createOutbound } from '../../../../src/connector/outbound/outbound.ts';
import { startDeliveries } from '../../../../src/connector/upkeep/delivering.ts';
import type { Repeated } from '../../../../src/connector/upkeep/repeat.ts';
import { createCallbacks } from '../../../../src/connector/webhooks/signed-callbacks.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';
import { listeningLog } from '../../../harness/listening-log.ts';
import { heard, subscribed, textIn } from '../../../harness/mentions.ts';
import { RECEIVER_SECRET, startReceiver, type WebhookReceiver } from '../../../harness/webhook-receiver.ts';

/** Deliveries that one host gets at once. */
const HOST_PLACES = 16;

const test = testWithNewStore();

let receiver: WebhookReceiver;
let worker: Repeated;
let adaId: string;
let subscriptionId: string;
/** Lets the deliveries end that hang at the host. */
let release: () => void;
let holding: Promise<unknown>[];

const sentToAda = (): string[] =>
  receiver.requests.filter(({ path }) => path === '/ada').map(({ body }) => textIn(body));
const deliveriesOfAda = () => open.database('deliveries').where('account_id', adaId);

/** A mention of ada was leased, and waits for its host: deliveries that the queue does not know have all its places. */
test.beforeEach(async () => {
  const { store, clock, invalidations } = open;
  const held: (() => void)[] = [];
  let isHolding = true;
  release = () => {
    isHolding = false;
    for (const end of held.splice(0)) end();
  };
  receiver = await startReceiver({
    answer: ({ path }, response) => {
      if (path === '/ada' || !isHolding) return undefined;
      held.push(() => response.writeHead(204).end());
      return 'answered';
    },
  });
  const at = (path: string) => ({ url: `http://127.0.0.1:${receiver.port}/${path}`, secret: RECEIVER_SECRET });

  adaId = await open.account('ada', ['#room', '#ops']);
  ({ subscriptionId } = await subscribed(open, adaId, at('ada')));
  const callbacks = createCallbacks({ outbound: createOutbound({ allowHosts: ['127.0.0.1'] }), clock });
  const { log } = listeningLog();
  worker = startDeliveries({ deliveries: store.deliveries, callbacks, invalidations, clock, log });
  holding = Array.from({ length: HOST_PLACES }, (_, n) => {
    const { url, secret } = at(String(n));
    const accountId = `acc_${n % 2}`;
    const event = { eventId: `evt_${n}`, subscriptionId: 'sub', body: '{}' };
    return callbacks.deliver({ ...event, accountId, url, secrets: [secret] }, async () => true);
  });
  await waitFor('all places are held', () => held.length === HOST_PLACES);
  await heard(open, adaId, ['ada: in confidence']);
  await waitFor('it is taken', async () => Number((await deliveriesOfAda().first('leased_until'))?.leased_until) > 0);
});

afterEach(async () => {
  release();
  await Promise.all(holding);
  await worker.close();
  await receiver[Symbol.asyncDispose]();
});

test('a delivery that waits for its host is sent when there is a place', async () => {
  release();

  await waitFor('it has come', () => sentToAda().length === 1);
});

for (const [what, end] of [
  ['the person has revoked its client', () => open.consents.endClient(adaId, 'client')],
  ['its subscription has ended', () => open.store.subscriptions.end(adaId, subscriptionId)],
  ['the person has deleted their history', () => open.store.retention.forgetStored(adaId)],
  ['the person is removed', () => open.store.removals.close(adaId)],
] as const) {
  test(`a delivery that waits for its host is not sent once ${what}`, async () => {
    await end();

    release();
    await worker.close();

    expect(sentToAda()).toEqual([]);
    expect(await deliveriesOfAda()).toEqual([]);
  });
}

test('a delivery that waits for its host while its channel is disabled is sent when that is enabled again', async () => {
  await open.store.accounts.selectChannels(adaId, ['#ops']);
  release();
  await waitFor('it is given back', async () => Number((await deliveriesOfAda().first())?.leased_until) === 0);
  const whileDisabled = sentToAda();
  await heard(open, adaId, ['ada: elsewhere'], '#ops');
  await waitFor('another has come', () => sentToAda().includes('ada: elsewhere'));

  await open.store.accounts.selectChannels(adaId, ['#room', '#ops']);
  open.invalidations.invalidate('deliveries', adaId);
  await waitFor('it has come', () => sentToAda().includes('ada: in confidence'));

  expect(whileDisabled).toEqual([]);
  expect(sentToAda()).toEqual(['ada: elsewhere', 'ada: in confidence']);
});

test('a delivery that waits for its host and expires with its subscription is not sent', async () => {
  open.clock.set(open.clock.now() + 3_600_000);

  release();
  await worker.close();

  expect(sentToAda()).toEqual([]);
});
