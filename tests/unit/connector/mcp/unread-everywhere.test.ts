import { afterEach, beforeEach, expect, test } from 'vitest';
import { UNREAD_CHANNELS_AT_ONCE } from '../../../../src/connector/domain/limits.ts';
import { type DoorAgent, type FrontDoor, openFrontDoor } from '../../../harness/front-door.ts';
import { capturedLine } from '../../../harness/open-store.ts';

let door: FrontDoor;
let agent: DoorAgent;
let session_id: string;
let time: number;

beforeEach(() => open());

afterEach(() => door?.[Symbol.asyncDispose]());

const unread = async (args: object = {}): Promise<Batch> =>
  (await agent.call('read_history', { mode: 'unread', session_id, ...args })) as unknown as Batch;
const textsOf = ({ entries }: Batch): string[] => entries.map(({ text }) => text);
const numbered = (count: number, what = 'line'): string[] => Array.from({ length: count }, (_, n) => `${what} ${n}`);

test('one call returns the unread entries of all enabled channels, mentions first, and the entry to acknowledge in each', async () => {
  await hear('#room', 'good morning', 'ada: are you there?', 'and so on');
  await hear('#ops', 'deploy begins', 'ask ada about it');

  const batch = await unread();

  expect(textsOf(batch)).toEqual([
    ...['ask ada about it', 'ada: are you there?'],
    ...['deploy begins', 'good morning', 'and so on'],
  ]);
  expect(batch.entries.map(({ mention }) => mention)).toEqual([true, true, false, false, false]);
  const lastOf = (text: string) => batch.entries.find((entry) => entry.text === text)?.entryId;
  expect(batch).toMatchObject({
    ...{ channel: null, hasMore: false, truncated: false, gap: false },
    acknowledge: [
      { channel: '#ops', entryId: lastOf('ask ada about it'), hasMore: false, gap: false },
      { channel: '#room', entryId: lastOf('and so on'), hasMore: false, gap: false },
    ],
  });
});

test('the same batch comes back until its channels are acknowledged, each by itself', async () => {
  await hear('#room', 'one', 'two');
  await hear('#ops', 'three');
  const first = await unread();
  await hear('#room', 'later');
  expect(textsOf(await unread())).toEqual(['three', 'one', 'two']);

  const [ops, room] = first.acknowledge;
  await agent.call('ack_messages', { session_id, channel: '#ops', entry_id: ops?.entryId });
  expect(textsOf(await unread())).toEqual(['one', 'two']);
  await agent.call('ack_messages', { session_id, channel: '#room', entry_id: room?.entryId });

  const rest = await unread();
  expect(textsOf(rest)).toEqual(['later']);
  await acknowledge(rest);
  expect(await unread()).toMatchObject({ entries: [], acknowledge: [], hasMore: false });
});

test('a call for one channel and a call for all return the same, without the session’s own messages', async () => {
  await agent.call('go_online');
  await hear('#room', 'one');
  await agent.call('send_message', { channel: '#room', text: 'my own', session_id });
  const { entries } = await unread({ channel: '#room' });

  expect(textsOf(await unread())).toEqual(['one']);
  expect((await unread()).entries).toEqual(entries);
});

test('a busy channel leaves room for the others, which leave it what they do not need', async () => {
  await hear('#room', ...numbered(200));
  await hear('#ops', 'ops 0', 'ops 1');

  const batch = await unread({ limit: 20 });

  expect(batch.entries.filter(({ channel }) => channel === '#ops')).toHaveLength(2);
  expect(batch.entries.filter(({ channel }) => channel === '#room')).toHaveLength(18);
  expect(batch.hasMore).toBe(true);
  expect(batch.acknowledge.map(({ channel, hasMore }) => [channel, hasMore])).toEqual([
    ['#ops', false],
    ['#room', true],
  ]);
});

test('all that is unread comes within bounded answers, once each, however long the lines are', async () => {
  await hear('#room', ...numbered(150, 'x'.repeat(400)));
  await hear('#ops', ...numbered(150, 'y'.repeat(400)));
  const seen: string[] = [];
  for (let calls = 0; ; calls += 1) {
    const batch = await unread({ limit: 200 });
    expect(JSON.stringify(batch.entries).length).toBeLessThan(60_000);
    if (batch.entries.length === 0) break;
    expect(calls).toBeLessThan(20);
    seen.push(...batch.entries.map(({ entryId }) => entryId));
    await acknowledge(batch);
  }

  expect([seen.length, new Set(seen).size]).toEqual([300, 300]);
});

test('channels that do not fit into one call come in several', async () => {
  await door[Symbol.asyncDispose]();
  const channels = Array.from({ length: UNREAD_CHANNELS_AT_ONCE + 7 }, (_, n) => `#channel${n}`);
  await open(channels);
  for (const channel of channels) await hear(channel, `in ${channel}`);

  const first = await unread({ limit: 200 });
  await acknowledge(first);
  const second = await unread({ limit: 200 });

  expect([first.entries.length, first.hasMore]).toEqual([UNREAD_CHANNELS_AT_ONCE, true]);
  expect([second.entries.length, second.hasMore]).toEqual([7, false]);
  expect(new Set([...textsOf(first), ...textsOf(second)]).size).toBe(channels.length);
});

test('fewer entries than channels are asked for: each of some channels has one, and there is more', async () => {
  await hear('#room', 'one', 'two');
  await hear('#ops', 'three');

  expect(await unread({ limit: 1 })).toMatchObject({ entries: [{ text: 'three' }], hasMore: true });
});

test('entries that retention removed before they were acknowledged are reported as a gap of their channel', async () => {
  await hear('#room', 'one');
  await hear('#ops', 'two');
  await unread();
  await hear('#room', 'three');
  await door.open.store.retention.pruneOldest(agent.accountId, 1);

  const batch = await unread();

  expect([batch.gap, batch.acknowledge.filter(({ gap }) => gap).map(({ channel }) => channel)]).toEqual([
    true,
    ['#room'],
  ]);
});

test('a disabled channel, and messages that only other people heard, are not shown', async () => {
  await hear('#room', 'one');
  await hear('#ops', 'two');
  await door.agent('bob');
  await door.services.enableChannels(agent.accountId, ['#ops']);

  expect(textsOf(await unread())).toEqual(['two']);
});

for (const [what, args, reason] of [
  ['without a session', { mode: 'unread' }, /session_id is required/],
  ['of another session', { mode: 'unread', session_id: 'ses_unknown' }, /unknown or expired session_id/],
  ['in another mode', { mode: 'recent' }, /channel is required/],
] as const) {
  test(`all channels at once are refused ${what}`, async () => {
    const { isError, content } = await agent.attempt('read_history', args);
    expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(reason)]);
  });
}

test('lines of a hundred times the usual length in each channel do not make a long answer, and all of them come', async () => {
  await door[Symbol.asyncDispose]();
  const channels = Array.from({ length: 20 }, (_, n) => `#c${n}`);
  await open(channels);
  for (const channel of channels) await hear(channel, `${channel} ${'x'.repeat(50_000)}`);

  const seen = new Set<string>();
  for (let calls = 0; seen.size < channels.length; calls += 1) {
    expect(calls).toBeLessThan(channels.length);
    const batch = await unread();
    expect(JSON.stringify(batch).length).toBeLessThan(2 * 50_000);
    for (const { channel } of batch.entries) seen.add(channel);
    expect([batch.hasMore, batch.truncated]).toEqual(seen.size < channels.length ? [true, true] : [false, false]);
    await acknowledge(batch);
  }
});

test('a busy channel is read, too, while more others than one call returns have new lines all the time', async () => {
  await door[Symbol.asyncDispose]();
  const quiet = Array.from({ length: UNREAD_CHANNELS_AT_ONCE + 5 }, (_, n) => `#channel${n}`);
  await open([...quiet, '#room']);
  await hear('#room', ...numbered(200), 'ada: are you there?');
  const seen: string[] = [];
  for (let call = 0; call < 2; call += 1) {
    for (const channel of quiet) await hear(channel, `in ${channel}`);
    const batch = await unread({ limit: 200 });
    seen.push(...batch.acknowledge.map(({ channel }) => channel));
    await acknowledge(batch);
  }

  expect(seen).toContain('#room');
});

test('the same channels come back until they are acknowledged, with any messages elsewhere meanwhile', async () => {
  await door[Symbol.asyncDispose]();
  const channels = Array.from({ length: UNREAD_CHANNELS_AT_ONCE + 5 }, (_, n) => `#channel${n}`);
  await open(channels);
  for (const channel of channels) await hear(channel, `in ${channel}`);
  const first = await unread();
  for (const { channel } of first.acknowledge.slice(0, 10)) await hear(channel, ...numbered(3));

  expect(textsOf(await unread())).toEqual(textsOf(first));
});

async function open(channels?: string[]): Promise<void> {
  door = await openFrontDoor(channels === undefined ? {} : { ircChannels: channels });
  if (channels !== undefined) await door.open.account('ada', channels);
  agent = await door.agent('ada');
  time = door.open.clock.now();
  session_id = (await agent.call('see_account_information'))['sessionId'] as string;
}

async function hear(channel: string, ...texts: string[]): Promise<void> {
  const lines = texts.map((text) => {
    time += 1;
    return { line: capturedLine(text, time, channel), own: undefined };
  });
  await door.open.store.capture.ingest(agent.accountId, 'main', { lines, isReplay: false, synced: new Set() });
}

interface Batch {
  channel: null;
  entries: { entryId: string; channel: string; text: string; mention: boolean }[];
  acknowledge: { channel: string; entryId: string; hasMore: boolean; gap: boolean }[];
  hasMore: boolean;
  truncated: boolean;
  gap: boolean;
}

async function acknowledge(batch: Batch): Promise<void> {
  for (const { channel, entryId } of batch.acknowledge)
    await agent.call('ack_messages', { session_id, channel, entry_id: entryId });
}
