import { afterEach, expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { createOutbound } from '../../../../src/connector/outbound/outbound.ts';
import { startDeliveries } from '../../../../src/connector/upkeep/delivering.ts';
import type { Repeated } from '../../../../src/connector/upkeep/repeat.ts';
import { createCallbacks } from '../../../../src/connector/webhooks/signed-callbacks.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';
import { receiver, receiving } from '../../../harness/fixtures/receiver.ts';
import { listeningLog } from '../../../harness/listening-log.ts';
import { heard, subscribed, textIn } from '../../../harness/mentions.ts';
import { type Answer, RECEIVER_SECRET } from '../../../harness/webhook-receiver.ts';

const HOUR_MS = 3_600_000;
const LEASE_MS = 60_000;

const test = testWithNewStore().extend('receiver', { auto: true }, receiving);

let worker: Repeated | undefined;
let accountId: string;

test.beforeEach(async () => {
  accountId = await open.account('ada');
  await subscribed(open, accountId, { url: receiver.url, secret: RECEIVER_SECRET, lifeMs: 10 * HOUR_MS });
  // A machine that starts with a clock of another time zone.
  open.clock.step(2 * HOUR_MS);
});

afterEach(async () => {
  await worker?.close();
  worker = undefined;
});

const received = (): string[] => receiver.requests.map(({ body }) => textIn(body));
const waiting = () => open.database('deliveries').pluck('attempts');

test('a delivery whose attempt failed while the clock was ahead is tried again soon after it is set right', async () => {
  const refuse: Answer = (_request, response) => {
    response.writeHead(503).end();
    return 'answered';
  };
  receiver.answer = refuse;
  startWorker();
  await heard(open, accountId, ['ada: look']);
  await waitFor('the failure is noted', async () => (await waiting()).join() === '1');

  receiver.answer = () => undefined;
  open.clock.step(-2 * HOUR_MS);
  open.invalidations.invalidate('deliveries', accountId);

  await waitFor('it is delivered', async () => (await waiting()).length === 0);
  expect(received()).toEqual(['ada: look', 'ada: look']);
});

test('a delivery that was taken while the clock was ahead, and is under way nowhere, is taken again', async () => {
  await heard(open, accountId, ['ada: look']);
  expect(await open.store.deliveries.take(1, LEASE_MS)).toHaveLength(1);
  open.clock.step(-2 * HOUR_MS);

  startWorker();

  await waitFor('it is delivered', async () => (await waiting()).length === 0);
  expect(received()).toEqual(['ada: look']);
});

test('a delivery that is under way while the clock is set back is not sent twice', async () => {
  let release = (): void => undefined;
  receiver.answer = ({ body }, response) => {
    if (textIn(body) !== 'ada: look') return undefined;
    release = () => response.writeHead(204).end();
    return 'answered';
  };
  startWorker();
  await heard(open, accountId, ['ada: look']);
  await waitFor('it is under way', () => received().length === 1);
  open.clock.step(-2 * HOUR_MS);

  await heard(open, accountId, ['ada: later']);
  await waitFor('the later one is delivered', async () => (await waiting()).length === 1);
  await heard(open, accountId, ['ada: last']);
  await waitFor('the last one is delivered', async () => (await waiting()).length === 1 && received().length === 3);
  release();

  await waitFor('all are delivered', async () => (await waiting()).length === 0);
  expect(received().sort()).toEqual(['ada: last', 'ada: later', 'ada: look']);
});

function startWorker(): void {
  const { store, clock, invalidations } = open;
  const callbacks = createCallbacks({ outbound: createOutbound({ allowHosts: ['127.0.0.1'] }), clock });
  worker = startDeliveries({
    deliveries: store.deliveries,
    callbacks,
    invalidations,
    clock,
    log: listeningLog().log,
  });
}
