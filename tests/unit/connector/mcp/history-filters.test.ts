import { expect } from 'vitest';
import type { EntryKind } from '../../../../src/connector/domain/entry.ts';
import { LOOKED_AT_FOR_KINDS } from '../../../../src/connector/domain/limits.ts';
import { agent, door, testWithAgent } from '../../../harness/fixtures/front-door.ts';
import { capturedLine } from '../../../harness/open-store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const START = Date.UTC(2026, 0, 31, 8);
const KINDS: readonly EntryKind[] = ['message', 'join', 'action', 'topic'];
const COUNT = 40;

const test = testWithAgent();

/** All entries in the order of time: line 0 at START, each a minute later, with the kinds by turns. */
let all: WireEntry[];

test.beforeAll(async () => {
  door.open.clock.set(START + COUNT * MINUTE_MS);
  await store(agent.accountId);
  await store((await door.agent('bob')).accountId);
  all = (await read({ limit: 200 })).toReversed();
});

const call = (args: object) => agent.call('read_history', { channel: '#room', mode: 'recent', ...args });
const read = async (args: object): Promise<WireEntry[]> => (await call(args))['entries'] as WireEntry[];
const numbers = async (args: object): Promise<number[]> =>
  (await read(args)).map(({ text }) => Number(text.split(' ')[1])).toReversed();
const iso = (n: number): string => new Date(START + n * MINUTE_MS).toISOString();
const idOf = (n: number): string => all[n]?.entryId ?? '';

test('history is read from a time on, and up to another one, which is left out', async () => {
  expect(await numbers({ since: iso(36) })).toEqual([36, 37, 38, 39]);
  expect(await numbers({ before: iso(3) })).toEqual([0, 1, 2]);
  expect(await numbers({ since: iso(5), before: iso(8) })).toEqual([5, 6, 7]);
  expect(await numbers({ since: iso(8), before: iso(5) })).toEqual([]);
  // Models write times like this.
  expect(await numbers({ since: '2026-01-31 08:36', before: '2026-01-31T10:38:00+02:00' })).toEqual([36, 37]);
  expect(await numbers({ since: '2026-01-31' })).toHaveLength(COUNT);
});

test('history is read after one entry, and before another one', async () => {
  expect(await numbers({ since: idOf(36) })).toEqual([37, 38, 39]);
  expect(await numbers({ before: idOf(3) })).toEqual([0, 1, 2]);
  expect(await numbers({ since: idOf(5), before: iso(8) })).toEqual([6, 7]);
});

test('history is read by what kind of thing happened', async () => {
  expect(await numbers({ kinds: ['topic'] })).toEqual([3, 7, 11, 15, 19, 23, 27, 31, 35, 39]);
  expect(await numbers({ kinds: ['message', 'action'], since: iso(30) })).toEqual([30, 32, 34, 36, 38]);
  expect(await numbers({ kinds: ['kick'] })).toEqual([]);
  expect(await numbers({ kinds: [] })).toHaveLength(COUNT);
  for (const kinds of ['message,action', '["message","action"]', 'message, action']) {
    expect([kinds, await numbers({ kinds, since: iso(34) })]).toEqual([kinds, [34, 36, 38]]);
  }
});

test('the last hour is narrowed in the same way', async () => {
  door.open.clock.set(START + 70 * MINUTE_MS);
  expect(await numbers({ mode: 'last_hour' })).toEqual(Array.from({ length: COUNT - 10 }, (_, n) => n + 10));
  expect(await numbers({ mode: 'last_hour', before: iso(12) })).toEqual([10, 11]);
  expect(await numbers({ mode: 'last_hour', since: iso(5), kinds: ['topic'], before: iso(20) })).toEqual([11, 15, 19]);
});

test('the pages of a narrowed list have each entry once, and a token fits no other list', async () => {
  const narrowed = { since: idOf(3), before: iso(38), kinds: ['message', 'topic'], limit: 5 };
  const pages: number[][] = [];
  let token: unknown = null;
  do {
    const page = await call({ ...narrowed, page_token: token });
    pages.push((page['entries'] as WireEntry[]).map(({ text }) => Number(text.split(' ')[1])));
    token = page['nextPageToken'];
    if (token === null) continue;
    for (const other of [{ since: idOf(4) }, { before: iso(39) }, { kinds: ['message'] }, { kinds: null }]) {
      const { isError } = await agent.attempt('read_history', {
        ...{ channel: '#room', mode: 'recent', ...narrowed, ...other },
        page_token: token,
      });
      expect([other, isError]).toEqual([other, true]);
    }
  } while (token !== null);

  expect(pages.flat().toReversed()).toEqual(
    Array.from({ length: COUNT }, (_, n) => n).filter((n) => n > 3 && n < 38 && (n % 4 === 0 || n % 4 === 3)),
  );
  expect(Math.max(...pages.map((page) => page.length))).toBe(5);
});

test('pages go on after retention has removed the entries that they were narrowed by', async () => {
  const other = await door.agent('bob');
  const list = async (args: object) => {
    const page = await other.call('read_history', { channel: '#room', mode: 'recent', ...args });
    const entries = page['entries'] as WireEntry[];
    return { entries, texts: entries.map(({ text }) => text), next: page['nextPageToken'] };
  };
  const { entries } = await list({ limit: 200 });
  const ids = entries.toReversed().map(({ entryId }) => entryId);
  const narrowed = { since: ids[2], before: ids[20], limit: 10 };
  const first = await list(narrowed);
  const removed = [0, 1, 2, 20].map((n) => ids[n] ?? '');
  await door.open.database('entries').whereIn('entry_id', removed).delete();

  const second = await list({ ...narrowed, page_token: first.next });

  expect([...first.texts, ...second.texts].toReversed()).toEqual(Array.from({ length: 17 }, (_, n) => `line ${n + 3}`));
});

test('a kind that is rare among very many entries is found by going on, and no page looks at all of them', async () => {
  const busy = await door.agent('busy');
  const count = LOOKED_AT_FOR_KINDS + 700;
  const rare = new Set([0, 3, 650, count - 1]);
  for (let from = 0; from < count; from += 500) {
    const lines = Array.from({ length: Math.min(500, count - from) }, (_, n) => ({
      line: {
        ...capturedLine(`line ${from + n}`, START - DAY_MS + from + n),
        kind: rare.has(from + n) ? ('topic' as const) : ('message' as const),
      },
      own: undefined,
    }));
    await door.open.store.capture.ingest(busy.accountId, 'main', { lines, isReplay: false, synced: new Set<string>() });
  }
  const pages: { texts: string[]; next: unknown }[] = [];
  let token: unknown = null;
  do {
    const args = { channel: '#room', mode: 'recent', kinds: ['topic'], limit: 2, page_token: token };
    const page = await busy.call('read_history', args);
    token = page['nextPageToken'];
    expect(page['hasMore']).toBe(token !== null);
    pages.push({ texts: (page['entries'] as WireEntry[]).map(({ text }) => text), next: token });
  } while (token !== null && pages.length < 10);

  expect(pages.flatMap(({ texts }) => texts)).toEqual([`line ${count - 1}`, 'line 650', 'line 3', 'line 0']);
  expect(pages.map(({ texts }) => texts.length)).toEqual([1, 2, 1]);
});

for (const [what, args, reason] of [
  ['a time that is none', { since: 'yesterday' }, /since: .*ISO 8601/],
  ['an entry that is not there', { before: 'ent_nowhere' }, /no such entry in #room/],
  ['a kind that is none', { kinds: ['shout'] }, /kinds/],
  ['a time in unread mode', { mode: 'unread', session_id: 'ses_x', since: '2026-01-31' }, /since: unread mode/],
  ['kinds in unread mode', { mode: 'unread', session_id: 'ses_x', kinds: ['message'] }, /kinds: unread mode/],
] as const) {
  test(`${what} is refused with what to do`, async () => {
    const { isError, content } = await agent.attempt('read_history', { channel: '#room', mode: 'recent', ...args });
    expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(reason)]);
  });
}

test('an entry of another channel or of another person names no place', async () => {
  const [elsewhere] = (await agent.call('read_history', { channel: '#ops', mode: 'recent' }))['entries'] as WireEntry[];
  const bob = await door.agent('bob');
  const [theirs] = (await bob.call('read_history', { channel: '#room', mode: 'recent' }))['entries'] as WireEntry[];

  for (const entry of [elsewhere, theirs]) {
    const { isError } = await agent.attempt('read_history', {
      ...{ channel: '#room', mode: 'recent', since: entry?.entryId },
    });
    expect([entry?.text, isError]).toEqual([entry?.text, true]);
  }
});

async function store(accountId: string): Promise<void> {
  const lines = Array.from({ length: COUNT }, (_, n) => ({
    line: { ...capturedLine(`line ${n}`, START + n * MINUTE_MS), kind: KINDS[n % KINDS.length] ?? 'message' },
    own: undefined,
  }));
  const elsewhere = [{ line: capturedLine('in #ops', START, '#ops'), own: undefined }];
  const told = { isReplay: false, synced: new Set<string>() };
  await door.open.store.capture.ingest(accountId, 'main', { lines, ...told });
  await door.open.store.capture.ingest(accountId, 'main', { lines: elsewhere, ...told });
}

interface WireEntry {
  entryId: string;
  kind: string;
  text: string;
}
