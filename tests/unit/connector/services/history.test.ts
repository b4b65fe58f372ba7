import { expect } from 'vitest';
import { DOWNLOADS_AT_ONCE } from '../../../../src/connector/domain/limits.ts';
import { removeOwed } from '../../../../src/connector/upkeep/deletions.ts';
import { agent as ada, door, testWithNewAgent } from '../../../harness/fixtures/front-door.ts';
import { capturedLine } from '../../../harness/open-store.ts';

/** Number of entries, more than the export reads and the deletion removes at once. */
const MANY = 1_203;

const test = testWithNewAgent();

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index}`);

const exportOf = (accountId: string, readerId = accountId): AsyncIterable<string> =>
  door.services.exportHistory({ accountId, readerId });

/** Does the program's work in the background. */
const inBackground = (): Promise<void> => removeOwed(door.open.store.retention, new AbortController().signal);

const entryCount = async (accountId: string): Promise<number> =>
  Number((await door.open.database('entries').where('account_id', accountId).count({ rows: '*' }))[0]?.rows);

test('the export has every entry once, as agents see them, one a line, in pieces of bounded size', async () => {
  await store(ada.accountId, numbered(MANY));
  await store(ada.accountId, ['in a channel that is not enabled any more \u2028 "quoted"'], '#ops');
  await store((await door.agent('bob')).accountId, ['of another person']);
  await door.services.enableChannels(ada.accountId, ['#room']);

  const pieces = await exported(ada.accountId);

  const entries = entriesIn(pieces);
  expect(entries.filter(({ channel }) => channel === '#room').map(({ text }) => text)).toEqual(numbered(MANY));
  expect(entries.filter(({ channel }) => channel === '#ops').map(({ text }) => text)).toEqual([
    'in a channel that is not enabled any more \u2028 "quoted"',
  ]);
  expect(entries).toHaveLength(MANY + 1);
  expect(Math.max(...pieces.map((piece) => piece.split('\n').length))).toBeLessThan(MANY / 2);
  const [newest] = (await ada.call('read_history', { channel: '#room', mode: 'recent', limit: 1 }))[
    'entries'
  ] as object[];
  expect(entries.find(({ text }) => text === `line ${MANY - 1}`)).toEqual(
    Object.fromEntries(Object.entries(newest ?? {}).filter(([key]) => key !== 'mention')),
  );
});

test('an export during which lines arrive and go has each of the others once', async () => {
  await store(ada.accountId, numbered(MANY));
  const pieces: string[] = [];

  for await (const piece of exportOf(ada.accountId)) {
    if (pieces.length === 0) {
      await door.open.store.retention.pruneOldest(ada.accountId, 100);
      await store(ada.accountId, ['arrived meanwhile']);
    }
    pieces.push(piece);
  }

  const found = entriesIn(pieces).map(({ text }) => text);
  expect(found).toEqual([...numbered(MANY), 'arrived meanwhile']);
});

test('the history of a person without entries is empty', async () => {
  expect(await exported(ada.accountId)).toEqual([]);
  await deleteAll(ada.accountId);
  expect(await exported(ada.accountId)).toEqual([]);
});

test('a deleted history is missing in pages, searches and exports, and no entry of it is unread', async () => {
  const bob = await door.agent('bob');
  await store(ada.accountId, numbered(MANY));
  await store(bob.accountId, ['of another person']);
  while ((await door.open.store.textIndex.extend(ada.accountId, '#room')) > 0);
  const { sessionId } = await ada.call('see_account_information');
  const unread = () => ada.call('read_history', { channel: '#room', mode: 'unread', session_id: sessionId, limit: 2 });
  await unread();

  await deleteAll(ada.accountId);

  expect(await texts()).toEqual([]);
  expect((await ada.call('search_history', { phrase: 'line 1' }))['entries']).toEqual([]);
  expect(await exported(ada.accountId)).toEqual([]);
  expect(await unread()).toMatchObject({ entries: [], gap: true });
  const { channels, lastReceived } = await ada.call('see_account_information', { session_id: sessionId });
  expect((channels as { unreadCount: number }[]).map(({ unreadCount }) => unreadCount)).toEqual([0, 0]);
  expect(lastReceived).toBeNull();
  for (const table of ['text_blocks', 'text_grams']) {
    expect(Number((await door.open.database(table).count({ rows: '*' }))[0]?.rows), table).toBe(0);
  }
  expect(entriesIn(await exported(bob.accountId)).map(({ text }) => text)).toEqual(['of another person']);
});

test('deleted entries are hidden from the answer on, before any is removed; later ones are shown', async () => {
  await store(ada.accountId, numbered(MANY));
  while ((await door.open.store.textIndex.extend(ada.accountId, '#room')) > 0);
  await store(ada.accountId, ['line behind the index']);
  await store(ada.accountId, ['line in another channel'], '#ops');
  const { sessionId } = await ada.call('see_account_information');
  const unread = () => ada.call('read_history', { channel: '#room', mode: 'unread', session_id: sessionId, limit: 2 });
  const account = () => ada.call('see_account_information', { session_id: sessionId });
  const countsOf = ({ channels }: Record<string, unknown>) =>
    Object.fromEntries(
      (channels as { channel: string; unreadCount: number }[]).map(({ channel, unreadCount }) => [
        channel,
        unreadCount,
      ]),
    );
  const found = async (more: object = {}) =>
    (
      (await ada.call('search_history', { phrase: 'line', ...more }))['entries'] as {
        text: string;
      }[]
    ).map(({ text }) => text);
  expect(await unread()).toMatchObject({ entries: [{ text: 'line 0' }, { text: 'line 1' }], gap: false });
  expect(countsOf(await account())).toEqual({ '#room': MANY + 1, '#ops': 1 });
  expect(await found()).not.toEqual([]);

  await door.services.deleteHistory(ada.accountId);

  expect(await texts()).toEqual([]);
  expect((await ada.call('read_history', { channel: '#room', mode: 'last_hour' }))['entries']).toEqual([]);
  expect([await found(), await found({ channel: '#room' })]).toEqual([[], []]);
  expect(await unread()).toMatchObject({ entries: [], gap: true, hasMore: false });
  const emptied = await account();
  expect(countsOf(emptied)).toEqual({ '#room': 0, '#ops': 0 });
  expect(emptied['lastReceived']).toBeNull();
  const told = await door.services.diagnostics({ limit: 10, since: undefined });
  expect(told.events).toEqual([]);

  await store(ada.accountId, ['line after it']);
  const isReadAlone = async () => {
    expect(await texts()).toEqual(['line after it']);
    expect([await found(), await found({ channel: '#room' })]).toEqual([['line after it'], ['line after it']]);
    expect(await unread()).toMatchObject({ entries: [{ text: 'line after it' }], gap: true, hasMore: false });
    const then = await account();
    expect(countsOf(then)).toEqual({ '#room': 1, '#ops': 0 });
    expect(then['lastReceived']).not.toBeNull();
  };
  await isReadAlone();
  expect(await entryCount(ada.accountId)).toBe(MANY + 3);
  await inBackground();
  expect(await entryCount(ada.accountId)).toBe(1);
  await isReadAlone();
});

test('a short history that is deleted a moment after a long one does not wait behind it', async () => {
  const bob = await door.agent('bob');
  await store(bob.accountId, numbered(MANY));
  await store(ada.accountId, ['to be deleted']);
  await door.services.deleteHistory(bob.accountId);
  const { retention } = door.open.store;
  const left: [ofAda: number, ofBob: number][] = [];

  await removeOwed(
    {
      ...retention,
      removeOwed: async (owed, limit) => {
        if (left.length === 0) await door.services.deleteHistory(ada.accountId);
        const count = await retention.removeOwed(owed, limit);
        left.push([await entryCount(ada.accountId), await entryCount(bob.accountId)]);
        return count;
      },
    },
    new AbortController().signal,
  );

  expect(left.find(([ofAda]) => ofAda === 0)?.[1]).toBeGreaterThan(0);
  expect(left.at(-1)).toEqual([0, 0]);
  expect(await retention.owed()).toEqual([]);
});

test('a message after a deletion is stored, unread and found as usual', async () => {
  await store(ada.accountId, ['before']);
  await deleteAll(ada.accountId);
  await ada.call('go_online');

  door.bouncer.hear('after');

  await expect.poll(texts).toEqual(['after']);
  const { channels } = await ada.call('see_account_information');
  expect(channels).toContainEqual(expect.objectContaining({ channel: '#room', unreadCount: 1 }));
  expect((await ada.call('search_history', { phrase: 'after' }))['entries']).toHaveLength(1);
});

test('a replay does not bring back what was deleted, and brings what came after it', async () => {
  await ada.call('go_online');
  const at = door.open.clock.now();
  const [deleted, kept] = [capturedLine('deleted', at - 1_000), capturedLine('kept', at + 1_000)];
  door.bouncer.replay('#room', [deleted]);
  await expect.poll(texts).toEqual(['deleted']);
  await deleteAll(ada.accountId);

  door.bouncer.replay('#room', [deleted, kept]);

  await expect.poll(texts).toEqual(['kept']);
});

test('a line that its server’s clock dates a little ahead does not come back either', async () => {
  await ada.call('go_online');
  const at = door.open.clock.now();
  const [deleted, kept] = [capturedLine('deleted', at + 2_000), capturedLine('kept', at + 3_000)];
  door.bouncer.replay('#room', [deleted]);
  await expect.poll(texts).toEqual(['deleted']);
  await deleteAll(ada.accountId);

  door.bouncer.replay('#room', [deleted, kept]);

  await expect.poll(texts).toEqual(['kept']);
});

test('a send that is on its way outlasts a deletion, and one that has come back does not', async () => {
  await ada.call('go_online');
  await ada.call('send_message', { channel: '#room', text: 'has come back' });
  door.bouncer.echo(door.bouncer.written[0], door.open.clock.now());
  const { messageId } = await ada.call('send_message', { channel: '#room', text: 'on its way' });
  const statusOf = async () => (await ada.call('get_message_status', { message_id: messageId }))['status'];
  await expect.poll(async () => (await exported(ada.accountId)).join('')).toContain('"timestampSource":"server"');

  await deleteAll(ada.accountId);

  expect(await texts()).toEqual(['on its way']);
  expect(await door.services.isHistoryBeingDeleted(ada.accountId)).toBe(false);
  door.bouncer.echo(door.bouncer.written[1], door.open.clock.now() + 1);
  await expect.poll(statusOf).toBe('echoed');
  expect(await texts()).toEqual(['on its way']);
});

test('two deletions at once remove everything', async () => {
  await store(ada.accountId, numbered(MANY));

  await Promise.all([1, 2].map(() => deleteAll(ada.accountId)));

  expect(await texts()).toEqual([]);
  expect(await door.services.isHistoryBeingDeleted(ada.accountId)).toBe(false);
});

test('a deletion is owed from its request on: the next process finishes it, with no more than was there then', async () => {
  await store(ada.accountId, numbered(MANY));
  await door.services.deleteHistory(ada.accountId);
  await store(ada.accountId, ['said after it']);
  expect(await door.services.isHistoryBeingDeleted(ada.accountId)).toBe(true);

  // Another run of the program knows only what is stored.
  await removeOwed(door.open.anew(door.open.clock).retention, new AbortController().signal);

  expect(await texts()).toEqual(['said after it']);
  expect(await door.services.isHistoryBeingDeleted(ada.accountId)).toBe(false);
});

test('a deletion that begins while another one is under way goes as far as it was asked for', async () => {
  await store(ada.accountId, numbered(MANY));
  await door.services.deleteHistory(ada.accountId);
  const [first] = await door.open.store.retention.owed();
  if (first === undefined) throw new Error('nothing is owed');
  await store(ada.accountId, ['said in between']);
  await door.services.deleteHistory(ada.accountId);

  while ((await door.open.store.retention.removeOwed(first, MANY)) > 0);
  expect(await door.services.isHistoryBeingDeleted(ada.accountId)).toBe(true);
  await inBackground();

  expect(await texts()).toEqual([]);
});

test('an interrupted deletion ends between two steps', async () => {
  await store(ada.accountId, numbered(MANY));
  await door.services.deleteHistory(ada.accountId);
  const ending = new AbortController();
  const { retention } = door.open.store;

  await removeOwed(
    {
      ...retention,
      removeOwed: (owed, limit) => {
        ending.abort();
        return retention.removeOwed(owed, limit);
      },
    },
    ending.signal,
  );

  expect(await entryCount(ada.accountId)).toBeGreaterThan(MANY / 2);
  expect(await door.services.isHistoryBeingDeleted(ada.accountId)).toBe(true);
});

test('a history that can’t be deleted does not hold up those of others', async () => {
  const bob = await door.agent('bob');
  for (const { accountId } of [ada, bob]) {
    await store(accountId, ['to be deleted']);
    await door.services.deleteHistory(accountId);
  }
  const { retention } = door.open.store;
  const [first] = await retention.owed();

  const pass = removeOwed(
    {
      ...retention,
      removeOwed: (owed, limit) =>
        owed.accountId === first?.accountId
          ? Promise.reject(new Error('it is damaged'))
          : retention.removeOwed(owed, limit),
    },
    new AbortController().signal,
  );

  await expect(pass).rejects.toThrow('it is damaged');
  expect((await retention.owed()).map(({ accountId }) => accountId)).toEqual([first?.accountId]);
});

test('while a person downloads their history, they can’t delete it: what is not in the file yet would be lost', async () => {
  await store(ada.accountId, numbered(MANY));
  const reading = exportOf(ada.accountId)[Symbol.asyncIterator]();
  await reading.next();

  await expect(door.services.deleteHistory(ada.accountId)).rejects.toMatchObject({
    code: 'history_busy',
    retryAfterSeconds: expect.any(Number),
  });
  await rest(reading);

  await deleteAll(ada.accountId);
  expect(await texts()).toEqual([]);
});

test('a download during which the history is deleted fails, also if all is gone by then', async () => {
  const owner = await door.agent('owner');
  for (const background of [inBackground, async () => undefined]) {
    await store(ada.accountId, numbered(MANY));
    const reading = exportOf(ada.accountId, owner.accountId)[Symbol.asyncIterator]();
    await reading.next();

    await door.services.deleteHistory(ada.accountId);
    await background();

    await expect(rest(reading)).rejects.toMatchObject({ code: 'history_busy' });
  }
});

test('a history that is being deleted can’t be downloaded, and what comes after it can', async () => {
  await store(ada.accountId, numbered(MANY));
  await door.services.deleteHistory(ada.accountId);

  await expect(exported(ada.accountId)).rejects.toMatchObject({ code: 'history_busy' });
  await inBackground();
  await store(ada.accountId, ['said after it']);

  expect(entriesIn(await exported(ada.accountId)).map(({ text }) => text)).toEqual(['said after it']);
});

test('a person downloads one history at a time; one that is given up counts no more', async () => {
  await store(ada.accountId, numbered(MANY));
  const reading = exportOf(ada.accountId)[Symbol.asyncIterator]();
  await reading.next();

  await expect(exported(ada.accountId)).rejects.toMatchObject({
    code: 'history_busy',
    retryAfterSeconds: expect.any(Number),
  });
  await reading.return?.();

  expect(entriesIn(await exported(ada.accountId))).toHaveLength(MANY);
});

test('the number of downloads at once is bounded, for all people together', async () => {
  await store(ada.accountId, numbered(MANY));
  const readings = Array.from({ length: DOWNLOADS_AT_ONCE }, (_, n) =>
    exportOf(ada.accountId, `owner ${n}`)[Symbol.asyncIterator](),
  );
  for (const reading of readings) await reading.next();

  await expect(exported(ada.accountId)).rejects.toMatchObject({ code: 'downloads_exhausted' });
  await rest(readings[0] as AsyncIterator<string>);

  expect(entriesIn(await exported(ada.accountId))).toHaveLength(MANY);
  for (const reading of readings) await reading.return?.();
});

for (const [clock, behindMs] of [
  ['right', 0],
  ['an hour behind', 3_600_000],
] as const) {
  test(`entries missed after a deletion come with a replay, and no older ones, where the server’s clock is ${clock}`, async () => {
    await ada.call('go_online');
    const begin = door.open.clock.now();
    const said = (text: string, atMs: number) => capturedLine(text, begin + atMs - behindMs);
    const [before, missedBefore, missedAfter] = [
      said('heard at once', 0),
      said('missed before it', 500),
      said('missed after it', 1_500),
    ];
    door.bouncer.hear('heard at once', before);
    await expect.poll(texts).toEqual(['heard at once']);
    door.open.clock.set(begin + 1_000);
    await deleteAll(ada.accountId);

    door.bouncer.replay('#room', [before, missedBefore, missedAfter]);

    await expect.poll(texts).toEqual(['missed after it']);
  });
}

for (const [clock, behindMs] of [
  ['behind by minutes', 240_000],
  ['ahead by a minute', -60_000],
] as const) {
  test(`a repeated deletion has no effect, where the server’s clock is ${clock}`, async () => {
    await ada.call('go_online');
    const begin = door.open.clock.now();
    const said = (text: string, atMs: number) => capturedLine(text, begin + atMs - behindMs);
    const [before, after] = [said('heard at once', 0), said('missed after both', 5_000)];
    door.bouncer.hear('heard at once', before);
    await expect.poll(texts).toEqual(['heard at once']);
    for (const atMs of [1_000, 3_000]) {
      door.open.clock.set(begin + atMs);
      await deleteAll(ada.accountId);
    }

    door.bouncer.replay('#room', [before, after]);

    await expect.poll(texts).toEqual(['missed after both']);
  });
}

test('the last hour has the entries that its servers date in it, and none that they date in the future', async () => {
  const now = door.open.clock.now();
  const MINUTE_MS = 60_000;
  const at = (text: string, minutes: number) => ({
    line: capturedLine(text, now + minutes * MINUTE_MS),
    own: undefined,
  });
  const lines = [at('long ago', -61), at('a while ago', -59), at('now', 0), at('soon', 1), at('in hours', 300)];
  await door.open.store.capture.ingest(ada.accountId, 'main', { lines, isReplay: false, synced: new Set() });

  const lastHour = await ada.call('read_history', { channel: '#room', mode: 'last_hour' });

  expect((lastHour['entries'] as { text: string }[]).map(({ text }) => text)).toEqual(['now', 'a while ago']);
  expect(await texts()).toEqual(['long ago', 'a while ago', 'now', 'soon', 'in hours']);
});

async function store(accountId: string, texts: readonly string[], channel = '#room'): Promise<void> {
  const at = door.open.clock.now() - 60_000;
  const lines = texts.map((text, index) => ({ line: capturedLine(text, at + index, channel), own: undefined }));
  await door.open.store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });
}

/** Reads on in an export until it ends. */
async function rest(reading: AsyncIterator<string>): Promise<void> {
  while ((await reading.next()).done !== true);
}

async function deleteAll(accountId: string): Promise<void> {
  await door.services.deleteHistory(accountId);
  await inBackground();
}

/** Returns the pieces of the export. */
async function exported(accountId: string): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of exportOf(accountId)) pieces.push(piece);
  return pieces;
}

function entriesIn(pieces: readonly string[]): { entryId: string; channel: string; text: string }[] {
  return pieces
    .join('')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

async function texts(): Promise<string[]> {
  return ((await ada.call('read_history', { channel: '#room', mode: 'recent' }))['entries'] as { text: string }[])
    .map(({ text }) => text)
    .toReversed();
}
