import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { toolsAt } from '../../harness/beside.ts';
import { agent as ada, bob, stack, testInRoom } from '../../harness/fixtures/room.ts';
import { heardFrom } from '../../harness/sending.ts';
import { subscriberOf } from '../../harness/subscriber.ts';
import { type Member, type Members, startMembers } from '../../harness/three-processes.ts';
import { startReceiver } from '../../harness/webhook-receiver.ts';

const LINES = 1_000;
const PAGE = 200;
const POSTS = 40;
const POSTS_ACCEPTED = 20;
const MENTIONS = 200;

const test = testInRoom({ config: { events: { allowCallbackHosts: ['127.0.0.1'] } } });

let group: Members;

test.beforeAll(async () => {
  group = await startMembers(stack);
  await waitFor('the account is attached', async () => {
    const { upstreamConnected } = await at(0)('see_account_information');
    return upstreamConnected === true;
  });
});

afterAll(async () => {
  await group?.[Symbol.asyncDispose]();
});

const at = (n: number) => toolsAt(member(n), ada);

test('an agent that acknowledges at one of three processes finds it acknowledged at each other one at once, a thousand times', async () => {
  for (let line = 1; line <= LINES; line += 1) bob.say('#room', `line ${line}`);
  await waitFor('the last line is stored', async () => {
    const { entries } = await at(1)('read_history', { channel: '#room', mode: 'recent', limit: 1 });
    return (entries as { text: string }[])[0]?.text === `line ${LINES}`;
  });
  const { sessionId } = await at(2)('see_account_information');
  const session = { channel: '#room', session_id: sessionId };
  const unreadAt = async (n: number): Promise<number> => {
    const { channels } = await at(n)('see_account_information', { session_id: sessionId });
    const found = (channels as { channel: string; unreadCount: number }[]).find(({ channel }) => channel === '#room');
    return found?.unreadCount ?? Number.NaN;
  };
  const entries: { entryId: string }[] = [];
  let left = await unreadAt(0);
  expect(left).toBeGreaterThanOrEqual(LINES);

  for (let acknowledged = 0; acknowledged < LINES; acknowledged += 1) {
    if (entries.length === 0) {
      const page = await at(acknowledged)('read_history', { ...session, mode: 'unread', limit: PAGE });
      entries.push(...(page['entries'] as { entryId: string }[]));
    }
    await at(acknowledged)('ack_messages', { ...session, entry_id: entries.shift()?.entryId });
    left -= 1;
    // By turns at each of the two other processes.
    expect(await unreadAt(acknowledged + 1 + (Math.floor(acknowledged / 3) % 2))).toBe(left);
  }
});

test('the same key in parallel through three processes makes one line', async () => {
  const send = { channel: '#room', text: 'said once', idempotency_key: 'said-once' };

  const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => at(n)('send_message', send)));

  expect(new Set(answers.map(({ messageId }) => messageId)).size).toBe(1);
  await at(1)('send_message', { channel: '#room', text: 'after it', idempotency_key: 'after-it' });
  await waitFor('what follows is heard', () => heardFrom(bob, 'ada').includes('after it'));
  expect(heardFrom(bob, 'ada').filter((text) => text === 'said once')).toHaveLength(1);
});

test('twenty of forty posts through three processes at once are accepted', async () => {
  const headers = { authorization: `Bearer ${ada.accessToken}`, 'content-type': 'application/json' };
  const post = async (n: number): Promise<number> => {
    const url = `http://127.0.0.1:${member(n).port}/v1/channels/room/messages`;
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify({ text: `post ${n}` }) })).status;
  };

  const statuses = await Promise.all(Array.from({ length: POSTS }, (_, n) => post(n)));

  expect(statuses.filter((status) => status === 202)).toHaveLength(POSTS_ACCEPTED);
  expect(statuses.filter((status) => status === 429)).toHaveLength(POSTS - POSTS_ACCEPTED);
  const heard = () => heardFrom(bob, 'ada').filter((text) => text.startsWith('post '));
  await waitFor('they are heard', () => heard().length >= POSTS_ACCEPTED);
  expect(new Set(heard()).size).toBe(POSTS_ACCEPTED);
});

test('each mention is delivered once while three processes serve', async () => {
  await using receiver = await startReceiver();
  const holder = { baseUrl: `http://127.0.0.1:${member(0).port}` };
  await subscriberOf(holder, ada).subscribed({ url: receiver.url });
  const texts = Array.from({ length: MENTIONS }, (_, n) => `ada: mention ${String(n).padStart(3, '0')}`);

  for (const text of [...texts, 'ada: the last one']) bob.say('#room', text);

  const delivered = () => receiver.events().map(({ data }) => String(data['text']));
  await waitFor('all are delivered', () => new Set(delivered()).size > MENTIONS);
  expect(delivered().toSorted()).toEqual([...texts, 'ada: the last one'].toSorted());
  expect(new Set(receiver.events().map(({ eventId }) => eventId)).size).toBe(MENTIONS + 1);
});

function member(n: number): Member {
  const found = group.members[n % group.members.length];
  if (found === undefined) throw new Error('there are no members');
  return found;
}
