import { afterAll, expect } from 'vitest';
import { waitFor } from '../../../scripts/stack/wait-for.ts';
import { verifies } from '../../conformance/requirements/verifies.ts';
import { type Agent, connectAgent } from '../../harness/agent.ts';
import { agent, bob, stack, testInRoom } from '../../harness/fixtures/room.ts';
import { agentIn } from '../../harness/person.ts';

const test = testInRoom({ channels: ['#room', '#Ops'] });

let sister: Agent;
let stranger: Agent;

const newSession = async (who: Agent): Promise<string> =>
  (await who.call('see_account_information'))['sessionId'] as string;

const read = (who: Agent, args: Record<string, unknown>) => who.call('read_history', { channel: '#room', ...args });

const entriesIn = (page: Record<string, unknown>): WireEntry[] => page['entries'] as WireEntry[];

const textsIn = (page: Record<string, unknown>): string[] => entriesIn(page).map(({ text }) => text);

const lastIdIn = (page: Record<string, unknown>): string => entriesIn(page).at(-1)?.entryId ?? '';

test.beforeAll(async () => {
  sister = await connectAgent(stack, 'ada');
  await stack.invite('eve');
  stranger = await agentIn(stack, 'eve', ['#room']);
});

afterAll(async () => {
  for (const part of [sister, stranger]) await part?.[Symbol.asyncDispose]();
});

test('two agents of one person read and acknowledge independently; each gets its batch until it acknowledges it', async () => {
  verifies(
    'connector.session.cursor',
    'connector.tool.ack-messages',
    'connector.tool.read-history',
    'connector.parameter.entry-id',
  );
  const [mine, hers] = [await newSession(agent), await newSession(sister)];
  await catchUp(agent, mine);
  await catchUp(sister, hers);
  await say('one', 'two', 'three');
  const unread = { mode: 'unread', limit: 2 };

  const first = await read(agent, { ...unread, session_id: mine });
  expect(first).toMatchObject({ channel: '#room', mode: 'unread', hasMore: true, gap: false, nextPageToken: null });
  expect(textsIn(first)).toEqual(['one', 'two']);
  expect(await read(agent, { ...unread, session_id: mine })).toEqual(first);
  const acknowledged = await agent.call('ack_messages', {
    session_id: mine,
    channel: 'room',
    entry_id: lastIdIn(first),
  });

  expect(acknowledged).toEqual({ channel: '#room', lastAcknowledgedEntryId: lastIdIn(first), unreadCount: 1 });
  expect(textsIn(await read(agent, { ...unread, session_id: mine }))).toEqual(['three']);
  expect(textsIn(await read(sister, { ...unread, session_id: hers }))).toEqual(['one', 'two']);
  expect((await agent.call('see_account_information', { session_id: mine }))['channels']).toMatchObject([
    { channel: '#Ops' },
    { channel: '#room', unreadCount: 1, lastAcknowledgedEntryId: lastIdIn(first) },
  ]);
});

test('looking at recent activity moves no cursor, and entries seen only there cannot be acknowledged', async () => {
  verifies('connector.session.cursor', 'connector.tool.read-history');
  const session = await newSession(agent);
  await catchUp(agent, session);
  await say('only looked at');

  const recent = await read(agent, { mode: 'recent', limit: 1 });
  const refused = await agent.attempt('ack_messages', {
    session_id: session,
    channel: '#room',
    entry_id: lastIdIn(recent),
  });

  expect(textsIn(recent)).toEqual(['only looked at']);
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused.content)).toContain('read_history');
  expect(textsIn(await read(agent, { mode: 'unread', session_id: session }))).toEqual(['only looked at']);
});

test('a limit is taken as models write it, and the answer says where it is another one', async () => {
  const session = await newSession(agent);
  await say('in quotes', 'out of range');

  const quoted = await read(agent, { mode: 'recent', limit: '2' });
  const unread = await read(agent, { mode: 'unread', session_id: session, limit: '0' });
  const found = await agent.call('search_history', { phrase: 'out of range', limit: 500 });

  expect([textsIn(quoted), quoted['notice']]).toEqual([['out of range', 'in quotes'], null]);
  expect([textsIn(unread).length, unread['notice']]).toEqual([1, expect.stringContaining('for 1, not for 0')]);
  expect(found).toMatchObject({ entries: [{}], notice: expect.stringContaining('for 200, not for 500') });
});

test('a session of another agent or person is unknown to every operation', async () => {
  verifies('connector.session.binding', 'connector.authentication.9', 'connector.parameter.session-id');
  const session = await newSession(agent);
  const page = await read(agent, { mode: 'unread', session_id: session, limit: 1 });
  const calls = [
    ['read_history', { channel: '#room', mode: 'unread', session_id: session }],
    ['ack_messages', { channel: '#room', session_id: session, entry_id: lastIdIn(page) }],
    ['see_account_information', { session_id: session }],
    ['send_message', { channel: '#room', text: 'not mine', session_id: session }],
  ] as const;

  for (const who of [sister, stranger]) {
    for (const [tool, args] of calls) {
      const foreign = await who.attempt(tool, args);
      const unknown = await who.attempt(tool, { ...args, session_id: 'ses_unknown' });
      expect(foreign.isError).toBe(true);
      expect(foreign.content).toEqual(unknown.content);
    }
  }
  expect(await read(agent, { mode: 'unread', session_id: session, limit: 1 })).toEqual(page);
});

test('unread marks what mentions the nick, whole and in any case, and leaves out what the session sent', async () => {
  verifies('connector.tool.read-history');
  const session = await newSession(agent);
  await catchUp(agent, session);
  await agent.call('send_message', { channel: '#room', text: 'I am ada', session_id: session });
  await say('ADA: are you there?', 'the adamant one', 'a\u0002d\u0002a, really');

  const mine = await read(agent, { mode: 'unread', session_id: session });

  expect(entriesIn(mine).map(({ text, mention }) => [text, mention])).toEqual([
    ['ADA: are you there?', true],
    ['the adamant one', false],
    ['a\u0002d\u0002a, really', true],
  ]);
  const hers = await newSession(sister);
  await waitFor('the sister session sees the send', async () => {
    const page = await read(sister, { mode: 'unread', session_id: hers, limit: 200 });
    await sister.call('ack_messages', { session_id: hers, channel: '#room', entry_id: lastIdIn(page) });
    return textsIn(page).includes('I am ada');
  });
});

test('the last hour is newest first and comes in pages whose tokens are valid only for that list', async () => {
  verifies('connector.parameter.page-token');
  await say('p1', 'p2', 'p3', 'p4', 'p5');

  const first = await read(agent, { mode: 'last_hour', limit: 2 });
  const token = first['nextPageToken'];
  const second = await read(agent, { mode: 'last_hour', limit: 2, page_token: token });
  const otherMode = await agent.attempt('read_history', { channel: '#room', mode: 'recent', page_token: token });
  const otherPerson = await stranger.attempt('read_history', {
    channel: '#room',
    mode: 'last_hour',
    page_token: token,
  });

  expect([...textsIn(first), ...textsIn(second)]).toEqual(['p5', 'p4', 'p3', 'p2']);
  expect(first['hasMore']).toBe(true);
  expect([otherMode.isError, otherPerson.isError]).toEqual([true, true]);
});

test('search finds a phrase exactly but for case and formatting, newest first, with channel and UTC time', async () => {
  verifies('connector.tool.search-history', 'connector.parameter.phrase');
  await say('Größe: 100% of_it', "it's c:\\temp", 'GRÖ\u0002SSE: 100% of_it is ÜBEL');
  const search = async (phrase: string) => textsIn(await agent.call('search_history', { phrase }));

  expect(await search('100% OF_IT')).toEqual(['GRÖ\u0002SSE: 100% of_it is ÜBEL', 'Größe: 100% of_it']);
  expect(await search('übel')).toEqual(['GRÖ\u0002SSE: 100% of_it is ÜBEL']);
  expect(await search('100%of')).toEqual([]);
  expect(await search('1%of')).toEqual([]);
  expect(await search('of it')).toEqual([]);
  expect(await search("it's C:\\")).toEqual(["it's c:\\temp"]);
  const [entry] = entriesIn(await agent.call('search_history', { phrase: "it's c:", channel: 'ROOM' }));
  expect(entry).toMatchObject({ channel: '#room', sender: 'bob', eventTime: expect.stringMatching(/T.*Z$/) });
  expect(entriesIn(await agent.call('search_history', { phrase: "it's c:", channel: 'ops' }))).toEqual([]);
  expect(entriesIn(await stranger.call('search_history', { phrase: '100%' }))).toEqual([]);
});

test('search continues with a token that is useless for another person, another phrase or a forger', async () => {
  verifies('connector.tool.search-history', 'connector.parameter.page-token');
  await say('needle 1', 'needle 2', 'needle 3');

  const first = await agent.call('search_history', { phrase: 'Needle', limit: 2 });
  const token = first['nextPageToken'] as string;
  const second = await agent.call('search_history', { phrase: 'NEEDLE', limit: 2, page_token: token });

  expect([textsIn(first), textsIn(second)]).toEqual([['needle 3', 'needle 2'], ['needle 1']]);
  expect(second['nextPageToken']).toBeNull();
  for (const [who, args] of [
    [agent, { phrase: 'needles', page_token: token }],
    [agent, { phrase: 'needle', channel: '#room', page_token: token }],
    [agent, { phrase: 'needle', page_token: `${token.slice(0, -3)}AAA` }],
    [stranger, { phrase: 'needle', page_token: token }],
  ] as const) {
    const refused = await who.attempt('search_history', args);
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain('page_token');
  }
});

test('the status of a send is shown to every agent of the account and to no other', async () => {
  verifies('connector.parameter.message-id', 'connector.tool.get-message-status');
  const { messageId } = await agent.call('send_message', { channel: '#room', text: 'how far has it come' });
  const status = (who: Agent) => who.attempt('get_message_status', { message_id: messageId });

  await waitFor('the echo', async () => {
    const { status: state } = await agent.call('get_message_status', { message_id: messageId });
    return state === 'echoed';
  });
  const foreign = await status(stranger);
  const unknown = await stranger.attempt('get_message_status', { message_id: 'msg_unknown' });

  expect((await status(sister)).structuredContent).toMatchObject({ messageId, channel: '#room', reason: null });
  expect(foreign.isError).toBe(true);
  expect(foreign.content).toEqual(unknown.content);
});

test('an answer stays below 40 kB and says that it was cut, and no entry is lost between pages', async () => {
  const lines = Array.from({ length: 120 }, (_, index) => `${index} ${'é'.repeat(150)}`);
  await say(...lines);

  const first = await read(agent, { mode: 'recent', limit: 120 });
  const second = await read(agent, { mode: 'recent', limit: 120, page_token: first['nextPageToken'] });

  expect(first).toMatchObject({ truncated: true, hasMore: true });
  expect(JSON.stringify(first).length).toBeLessThan(48_000);
  const seen = [...textsIn(first), ...textsIn(second)].filter((text) => text.includes('é'.repeat(150)));
  expect(seen).toEqual(lines.toReversed());
});

test('going offline disconnects the account for all of its agents, and history stays readable', async () => {
  verifies('connector.tool.go-offline', 'connector.service.5');
  await sister.call('go_offline');

  await bob.seen('ada leave', ({ command, sender }) => command === 'QUIT' && sender === 'ada');
  expect(await agent.call('see_account_information')).toMatchObject({
    presence: 'offline',
    onlineSince: null,
    upstreamConnected: false,
    lastDisconnectedAt: expect.any(String),
  });
  const refused = await agent.attempt('send_message', { channel: '#room', text: 'nobody hears this' });
  expect(JSON.stringify(refused.content)).toContain('go_online');
  expect(entriesIn(await read(agent, { mode: 'recent' }))).toHaveLength(50);
  expect(await sister.call('go_offline')).toEqual({ presence: 'offline' });
});

/** Says the lines and waits until the last of them stands in the history. */
async function say(...lines: string[]): Promise<void> {
  for (const line of lines) bob.say('#room', line);
  await waitFor(`${lines.at(-1)} is kept`, async () =>
    textsIn(await read(agent, { mode: 'recent', limit: lines.length })).includes(lines.at(-1) ?? ''),
  );
}

/** Acknowledges all that is unread, so that a test sees only its own lines. */
async function catchUp(who: Agent, sessionId: string): Promise<void> {
  for (;;) {
    const page = await read(who, { mode: 'unread', session_id: sessionId, limit: 200 });
    if (entriesIn(page).length === 0) return;
    await who.call('ack_messages', { session_id: sessionId, channel: '#room', entry_id: lastIdIn(page) });
  }
}

interface WireEntry {
  entryId: string;
  channel: string;
  sender: string;
  text: string;
  eventTime: string;
  mention?: boolean;
}
