import { expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { agent, door, testWithNewAgent } from '../../../harness/fixtures/front-door.ts';

const MINUTE_MS = 60_000;

const test = testWithNewAgent();

test.beforeEach(async () => {
  await agent.call('go_online');
});

const read = async (mode: string, args: object = {}) =>
  (await agent.call('read_history', { channel: '#room', mode, ...args }))['entries'] as WireEntry[];

const isStored = (text: string): Promise<WireEntry> =>
  waitFor(`"${text}" is stored`, async () => (await read('recent')).find((entry) => entry.text === text));

const iso = (ms: number): string => new Date(ms).toISOString();

test('an entry has its place, its author, its time, and the time at which it was seen', async () => {
  verifies(
    'connector.entry.network-channel',
    'connector.entry.sender',
    'connector.entry.event-time',
    'connector.entry.observation-time',
    'connector.entry.timestampSource',
    'connector.entry.messageId',
  );
  const saidAt = door.open.clock.now() + MINUTE_MS;
  const seenAt = saidAt + MINUTE_MS;
  door.open.clock.set(seenAt);
  const always = {
    entryId: expect.stringMatching(/^ent_/),
    network: 'main',
    channel: '#room',
    target: null,
    gap: null,
  };

  door.bouncer.hear('with a time', { sender: 'bob', kind: 'action', serverAt: saidAt });
  door.bouncer.hear('without one', { sender: 'eve' });
  const { messageId, entryId } = await agent.call('send_message', { channel: '#room', text: 'from here' });

  expect(await isStored('with a time')).toEqual({
    ...always,
    ...{ kind: 'action', sender: 'bob', text: 'with a time', messageId: null },
    ...{ eventTime: iso(saidAt), observationTime: iso(seenAt), timestampSource: 'server' },
  });
  const ofNow = { eventTime: iso(seenAt), observationTime: iso(seenAt) };
  expect(await isStored('without one')).toEqual({
    ...always,
    ...{ kind: 'message', sender: 'eve', text: 'without one', messageId: null },
    ...{ ...ofNow, timestampSource: 'observed' },
  });
  expect(await isStored('from here')).toEqual({
    ...always,
    ...{ entryId, kind: 'message', sender: 'ada', text: 'from here', messageId },
    ...{ ...ofNow, timestampSource: 'local' },
  });
});

test('an entry keeps its id in every list, also when its echo comes', async () => {
  verifies('connector.entry.entryId');
  const { sessionId } = await (await door.agent('ada', { client: 'other' })).call('see_account_information');
  const other = await door.agent('ada', { client: 'other' });
  const { entryId } = await agent.call('send_message', { channel: '#room', text: 'an umbrella' });
  const idsOf = async () => {
    const lists = [
      await read('recent'),
      await read('last_hour'),
      (await agent.call('search_history', { phrase: 'umbrella' }))['entries'] as WireEntry[],
      (await other.call('read_history', { channel: '#room', mode: 'unread', session_id: sessionId }))[
        'entries'
      ] as WireEntry[],
      ((await (await agent.get('/v1/channels/room/messages')).json()) as { entries: WireEntry[] }).entries,
    ];
    return lists.map((entries) => entries.map((entry) => entry.entryId).join());
  };
  const before = await idsOf();

  door.bouncer.echo(door.bouncer.written[0], door.open.clock.now() + 1);
  await waitFor(
    'it came back',
    async () => ((await read('recent'))[0] as object as { timestampSource: string }).timestampSource === 'server',
  );

  expect(before).toEqual(Array(5).fill(entryId));
  expect(await idsOf()).toEqual(before);
});

test('the last hour goes by the time of the event, newest first, and leaves unread what is unread', async () => {
  verifies('connector.tool.read-history');
  const { sessionId } = await agent.call('see_account_information');
  const now = door.open.clock.now() + 120 * MINUTE_MS;
  door.open.clock.set(now);
  for (const minutesAgo of [30, 61, 59]) {
    door.bouncer.hear(`${minutesAgo} minutes ago`, { serverAt: now - minutesAgo * MINUTE_MS });
  }
  await isStored('59 minutes ago');
  const texts = async (mode: string, args: object = {}) => (await read(mode, args)).map(({ text }) => text);

  expect(await texts('last_hour')).toEqual(['30 minutes ago', '59 minutes ago']);
  expect(await texts('recent')).toEqual(['30 minutes ago', '59 minutes ago', '61 minutes ago']);
  expect(await texts('unread', { session_id: sessionId })).toEqual([
    '30 minutes ago',
    '61 minutes ago',
    '59 minutes ago',
  ]);
});

interface WireEntry {
  entryId: string;
  text: string;
}
