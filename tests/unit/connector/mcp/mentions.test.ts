import { expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import type { CapturedLine } from '../../../../src/connector/domain/entry.ts';
import type { DueDelivery } from '../../../../src/connector/ports/delivery-store.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { callMethod, mentionsAt } from '../../../harness/event-calls.ts';
import { agent, door, testWithNewAgent } from '../../../harness/fixtures/front-door.ts';
import { receiver, receiving } from '../../../harness/fixtures/receiver.ts';
import { textIn } from '../../../harness/mentions.ts';
import { capturedLine } from '../../../harness/open-store.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const LEASE_MS = 60 * SECOND_MS;

const test = testWithNewAgent({
  otherNetworks: [{ name: 'other', address: 'ircs://irc.example.net' }],
}).extend('receiver', { auto: true }, receiving);

test.beforeEach(async () => {
  await agent.call('go_online');
});

const iso = (ms: number): string => new Date(ms).toISOString();

/** Leases the deliveries that wait, as the worker does. */
const due = (): Promise<DueDelivery[]> => door.open.store.deliveries.take(1_000, LEASE_MS);
const deliveredTexts = async (): Promise<string[]> => (await delivered()).map(({ body }) => textIn(body));
const entryOf = (text: string) => door.open.database('entries').where({ account_id: agent.accountId, text }).first();

test('a message with the nick in use in an enabled channel raises an event that says so', async () => {
  verifies('connector.event.match', 'connector.event.payload-content', 'connector.state.offline-to-online');
  const id = await subscribe();
  const [saidAt, seenAt] = [door.open.clock.now() + SECOND_MS, door.open.clock.now() + 2 * SECOND_MS];
  door.open.clock.set(seenAt);

  await hear('lunch, ADA?', { serverAt: saidAt, sender: 'Bob' });
  await hear('Canada and ada2, ada_ or ada-bot');
  await hear('welcomes ada', { kind: 'action' });
  await hear('bye ada', { kind: 'kick', target: 'ada' });
  await hear('ada is the topic', { kind: 'topic' });

  const [delivery, action, ...others] = await due();
  expect(others).toEqual([]);
  const { entry_id: entryId } = await entryOf('lunch, ADA?');
  expect(delivery).toMatchObject({ subscriptionId: id, url: receiver.url, attempts: 0 });
  expect(JSON.parse(delivery?.body ?? '')).toEqual({
    eventId: delivery?.eventId,
    name: 'message.mention',
    timestamp: iso(saidAt),
    data: {
      ...{ network: 'main', channel: '#room', sender: 'Bob', text: 'lunch, ADA?', kind: 'message' },
      ...{ observedAt: iso(seenAt), entryId },
    },
    cursor: null,
  });
  expect(JSON.parse(action?.body ?? '').data).toMatchObject({ kind: 'action', text: 'welcomes ada' });
  const history = await agent.call('read_history', { channel: '#room', mode: 'recent' });
  expect((history['entries'] as { entryId: string }[]).map((entry) => entry.entryId)).toContain(entryId);
});

test('a message of the account itself raises no event, through this service or another client', async () => {
  verifies('connector.event.own-messages');
  await subscribe();

  await agent.call('send_message', { channel: '#room', text: 'ada speaking' });
  await waitFor('it is written', () => door.bouncer.written.length === 1);
  door.bouncer.echo(door.bouncer.written[0], door.open.clock.now());
  await hear('ada on her phone', { sender: 'Ada' });
  await hear('ada: hello');

  expect(await deliveredTexts()).toEqual(['ada: hello']);
});

test('the nick in use counts, not the one that another user has at the moment', async () => {
  verifies('connector.event.match', 'connector.event.own-messages');
  await subscribe();
  door.bouncer.nick = 'ada2';

  await hear('ada: not you', { sender: 'bob' });
  await hear('ada2: a greeting by whoever has the nick', { sender: 'ada' });

  expect(await deliveredTexts()).toEqual(['ada2: a greeting by whoever has the nick']);
});

test('lines at the begin of a session are judged by the nick that it has', async () => {
  verifies('connector.event.match', 'connector.event.replays');
  await subscribe();
  await agent.call('go_offline');
  const { bouncer } = door;
  bouncer.nick = 'ada2';
  bouncer.whenAsked = (channel) => {
    const texts = [`ada: not you in ${channel}`, `ada2: you in ${channel}`];
    bouncer.replay(
      channel,
      texts.map((text) => capturedLine(text, door.open.clock.now(), channel)),
    );
  };

  await agent.call('go_online');

  await waitFor('all is stored', async () => (await entryOf('ada2: you in #room')) !== undefined);
  expect((await deliveredTexts()).sort()).toEqual(['ada2: you in #ops', 'ada2: you in #room']);
});

test('all filters that are given must match', async () => {
  verifies('connector.event.filters');
  const ids = {
    network: await subscribe({ network: 'main' }),
    otherNetwork: await subscribe({ network: 'other' }),
    sender: await subscribe({ sender: 'BOB' }),
    keyword: await subscribe({ keyword: 'the Deploy' }),
    both: await subscribe({ sender: 'bob', keyword: 'deploy' }),
    channel: await subscribe({ channel: '#ops' }),
    all: await subscribe({ network: 'main', channel: '#ops', sender: 'eve', keyword: 'deploy' }),
  };
  const reached = async (): Promise<string[]> => {
    const taken = await delivered();
    return Object.entries(ids).flatMap(([name, id]) =>
      taken.some((each) => each.subscriptionId === id) ? [name] : [],
    );
  };

  await hear('ada: hi', { sender: 'eve' });
  const byOthers = await reached();
  await hear('ada: THE \u0002deploy\u0002', { sender: 'Bob' });
  const byBob = await reached();
  await hear('ada: deploy #ops', { sender: 'Eve', channel: '#ops' });

  expect(byOthers).toEqual(['network']);
  expect(byBob).toEqual(['network', 'sender', 'keyword', 'both']);
  expect(await reached()).toEqual(['network', 'channel', 'all']);
});

test('without a channel a subscription follows what is enabled at the moment', async () => {
  verifies('connector.event.no-channel-filter');
  await subscribe();
  const hearIn = async (when: string): Promise<string[]> => {
    for (const channel of ['#ops', '#room']) await hear(`ada: ${channel} ${when}`, { channel });
    return deliveredTexts();
  };

  await door.services.enableChannels(agent.accountId, ['#ops']);
  const withOne = await hearIn('first');
  await door.services.enableChannels(agent.accountId, ['#room']);
  const withTheOther = await hearIn('then');
  await door.services.enableChannels(agent.accountId, ['#ops', '#room']);

  expect(withOne).toEqual(['ada: #ops first']);
  expect(withTheOther).toEqual(['ada: #room then']);
  expect(await hearIn('now')).toEqual(['ada: #ops now', 'ada: #room now']);
});

test('a subscription to a channel pauses while that is disabled, moves to no other, and goes on with what waited', async () => {
  verifies('connector.event.channel-filter', 'connector.information.mentionEvents');
  await subscribe({ channel: '#room' });
  const isPaused = async () => {
    const { subscriptions } = (await agent.call('see_account_information'))['mentionEvents'] as {
      subscriptions: { paused: boolean }[];
    };
    return subscriptions.map(({ paused }) => paused);
  };
  await hear('ada: before');

  await door.services.enableChannels(agent.accountId, ['#ops']);
  await hear('ada: meanwhile');
  await hear('ada: elsewhere', { channel: '#ops' });
  const whilePaused = await deliveredTexts();
  const paused = await isPaused();
  const renewed = await callMethod(agent, 'events/subscribe', mentionsAt(receiver.url, { channel: '#room' }));
  await door.services.enableChannels(agent.accountId, ['#room']);
  await hear('ada: after');

  expect([whilePaused, paused, await isPaused()]).toEqual([[], [true], [false]]);
  expect(renewed.result).toMatchObject({ deliveryStatus: { active: false } });
  expect(await deliveredTexts()).toEqual(['ada: before', 'ada: after']);
});

test('a subscription to a channel that is disabled now can be ended all the same', async () => {
  verifies('connector.method.events-unsubscribe');
  await subscribe({ channel: '#room' });
  await door.services.enableChannels(agent.accountId, []);

  await callMethod(agent, 'events/unsubscribe', mentionsAt(receiver.url, { channel: 'Room' }));

  expect(await door.services.subscriptions(agent.accountId)).toEqual([]);
});

test('a replayed line raises an event once: late and with its true times where it was missed, not again where it was not', async () => {
  verifies('connector.event.replays', 'connector.event.payload-content');
  await subscribe();
  const { store, clock } = door.open;
  const now = clock.now();
  const line = (text: string, at: number) => ({ line: capturedLine(text, at), own: undefined });
  const [seen, missed] = [line('ada: seen', now - 2), line('ada: missed', now - HOUR_MS)];
  const ingest = (lines: (typeof seen)[], isReplay: boolean) =>
    store.capture.ingest(agent.accountId, 'main', { lines, isReplay, synced: new Set() });

  await ingest([seen], false);
  const live = await due();
  clock.set(now + SECOND_MS);
  for (let page = 0; page < 2; page += 1) await ingest([missed, seen], true);

  const late = await due();
  expect([live, late].map((taken) => taken.map(({ body }) => textIn(body)))).toEqual([['ada: seen'], ['ada: missed']]);
  expect(JSON.parse(late[0]?.body ?? '')).toMatchObject({
    timestamp: iso(now - HOUR_MS),
    data: { observedAt: iso(now + SECOND_MS) },
  });
});

test('a delivery leaves what is unread as it is', async () => {
  verifies('connector.event.unread-cursor');
  await subscribe();
  const { sessionId } = await agent.call('see_account_information');
  const unread = async () => {
    const page = await agent.call('read_history', { channel: '#room', mode: 'unread', session_id: sessionId });
    return (page['entries'] as { text: string }[]).map(({ text }) => text);
  };
  await hear('ada: hello');

  await delivered();

  expect(await unread()).toEqual(['ada: hello']);
  expect((await agent.call('see_account_information'))['mentionEvents']).toMatchObject({ state: 'accepted' });
  expect(await unread()).toEqual(['ada: hello']);
});

test('each client sees its own subscriptions: queued deliveries come first, then the newest outcome', async () => {
  verifies('connector.information.mentionEvents');
  await subscribe({ keyword: 'one' });
  await subscribe({ keyword: 'two' });
  const state = async (): Promise<unknown> =>
    ((await agent.call('see_account_information'))['mentionEvents'] as { state: string }).state;
  const told: unknown[] = [await state()];
  const settle = async (text: string, isAccepted: boolean) => {
    await hear(text);
    told.push(await state());
    door.open.clock.set(door.open.clock.now() + SECOND_MS);
    for (const { deliveryId } of await due()) {
      if (isAccepted) await door.open.store.deliveries.accepted(deliveryId);
      else await door.open.store.deliveries.failedAttempt(deliveryId, 'http_5xx', undefined);
    }
    told.push(await state());
  };

  await settle('ada: one', false);
  await settle('ada: two', true);
  await settle('ada: one again', false);

  expect(told).toEqual(['idle', 'queued', 'failed', 'queued', 'accepted', 'queued', 'failed']);
});

test('subscriptions and what waits for them outlast the program', async () => {
  verifies('connector.event.persistence');
  const id = await subscribe();
  await hear('ada: hello');

  const later = door.open.anew(door.open.clock);

  expect(await later.subscriptions.ofAccount(agent.accountId)).toMatchObject([{ subscriptionId: id, state: 'queued' }]);
  expect((await later.deliveries.take(10, LEASE_MS)).map(({ body }) => textIn(body))).toEqual(['ada: hello']);
});

test('tools work as ever while a receiver is gone', async () => {
  verifies('connector.event.availability');
  await subscribe();
  await receiver[Symbol.asyncDispose]();
  await hear('ada: hello');

  const search = await agent.call('search_history', { phrase: 'ada: hello' });
  const sent = await agent.call('send_message', { channel: '#room', text: 'hello' });

  expect(search['entries']).toMatchObject([{ text: 'ada: hello' }]);
  expect(sent).toMatchObject({ messageId: expect.any(String) });
});

test('a network filter that names no approved network is refused, with the approved names in any case', async () => {
  await expect(subscribe({ network: 'liberra' })).rejects.toThrow('arguments.network: expected one of main, other');
  await expect(subscribe({ network: 'main ' })).rejects.toThrow('arguments.network');
  await expect(subscribe({ network: 'irc.example.net', channel: '#ops' })).rejects.toThrow('arguments.network');

  expect(await subscribe({ network: 'MAIN' })).toMatch(/^sub_/);
});

async function subscribe(filters: object = {}): Promise<string> {
  const { result, error } = await callMethod(agent, 'events/subscribe', mentionsAt(receiver.url, filters));
  if (result === undefined) throw new Error(JSON.stringify(error));
  return String(result['id']);
}

/** Another person says this, and it is stored. */
async function hear(text: string, changes: Partial<CapturedLine> = {}): Promise<void> {
  door.bouncer.hear(text, changes);
  await waitFor(`"${text}" is stored`, async () => {
    const stored: unknown = await door.open
      .database('entries')
      .where({ account_id: agent.accountId, text })
      .first('row');
    return stored !== undefined;
  });
}

/** Leases them and accepts each at once. */
async function delivered(): Promise<DueDelivery[]> {
  const deliveries = await due();
  for (const { deliveryId } of deliveries) await door.open.store.deliveries.accepted(deliveryId);
  return deliveries;
}
