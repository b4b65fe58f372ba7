import { expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { agent, door, testWithNewAgent } from '../../../harness/fixtures/front-door.ts';
import type { DoorAgent } from '../../../harness/front-door.ts';

const SECOND_MS = 1_000;
/** Lines that go out at once. */
const BURST = 5;

const test = testWithNewAgent();

/** Another client of the same person, with a session from before anything was sent. */
let sister: DoorAgent;
let sisterSession: unknown;

test.beforeEach(async () => {
  sister = await door.agent('ada', { client: 'sister' });
  sisterSession = (await sister.call('see_account_information'))['sessionId'];
  await agent.call('go_online');
});

type Sent = Record<string, unknown>;

const say = (text: string, key?: string): Promise<Sent> =>
  agent.call('send_message', { channel: '#room', text, ...(key === undefined ? {} : { idempotency_key: key }) });

const statusOf = ({ messageId }: Sent): Promise<Sent> => agent.call('get_message_status', { message_id: messageId });

const moveClock = (ms: number): void => door.open.clock.set(door.open.clock.now() + ms);

test('a message that was written is queued and has one entry at once; both stay so while no echo comes', async () => {
  verifies(
    'connector.state.none-to-queued',
    'connector.state.queued-to-queued',
    'connector.message.linked-entry',
    'connector.tool.send-message',
  );
  door.bouncer.isServerAnswering = false;

  const sent = await say('is anybody there?');

  expect(sent).toMatchObject({ channel: '#room', status: 'queued', reason: null });
  expect(door.bouncer.written).toMatchObject([{ channel: '#room', text: 'is anybody there?' }]);
  const local = [{ entryId: sent['entryId'], sender: 'ada', text: 'is anybody there?', timestampSource: 'local' }];
  expect(await entriesOf(sent)).toMatchObject(local);
  // Each looks at what was sent before.
  for (const seconds of [3, 30, 600]) {
    moveClock(seconds * SECOND_MS);
    await say(`${seconds} seconds later`);
    expect(await statusOf(sent)).toMatchObject({ status: 'queued' });
  }
  expect(await entriesOf(sent)).toMatchObject(local);
});

test('a message that waits for its turn is pending and has its entry all the same, and is queued when its turn comes', async () => {
  verifies('connector.state.none-to-pending', 'connector.state.pending-to-queued', 'connector.tool.get-message-status');
  await useUpBurst();

  const waiting = await say('one more');

  expect(waiting).toMatchObject({ status: 'pending' });
  expect(await statusOf(waiting)).toMatchObject({ status: 'pending' });
  expect(await entriesOf(waiting)).toMatchObject([{ entryId: waiting['entryId'], timestampSource: 'local' }]);
  expect(door.bouncer.written).toHaveLength(BURST);
  moveClock(2 * SECOND_MS);
  await becomes(waiting, 'queued');
  expect(door.bouncer.written.slice(BURST)).toMatchObject([{ text: 'one more' }]);
});

test('a message that waits fails when the account goes offline; its entry stays and is unread for no agent', async () => {
  verifies('connector.state.pending-to-failed');
  await useUpBurst();
  const waiting = await say('too late');
  expect(await unreadTexts()).toContain('too late');

  await agent.call('go_offline');

  expect(await statusOf(waiting)).toMatchObject({ status: 'failed', reason: 'the account went offline' });
  expect(await entriesOf(waiting)).toMatchObject([{ entryId: waiting['entryId'], text: 'too late' }]);
  expect(await unreadTexts()).not.toContain('too late');
  expect(door.bouncer.written).toHaveLength(BURST);
});

test('a message that could not be written fails, and the same key sends it again under the same id and entry', async () => {
  verifies(
    'connector.state.pending-to-failed',
    'connector.state.failed-write-to-resend-allowed',
    'connector.message.messageId',
  );
  door.bouncer.writeError = new Error('the connection is closed');
  const first = await say('hello', 'key');
  expect(first).toMatchObject({ status: 'failed', reason: 'the connection is closed' });
  expect(await unreadTexts()).toEqual([]);
  door.bouncer.writeError = undefined;

  const again = await say('hello', 'key');
  const third = await say('hello', 'key');

  const { messageId, entryId } = first;
  expect([again, third]).toMatchObject(Array(2).fill({ messageId, entryId, status: 'queued', reason: null }));
  expect(await entriesOf(first)).toMatchObject([{ entryId }]);
  expect(door.bouncer.written).toMatchObject([{ text: 'hello' }]);
  expect(await unreadTexts()).toEqual(['hello']);
});

test('a message that the server refuses fails with its words; its entry stays and is unread for no agent', async () => {
  verifies('connector.state.queued-to-failed', 'connector.tool.get-message-status');
  const sent = await say('not allowed');
  expect(await unreadTexts()).toEqual(['not allowed']);

  door.bouncer.refuse('#room', '404 Cannot send to channel');

  expect(await becomes(sent, 'failed')).toMatchObject({ reason: '404 Cannot send to channel' });
  expect(await entriesOf(sent)).toMatchObject([{ entryId: sent['entryId'], text: 'not allowed' }]);
  expect(await unreadTexts()).toEqual([]);
});

test('the echo of a message makes it echoed, and gives its one entry the time of the server', async () => {
  verifies('connector.state.queued-to-echoed', 'connector.message.status', 'connector.tool.get-message-status');
  const sent = await say('heard');
  const saidAt = door.open.clock.now() + SECOND_MS;
  expect(await statusOf(sent)).toMatchObject({ status: 'queued' });

  door.bouncer.echo(door.bouncer.written[0], saidAt);

  expect(await becomes(sent, 'echoed')).toMatchObject({ reason: null });
  expect(await entriesOf(sent)).toMatchObject([
    { entryId: sent['entryId'], timestampSource: 'server', eventTime: new Date(saidAt).toISOString() },
  ]);
});

/** Returns the entries of a message. */
async function entriesOf({ messageId }: Sent): Promise<Sent[]> {
  const { entries } = await agent.call('read_history', { channel: '#room', mode: 'recent', limit: 200 });
  return (entries as Sent[]).filter((entry) => entry['messageId'] === messageId);
}

/** Returns the texts that the other client has not read, and expects that its count agrees. */
async function unreadTexts(): Promise<unknown[]> {
  const call = { channel: '#room', mode: 'unread', session_id: sisterSession, limit: 200 };
  const texts = ((await sister.call('read_history', call))['entries'] as Sent[]).map(({ text }) => text);
  const { channels } = await sister.call('see_account_information', { session_id: sisterSession });
  expect(channels).toContainEqual(expect.objectContaining({ channel: '#room', unreadCount: texts.length }));
  return texts;
}

/** Sends so many messages that the next one has to wait for its turn. */
async function useUpBurst(): Promise<void> {
  door.bouncer.isUnpaced = false;
  for (let n = 0; n < BURST; n += 1) {
    const sent = await say(`of the burst ${n}`);
    door.bouncer.echo(door.bouncer.written.at(-1), door.open.clock.now());
    await becomes(sent, 'echoed');
  }
}

function becomes(sent: Sent, status: string): Promise<Sent> {
  return waitFor(`the message is ${status}`, async () => {
    const now = await statusOf(sent);
    return now['status'] === status && now;
  });
}
