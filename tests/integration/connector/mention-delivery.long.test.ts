import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createMCPClient,
  type Experimental_MCPEvent,
  type Experimental_MCPEventStore,
  experimental_createMCPEventWebhook,
} from '@ai-sdk/mcp';
import { expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { agent, bob, stack, testInRoom } from '../../harness/fixtures/room.ts';
import { informationOf } from '../../harness/person.ts';
import { subscriberOf } from '../../harness/subscriber.ts';
import { watchIdle } from '../../harness/watch-idle.ts';
import { challengeIn, startReceiver } from '../../harness/webhook-receiver.ts';

/** Longest average wait, in milliseconds; the connector looks for due deliveries each five seconds. */
const WAITED_MAX_MS = 1_000;
const MENTIONS = 50;

const test = testInRoom({ config: { events: { allowCallbackHosts: ['127.0.0.1'] } } });

type Stored = NonNullable<Awaited<ReturnType<Experimental_MCPEventStore['get']>>>;

test('the AI SDK subscribes, proves its callback, and hears of each of fifty mentions without waiting', async () => {
  verifies('connector.event.wake-up', 'connector.event.delivery', 'connector.service.2');
  await using application = await startApplication();
  const { events, heard, statuses, url } = application;
  const { events: offered } = await events.list();
  expect(offered.map(({ name }) => name)).toEqual(['message.mention']);

  const subscription = await events.subscribe({
    name: 'message.mention',
    arguments: { channel: '#room' },
    delivery: { mode: 'webhook', url, allowInsecureLocalhost: true },
  });
  using waited = watchIdle();
  for (let n = 0; n < MENTIONS; n += 1) {
    bob.say('#room', `ada: are you there? ${n}`);
    const { event } = await waitFor(`mention ${n}`, () => heard[n]);
    expect(event).toMatchObject({
      name: 'message.mention',
      data: { channel: '#room', sender: 'bob', text: `ada: are you there? ${n}`, kind: 'message' },
    });
  }

  expect(waited.read() / MENTIONS).toBeLessThan(WAITED_MAX_MS);
  expect(statuses.every((status) => status === 200 || status === 204)).toBe(true);
  expect(new Set(heard.map(({ event }) => event.eventId)).size).toBe(MENTIONS);
  await waitFor('the account tells of it', async () => {
    const { mentionEvents } = (await informationOf(agent)) as { mentionEvents: { state: string } };
    return mentionEvents.state === 'accepted';
  });

  await events.unsubscribe({ id: subscription.id });
  bob.say('#room', 'ada: nobody listens any more');
  await waitFor('the line is in history', async () => {
    const { entries } = await agent.call('read_history', { channel: '#room', mode: 'recent', limit: 1 });
    return JSON.stringify(entries).includes('nobody listens');
  });
  expect(heard).toHaveLength(MENTIONS);
  expect(await informationOf(agent)).toMatchObject({ mentionEvents: { state: 'not_subscribed' } });
});

test('a receiver that was away gets what it missed under the same event id, and subscriptions survive a restart', async () => {
  await using application = await startApplication();
  const { events, heard, url } = application;
  await events.subscribe({
    name: 'message.mention',
    delivery: { mode: 'webhook', url, allowInsecureLocalhost: true },
  });
  await stack.restartConnector();
  await waitFor('ada is back', async () => (await informationOf(agent))['upstreamConnected'] === true);

  bob.say('#room', 'ada: after the restart');
  await waitFor('it has come', () => heard.some(({ event }) => event.data['text'] === 'ada: after the restart'));

  const { entries } = (await agent.call('read_history', { channel: '#room', mode: 'recent', limit: 1 })) as {
    entries: { entryId: string }[];
  };
  expect(heard.at(-1)?.event.data['entryId']).toBe(entries[0]?.entryId);
});

test('a connector that ends while a receiver hangs ends in time, and the next one delivers at once', async () => {
  await using receiver = await startReceiver({
    answer: ({ body }) => (challengeIn(body) === undefined ? 'answered' : undefined),
  });
  await subscriberOf(stack, agent).subscribed({ url: receiver.url });
  bob.say('#room', 'ada: said before the end');
  await waitFor('it is under way', () => receiver.requests.length === 2);

  using ending = watchIdle();
  stack.connector.kill('SIGTERM');
  const end = await stack.connector.ended;
  const waitedMs = ending.read();
  receiver.answer = () => undefined;
  await stack.revive('connector');
  await waitFor('it has come again', () => receiver.requests.length === 3);

  expect(end).toMatchObject({ exitCode: 0 });
  expect(waitedMs).toBeLessThan(10_000);
  const [, first, second] = receiver.requests;
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
});

/** Keeps the library's subscriptions, as an application does. */
function memoryStore(): Experimental_MCPEventStore {
  const kept = new Map<string, Stored>();
  return {
    get: async (key) => kept.get(key),
    getById: async (id) => [...kept.values()].find((each) => each.id === id),
    set: async (subscription) => void kept.set(subscription.key, subscription),
    update: async (key, patch) => {
      const known = kept.get(key);
      if (known !== undefined) kept.set(key, { ...known, ...patch });
    },
    delete: async (key) => void kept.delete(key),
  };
}

/** An application made of the AI SDK: its client subscribes, its webhook receives. */
async function startApplication() {
  const store = memoryStore();
  const heard: { event: Experimental_MCPEvent }[] = [];
  const statuses: number[] = [];
  const webhook = experimental_createMCPEventWebhook({
    store,
    onEvent: async ({ event }) => void heard.push({ event }),
  });
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
    const headers = Object.entries(req.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const url = `http://127.0.0.1${req.url}`;
    const answer = await webhook(new Request(url, { method: 'POST', headers, body: Buffer.concat(chunks) }));
    statuses.push(answer.status);
    res.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = await createMCPClient({
    transport: { type: 'http', url: `${stack.baseUrl}/mcp`, headers: { Authorization: `Bearer ${agent.accessToken}` } },
    experimental_events: { store },
  });
  return {
    events: client.experimental_events,
    heard,
    statuses,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
