import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { capturedLine } from '../../../harness/open-store.ts';

/** More at once than the pool has connections. */
const WRITERS = 12;
const LINES_EACH = 10;

const test = testWithStore();

test('a session that reads while many write at once gets every entry', async () => {
  const accountId = await open.account('ada');
  const reader = {
    accountId,
    clientId: 'reader',
    sessionId: await open.store.agentSessions.create(accountId, 'reader'),
  };
  const write = async (writer: number) => {
    for (let n = 0; n < LINES_EACH; n += 1) {
      const lines = [{ line: capturedLine(`${writer} ${n}`, n), own: undefined }];
      await open.store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });
    }
  };
  const seen: string[] = [];
  const read = async () => {
    const { entries } = await open.store.agentCursors.nextBatch(reader, '#room', { limit: 50, cut: (all) => all });
    const last = entries.at(-1);
    if (last === undefined) return;
    await open.store.agentCursors.acknowledge(reader, '#room', last.entryId);
    seen.push(...entries.map(({ text }) => text));
  };

  let isWriting = true;
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer))).finally(() => {
    isWriting = false;
  });
  while (isWriting) {
    await read();
    // Without unread entries the answer comes without a wait, so this lets the writers go on.
    await setImmediate();
  }
  await writing;
  for (let n = 0; n < WRITERS; n += 1) await read();

  expect(new Set(seen).size).toBe(WRITERS * LINES_EACH);
  expect(seen).toHaveLength(WRITERS * LINES_EACH);
});

test('accounts that are made at once do not pass the limit together', async () => {
  const existing = (await open.store.accounts.list()).length;
  const make = (n: number) =>
    open.store.accounts.create(
      { login: `l${n}`, nick: `n${n}`, grants: [{ channel: '#room', enabled: true }] },
      existing + 1,
    );

  const made = await Promise.all(Array.from({ length: WRITERS }, (_, n) => make(n)));

  expect(made.filter((account) => account !== undefined)).toHaveLength(1);
});

test('people and channels are in the same order in both databases', async () => {
  const grants = ['#b', '#A', '#a', '#ä'].map((channel) => ({ channel, enabled: true }));
  for (const [n, login] of ['Zoe', 'émile', 'zoe', 'Bob', 'bob'].entries()) {
    await open.store.accounts.create({ login, nick: `nick${n}`, grants }, 1_000);
  }

  const people = (await open.store.accounts.list()).filter((account) => account.grants.length === grants.length);

  expect(people.map(({ login }) => login)).toEqual(['Bob', 'Zoe', 'bob', 'zoe', 'émile']);
  expect(people[0]?.grants.map(({ channel }) => channel)).toEqual(['#A', '#a', '#b', '#ä']);
});

test('a NUL in a text is stored as a replacement character, and a phrase with one matches no entry', async () => {
  const accountId = await open.account('nul');
  const lines = [{ line: capturedLine('a\0b', 1), own: undefined }];

  await open.store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });

  expect((await open.store.entries.newestReceived(accountId, ['#room']))?.text).toBe('a\uFFFDb');
  expect(await open.store.messages.findOf(accountId, 'msg_\0')).toBeUndefined();
});

test('history is read and searched while something is being stored, as it was before', async () => {
  const accountId = await open.account('eve');
  const batch = (text: string) => ({
    lines: [{ line: capturedLine(text, 1), own: undefined }],
    isReplay: false,
    synced: new Set<string>(),
  });
  await open.store.capture.ingest(accountId, 'main', batch('said before'));
  const range = { channels: ['#room'], limit: 10 };

  const [read, searched] = await open.database.transaction(async (transaction) => {
    await transaction('entries').where('account_id', accountId).update({ text: 'said since' });
    return Promise.all([
      open.store.history.newestFirst(accountId, range),
      open.store.history.newestFirst(accountId, { ...range, phrase: 'before' }),
    ]);
  });
  const after = await open.store.history.newestFirst(accountId, range);

  expect([read, searched, after].map(([entry]) => entry?.text)).toEqual(['said before', 'said before', 'said since']);
});
