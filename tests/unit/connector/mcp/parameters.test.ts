import { expect } from 'vitest';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { agent, door, testWithAgent } from '../../../harness/fixtures/front-door.ts';
import { capturedLine } from '../../../harness/open-store.ts';

/** Number of lines, more than an answer has without a limit. */
const LINES = 60;

const test = testWithAgent();

/** An acknowledgement of everything in #room. */
let acknowledgement: { session_id: unknown; entry_id: unknown };

test.beforeAll(async () => {
  await agent.call('go_online');
  const now = door.open.clock.now();
  const lines = Array.from({ length: LINES }, (_, n) => ({ line: capturedLine(`line ${n}`, now + n), own: undefined }));
  await door.open.store.capture.ingest(agent.accountId, 'main', { lines, isReplay: false, synced: new Set() });
  const { sessionId: session_id } = await agent.call('see_account_information');
  const { entries } = await agent.call('read_history', { channel: '#room', mode: 'unread', session_id, limit: 200 });
  acknowledgement = { session_id, entry_id: (entries as { entryId: string }[]).at(-1)?.entryId };
});

const isTaken = async (tool: string, args: object): Promise<boolean> =>
  (await agent.attempt(tool, args)).isError !== true;

test('every tool takes an enabled channel with and without its #, in any case, and no other', async () => {
  verifies('connector.parameter.channel');
  for (const channel of ['#room', 'room', 'ROOM', '#Room']) {
    for (const [tool, args] of inChannel(channel)) expect([tool, channel, await isTaken(tool, args)]).toContain(true);
  }
  await door.services.enableChannels(agent.accountId, ['#room']);
  for (const channel of ['#ops', 'ops', '#nowhere', '##room', '']) {
    for (const [tool, args] of inChannel(channel)) {
      // A search needs no channel, so it accepts an empty one.
      const isLeftOut = channel === '' && tool === 'search_history';
      expect([tool, channel, await isTaken(tool, args)]).toContain(isLeftOut);
    }
  }
});

for (const [tool, args] of [
  ['read_history', { channel: '#room', mode: 'recent' }],
  ['search_history', { phrase: 'line' }],
] as const) {
  test(`the limit of ${tool} is from 1 to 200, and 50 when it is left out`, async () => {
    verifies('connector.parameter.limit');
    const count = async (limit: object) =>
      ((await agent.call(tool, { ...args, ...limit }))['entries'] as unknown[]).length;

    expect([await count({}), await count({ limit: 1 })]).toEqual([50, 1]);
    expect(await count({ limit: 200 })).toBeGreaterThanOrEqual(LINES);
    for (const limit of [1.5, '1.5', 'all', '0x14', true, [20]]) {
      expect([limit, await isTaken(tool, { ...args, limit })]).toEqual([limit, false]);
    }
  });

  test(`a limit of ${tool} that is written as a text counts as its number`, async () => {
    for (const [limit, meant] of [
      ['20', 20],
      [' 20 ', 20],
      ['20.0', 20],
      ['+7', 7],
    ] as const) {
      const answer = await agent.call(tool, { ...args, limit });

      expect([limit, (answer['entries'] as unknown[]).length, answer['notice']]).toEqual([limit, meant, null]);
    }
  });

  test(`a limit of ${tool} that is out of range becomes the nearest, and the answer says so`, async () => {
    verifies('connector.parameter.limit');
    for (const [limit, meant] of [
      [0, 1],
      [-1, 1],
      ['-5', 1],
      [201, 200],
      ['500', 200],
      [1e300, 200],
    ] as const) {
      const { entries, notice } = await agent.call(tool, { ...args, limit });

      expect((entries as unknown[]).length >= Math.min(meant, LINES)).toBe(true);
      if (meant === 1) expect(entries).toHaveLength(1);
      expect(notice).toBe(`limit is from 1 to 200: this answer is that for ${meant}, not for ${Number(limit)}`);
    }
  });
}

test('the mode is one of three, and has to be named', async () => {
  verifies('connector.parameter.mode');
  const withMode = (mode: unknown) =>
    isTaken('read_history', { channel: '#room', mode, session_id: acknowledgement.session_id });

  for (const mode of ['recent', 'last_hour', 'unread']) expect([mode, await withMode(mode)]).toEqual([mode, true]);
  for (const mode of ['last_day', 'Recent', '', undefined]) expect([mode, await withMode(mode)]).toEqual([mode, false]);
});

test('a text has 1 to 400 characters, each a code point, in one line without control characters', async () => {
  verifies('connector.parameter.text', 'connector.limit.message-text-of-send-message', 'connector.limit.a-character');
  const withText = (text: string) => isTaken('send_message', { channel: '#room', text });

  for (const text of ['x', 'x'.repeat(400), '🙂'.repeat(400)])
    expect([text, await withText(text)]).toEqual([text, true]);
  for (const text of [
    '',
    ' ',
    '\u00a0\u3000',
    'x'.repeat(401),
    '🙂'.repeat(401),
    'a\nb',
    'a\rb',
    'a\u2028b',
    'a\tb',
    'a\u0085b',
  ]) {
    expect([text, await withText(text)]).toEqual([text, false]);
  }
});

test('an idempotency key has 1 to 128 visible ASCII characters', async () => {
  verifies('connector.parameter.idempotency-key');
  const withKey = (key: string) => isTaken('send_message', { channel: '#room', text: key, idempotency_key: key });

  for (const key of ['x', '!~', 'k'.repeat(128)]) expect([key, await withKey(key)]).toEqual([key, true]);
  for (const idempotency_key of ['k'.repeat(129), 'a b', 'é', 'a\n']) {
    const call = { channel: '#room', text: 'hello', idempotency_key };
    expect([idempotency_key, await isTaken('send_message', call)]).toEqual([idempotency_key, false]);
  }
});

/** The tools that take a channel, with all else that they need. */
function inChannel(channel: string): [tool: string, args: object][] {
  return [
    ['read_history', { channel, mode: 'recent' }],
    ['ack_messages', { channel, ...acknowledgement }],
    ['search_history', { channel, phrase: 'line' }],
    ['send_message', { channel, text: 'hello' }],
  ];
}
