import { expect } from 'vitest';
import { agent, door, testWithAgent } from '../../../harness/fixtures/front-door.ts';
import { DOOR_CHANNELS, type DoorAgent, type ToolAnswer } from '../../../harness/front-door.ts';
import { capturedLine } from '../../../harness/open-store.ts';

/** Lines in #room: more than a page of two. */
const LINES = ['plain', '100% sure', 'under_score', "it's", 'back\\slash', 'two  blanks'];

const test = testWithAgent();

/** Another client of the same person, and a client of another person. */
let sister: DoorAgent;
let stranger: DoorAgent;

test.beforeAll(async () => {
  sister = await door.agent('ada', { client: 'sister' });
  stranger = await door.agent('eve');
  const now = door.open.clock.now();
  const lines = LINES.map((text, n) => ({ line: capturedLine(text, now + n), own: undefined }));
  for (const { accountId } of [agent, stranger]) {
    await door.open.store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });
  }
  await agent.call('go_online');
});

const openSession = async (of: DoorAgent): Promise<string> =>
  String((await of.call('see_account_information'))['sessionId']);

for (const [whose, other] of [
  ['another client of the same person', () => sister],
  ['another person', () => stranger],
] as const) {
  test(`a session of ${whose} is as unknown as one that never was, and an acknowledgement moves no cursor`, async () => {
    const [session_id, own] = [await openSession(other()), await openSession(agent)];
    const [last] = (await unread(own)).slice(-1);
    const inSession = (id: string) =>
      [
        ['see_account_information', { session_id: id }],
        ['read_history', { channel: '#room', mode: 'unread', session_id: id }],
        ['ack_messages', { channel: '#room', session_id: id, entry_id: last?.entryId }],
        ['send_message', { channel: '#room', text: 'x', session_id: id }],
      ] as const;

    const written = await writtenDuring(async () => {
      for (const [index, [tool, args]] of inSession(session_id).entries()) {
        const unknown = inSession('ses_never')[index]?.[1];
        expect(words(await agent.attempt(tool, args))).toBe(words(await agent.attempt(tool, unknown)));
      }
    });

    const { channels } = await other().call('see_account_information', { session_id });
    expect(channels).toContainEqual(expect.objectContaining({ channel: '#room', unreadCount: LINES.length }));
    expect(written).toEqual([]);
  });
}

test('an acknowledgement beyond the batch, of another channel or of a made-up entry is refused and moves no cursor', async () => {
  const session_id = await openSession(agent);
  const batch = await unread(session_id);
  const { entries } = await agent.call('read_history', { channel: '#room', mode: 'recent' });
  const [newest] = entries as { entryId: string }[];
  const [first] = batch;

  for (const [channel, entry_id] of [
    ['#room', newest?.entryId],
    ['#ops', first?.entryId],
    ['#room', 'ent_made_up'],
    ['#room', "x' OR '1'='1"],
  ]) {
    words(await agent.attempt('ack_messages', { channel, session_id, entry_id }));
  }

  expect(await unread(session_id)).toEqual(batch);
});

test('a channel that is not enabled and one that was never granted are refused in the same words', async () => {
  await door.services.enableChannels(agent.accountId, ['#room']);

  for (const [tool, args] of [
    ['read_history', { mode: 'recent' }],
    ['search_history', { phrase: 'x' }],
    ['send_message', { text: 'x' }],
  ] as const) {
    const [granted, unknown] = [
      words(await agent.attempt(tool, { ...args, channel: '#ops' })),
      words(await agent.attempt(tool, { ...args, channel: '#nope' })),
    ];
    expect(granted.replace('#ops', '#nope')).toBe(unknown);
  }
  await door.services.enableChannels(agent.accountId, DOOR_CHANNELS);
});

test('a page token that was edited, made up, or is another person’s, phrase’s or list’s is refused', async () => {
  const search = { phrase: 'a', limit: 1 };
  const { nextPageToken } = await agent.call('search_history', search);
  const token = String(nextPageToken);
  const attempts: [DoorAgent, string, object][] = [
    [stranger, 'search_history', { ...search, page_token: token }],
    [agent, 'search_history', { ...search, phrase: 'b', page_token: token }],
    [agent, 'search_history', { ...search, channel: '#room', page_token: token }],
    [agent, 'read_history', { channel: '#room', mode: 'recent', page_token: token }],
    ...[`${token.slice(0, -4)}AAAA`, token.slice(1), 'AAAA', '../..'].map((page_token): [DoorAgent, string, object] => [
      agent,
      'search_history',
      { ...search, page_token },
    ]),
  ];

  expect((await agent.attempt('search_history', { ...search, page_token: token })).isError).toBeUndefined();
  for (const [who, tool, args] of attempts) expect(words(await who.attempt(tool, args))).toMatch(/page_?token/i);
});

for (const [why, text] of [
  ['a line break', 'x\r\nQUIT'],
  ['a lone line feed', 'x\nPRIVMSG #ops :x'],
  ['a NUL', 'x\0y'],
  ['another control character', 'x\u0001ACTION\u0001'],
  ['a C1 control character', 'x\u0085y'],
  ['401 characters', 'x'.repeat(401)],
  ['nothing in it', ''],
  ['only spaces', '   '],
  ['half of a character', '\ud800'],
] as const) {
  test(`a text with ${why} is refused, and no line reaches the bouncer`, async () => {
    const send = async () => words(await agent.attempt('send_message', { channel: '#room', text }));

    expect(await writtenDuring(send)).toEqual([]);
  });
}

for (const [what, second] of [
  ['text', { channel: '#room', text: 'another text' }],
  ['channel', { channel: '#ops', text: 'the text' }],
] as const) {
  test(`a key that comes again with another ${what} is refused, and the first message stays what it was`, async () => {
    const idempotency_key = `another-${what}`;
    const sent = await agent.call('send_message', { channel: '#room', text: 'the text', idempotency_key });

    const again = async () => words(await agent.attempt('send_message', { ...second, idempotency_key }));

    expect(await writtenDuring(again)).toEqual([]);
    expect(await agent.call('get_message_status', { message_id: sent['messageId'] })).toMatchObject({
      channel: '#room',
      entryId: sent['entryId'],
    });
  });
}

test('fifty calls with one key at the same time send one line', async () => {
  const send = () => agent.call('send_message', { channel: '#room', text: 'once', idempotency_key: 'of-fifty' });
  const ids = new Set<unknown>();

  const written = await writtenDuring(async () => {
    const sent = await Promise.all(Array.from({ length: 50 }, send));
    for (const { messageId } of sent) ids.add(messageId);
  });

  expect([ids.size, written]).toEqual([1, [['#room', 'once']]]);
});

for (const [phrase, found] of [
  ['%', ['100% sure']],
  ['_', ['under_score']],
  ["'", ["it's"]],
  ['\\', ['back\\slash']],
  ['two  b', ['two  blanks']],
  ["' OR '1'='1", []],
  ['"', []],
  ['*', []],
] as const) {
  test(`the phrase ${phrase} finds only itself`, async () => {
    const { entries } = await agent.call('search_history', { phrase });

    expect((entries as { text: string }[]).map(({ text }) => text)).toEqual(found);
  });
}

for (const [why, phrase] of [
  ['401 characters', 'x'.repeat(401)],
  ['100 kB', 'x'.repeat(100_000)],
  ['a NUL', 'a\0b'],
  ['formatting alone', '\u0002\u0003'],
  ['a number in its place', 5],
] as const) {
  test(`a phrase with ${why} is refused by name`, async () => {
    expect(words(await agent.attempt('search_history', { phrase }))).toContain('phrase');
  });
}

/** Returns the lines that reach the bouncer while `work` runs. */
async function writtenDuring(work: () => Promise<unknown>): Promise<[channel: string, text: string][]> {
  const before = door.bouncer.written.length;
  await work();
  return door.bouncer.written.slice(before).map(({ channel, text }) => [channel, text]);
}

async function unread(session_id: string): Promise<{ entryId: string; text: string }[]> {
  const batch = await agent.call('read_history', { channel: '#room', mode: 'unread', session_id, limit: 2 });
  return batch['entries'] as { entryId: string; text: string }[];
}

function words({ isError, content }: ToolAnswer): string {
  expect(isError).toBe(true);
  return content[0]?.text ?? '';
}
