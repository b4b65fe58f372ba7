import { expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { agent, door, testWithNewAgent } from '../../../harness/fixtures/front-door.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const test = testWithNewAgent();

const information = (session?: unknown) =>
  agent.call('see_account_information', session === undefined ? {} : { session_id: session });

const iso = (ms: number): string => new Date(ms).toISOString();

const acknowledge = (channel: string, session: unknown, entryId: string | undefined) =>
  agent.call('ack_messages', { channel, session_id: session, entry_id: entryId });

test('an agent learns who the account is, where it is, and what its session has not read', async () => {
  verifies(
    'connector.information.nick-server-channels-presence',
    'connector.information.last-captured-activity',
    'connector.information.per-channel-unread-count-last-acknowledged-entry',
    'connector.information.sessionId',
    'connector.information.onlineSince',
    'connector.information.lastReceived',
    'connector.tool.see-account-information',
  );
  const onlineSince = door.open.clock.now();
  await agent.call('go_online');
  const { sessionId } = await information();
  await hear('one');
  await hear('two', '#ops');
  const newestAt = await hear('three');
  const [first, last] = await unread('#room', sessionId);
  await acknowledge('#room', sessionId, first?.entryId);

  expect(await information(sessionId)).toEqual({
    sessionId,
    nick: 'ada',
    server: { network: 'main', address: 'ircs://irc.example' },
    presence: 'online',
    onlineSince: iso(onlineSince),
    upstreamConnected: true,
    loggedInAs: null,
    problems: [],
    lastDisconnectedAt: null,
    channels: [
      { channel: '#ops', joined: true, notJoinedReason: null, unreadCount: 1, lastAcknowledgedEntryId: null },
      {
        channel: '#room',
        joined: true,
        notJoinedReason: null,
        unreadCount: 1,
        lastAcknowledgedEntryId: first?.entryId,
      },
    ],
    lastCapturedActivity: iso(newestAt),
    lastReceived: { entryId: last?.entryId, channel: '#room', eventTime: iso(newestAt) },
    settingsUrl: 'https://homeport.example/settings',
    mentionEvents: { state: 'not_subscribed', dropped: 0, subscriptions: [] },
  });
});

test('the last received entry is reported for enabled channels alone', async () => {
  verifies('connector.information.lastReceived');
  await agent.call('go_online');
  const at = await hear('for others', '#ops');
  await hear('for the room');

  await door.services.enableChannels(agent.accountId, ['#ops']);

  expect(await information()).toMatchObject({
    channels: [{ channel: '#ops' }],
    lastReceived: { channel: '#ops', eventTime: iso(at) },
  });
});

test('the state of the network’s connection is reported, and null when it is unknown', async () => {
  verifies('connector.information.upstreamConnected');
  await agent.call('go_online');
  const told: unknown[] = [];
  for (const state of [true, false, null]) {
    door.bouncer.upstream = state;
    told.push((await information())['upstreamConnected']);
  }

  expect(told).toEqual([true, false, null]);
});

test('the time of the last disconnect is reported, also after the next connect', async () => {
  verifies('connector.information.lastDisconnectedAt');
  await agent.call('go_online');
  const at = door.open.clock.now() + MINUTE_MS;
  door.open.clock.set(at);

  await agent.call('go_offline');
  const offline = await information();
  door.open.clock.set(at + MINUTE_MS);
  await agent.call('go_online');

  expect([offline, await information()]).toMatchObject([
    { presence: 'offline', onlineSince: null, lastDisconnectedAt: iso(at) },
    { presence: 'online', lastDisconnectedAt: iso(at) },
  ]);
});

test('a session has a cursor in each channel, which acknowledging in another one does not move', async () => {
  verifies('connector.session.cursor', 'connector.tool.ack-messages', 'connector.parameter.entry-id');
  await agent.call('go_online');
  const { sessionId } = await information();
  await hear('in the room');
  await hear('for others', '#ops');
  const [inRoom] = await unread('#room', sessionId);
  await unread('#ops', sessionId);

  expect(
    (await agent.attempt('ack_messages', { channel: '#ops', session_id: sessionId, entry_id: inRoom?.entryId }))
      .isError,
  ).toBe(true);
  await acknowledge('#room', sessionId, inRoom?.entryId);

  expect((await unread('#room', sessionId)).map(({ text }) => text)).toEqual([]);
  expect((await unread('#ops', sessionId)).map(({ text }) => text)).toEqual(['for others']);
});

test('a session ends after thirty days without use, and every use prolongs it', async () => {
  verifies('connector.session.lifetime', 'connector.limit.agent-session-inactivity-expiry');
  const { sessionId } = await information();
  const uses = [() => information(sessionId), () => unread('#room', sessionId), () => information(sessionId)];
  for (const use of uses) {
    door.open.clock.set(door.open.clock.now() + 30 * DAY_MS - HOUR_MS);
    await use();
  }

  door.open.clock.set(door.open.clock.now() + 30 * DAY_MS + HOUR_MS);

  const ended = await agent.attempt('see_account_information', { session_id: sessionId });
  expect(ended).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('session_id') }] });
});

/** Another person says this a second after the last line, and it is stored. */
async function hear(text: string, channel = '#room'): Promise<number> {
  const at = door.open.clock.now() + 1_000;
  door.open.clock.set(at);
  door.bouncer.hear(text, { channel, serverAt: at });
  await waitFor(`"${text}" is stored`, async () => {
    const { lastCapturedActivity } = await information();
    return lastCapturedActivity === iso(at);
  });
  return at;
}

async function unread(channel: string, session: unknown) {
  return (await agent.call('read_history', { channel, mode: 'unread', session_id: session }))['entries'] as {
    entryId: string;
    text: string;
  }[];
}
