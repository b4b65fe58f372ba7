import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { type Beside, healthOf, startServingBeside, toolsAt } from '../../harness/beside.ts';
import { stack, testWithStack } from '../../harness/fixtures/stack.ts';
import { StandbyPair } from '../../harness/standby-pair.ts';
import { subscriberOf } from '../../harness/subscriber.ts';
import { startReceiver, type WebhookReceiver } from '../../harness/webhook-receiver.ts';

const MENTIONS = 60;
/** Time that a receiver takes: deliveries of one subscription are two at once, so each process gets some. */
const RECEIVES_MS = 100;

const test = testWithStack({
  config: { events: { allowCallbackHosts: ['127.0.0.1'] } },
});

let pair: StandbyPair;
let receiver: WebhookReceiver;
/** It serves beside the one that has the sessions, as any further process on the database does. */
let beside: Beside;

test.beforeAll(async () => {
  receiver = await startReceiver();
  pair = await StandbyPair.start(stack);
  await pair.waiting.process.stop();
  beside = await startServingBeside(stack);
  pair.waiting = beside;
});

afterAll(async () => {
  await pair?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
});

const texts = (n: number): string[] => Array.from({ length: MENTIONS }, (_, index) => `ada: mention ${n} ${index}`);

test('a second process on the database is healthy and serves all requests', async () => {
  expect(await healthOf(beside)).toEqual({ status: 200, body: { ok: true } });
  expect(await toolsAt(beside, pair.ada)('see_account_information')).toMatchObject({ presence: 'online' });
});

test('a receiver is verified by the process that was asked, and both processes deliver', async () => {
  receiver.answer = (_, response) => {
    if (receiver.requests.length === 1) return undefined;
    setTimeout(() => response.writeHead(204).end(), RECEIVES_MS);
    return 'answered';
  };
  await subscriberOf({ baseUrl: `http://127.0.0.1:${beside.port}` }, pair.ada).subscribed({ url: receiver.url });
  const wanted = texts(1);
  for (const text of wanted) pair.bob.say('#room', text);

  await waitFor('all are delivered', () => received(wanted).missing.length === 0);

  expect(received(wanted)).toEqual({ missing: [], underTwoIds: [] });
  expect(receiver.events()).toHaveLength(MENTIONS);
  expect(await deliveriesOf(beside)).toBeGreaterThan(0);
  expect(await deliveriesOf(beside)).toBeLessThan(MENTIONS);
});

test('the other process delivers under the same id what a killed process was delivering', async () => {
  const wanted = texts(2);
  for (const text of wanted) pair.bob.say('#room', text);
  await waitFor('some are delivered', () => received(wanted).missing.length < MENTIONS * 0.8);

  beside.process.kill('SIGKILL');
  await waitFor('all are delivered', () => received(wanted).missing.length === 0);

  expect(received(wanted)).toEqual({ missing: [], underTwoIds: [] });
  beside = await startServingBeside(stack);
  pair.waiting = beside;
});

test('a process that was frozen delivers nothing when it wakes, because another one has done it', async () => {
  const wanted = texts(3);
  const before = await deliveriesOf(beside);
  beside.process.kill('SIGSTOP');
  for (const text of wanted) pair.bob.say('#room', text);
  await waitFor('all are delivered', () => received(wanted).missing.length === 0);
  const all = receiver.events().length;

  beside.process.kill('SIGCONT');
  await waitFor('it serves again', async () => (await healthOf(beside))?.status === 200, { process: beside.process });

  expect(received(wanted)).toEqual({ missing: [], underTwoIds: [] });
  expect(receiver.events()).toHaveLength(all);
  expect(await deliveriesOf(beside)).toBe(before);
});

/** Deliveries that a process has made, by its metrics. */
async function deliveriesOf({ metricsPort }: Beside): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/_delivery_attempt_seconds_count\{outcome="accepted"\} (\d+)/.exec(metrics)?.[1] ?? 0);
}

/** How often each of these texts came, and under how many ids. */
function received(wanted: readonly string[]): { missing: string[]; underTwoIds: string[] } {
  const ids = new Map<string, Set<string>>();
  for (const { eventId, data } of receiver.events()) {
    const text = String(data['text']);
    ids.set(text, (ids.get(text) ?? new Set()).add(eventId));
  }
  return {
    missing: wanted.filter((text) => !ids.has(text)),
    underTwoIds: [...ids].filter(([, all]) => all.size > 1).map(([text]) => text),
  };
}
