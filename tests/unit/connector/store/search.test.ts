import { beforeEach, expect, test } from 'vitest';
import type { NewMessage } from '../../../../src/connector/ports/message-store.ts';
import { BLOCK_ROWS } from '../../../../src/connector/store/text-index.ts';
import { capturedLine, type OpenStore, openStore } from '../../../harness/open-store.ts';
import { indexAll, searchInPages, searchNaively } from '../../../harness/search-oracle.ts';
import { storeSend } from '../../../harness/stored-sends.ts';

const START = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const CHANNELS = ['#room'];
/** Number of lines, more than are looked at one by one. */
const MANY = 2_500;
/** Number of lines in which a page is found only by reading on. */
const READ_ON = 5_000;

const small = (count: number): string[] => Array.from({ length: count }, (_, n) => `small talk number ${n}`);

test('a rare phrase is found among many entries, in its order', async () => {
  await using open = await openStore();
  const accountId = await open.account('ada');
  const stranger = await open.account('eve');
  const texts = small(MANY).map((text, n) => (n % 500 === 7 ? `${text} Quixotic UMBRELLA` : text));
  await say(open, accountId, texts);
  await say(open, stranger, texts);
  await indexAll(open);

  const found = await searchInPages(open, accountId, { channels: CHANNELS, phrase: 'quixotic umb', limit: 2 });

  expect(found.map(({ text }) => text)).toEqual(
    [2_007, 1_507, 1_007, 507, 7].map((n) => `small talk number ${n} Quixotic UMBRELLA`),
  );
  const [waiting] = await open.store.textIndex.backlog(accountId);
  expect(waiting).toMatchObject({ channel: '#room', entryCount: MANY % BLOCK_ROWS });
});

test('a phrase of one or two characters is found like any other', async () => {
  await using open = await openStore();
  const accountId = await open.account('ada');
  await say(open, accountId, ['§ 1', 'x§', ...small(MANY)]);
  await indexAll(open);

  for (const [phrase, count] of [
    ['§', 2],
    ['§ ', 1],
    ['x§', 1],
    ['§x', 0],
  ] as const) {
    expect(await searchInPages(open, accountId, { channels: CHANNELS, phrase, limit: 50 }), phrase).toHaveLength(count);
  }
});

test('pages stay apart while lines come, are indexed and are pruned', async () => {
  await using open = await openStore();
  const accountId = await open.account('ada');
  await say(open, accountId, small(600));
  await indexAll(open);
  let day = 0;

  const found = await searchInPages(open, accountId, { channels: CHANNELS, phrase: 'talk', limit: 40 }, async () => {
    day += 1;
    await say(open, accountId, [...small(39), 'late talk'], { at: (n) => START + day * DAY_MS + n });
    if (day % 2 === 0) await indexAll(open);
    await open.store.retention.pruneOlder(accountId, START + day * 20, 200);
  });

  const numbers = found.map(({ eventAt }) => eventAt - START);
  expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
  expect(new Set(found.map(({ entryId }) => entryId)).size).toBe(found.length);
  // Each page is 40 lines further back and lets the 20 oldest go: they meet at the line 200.
  expect(numbers[0]).toBe(599);
  expect(numbers.at(-1)).toBe(200);
  expect(found).toHaveLength(400);
});

test('entries removed by retention are not found any more, and leave no rows in the index', async () => {
  await using open = await openStore();
  const accountId = await open.account('ada');
  await say(open, accountId, small(200));
  await indexAll(open);

  for (const count of [50, 50, 50, 29]) await open.store.retention.pruneOldest(accountId, count);

  expect(await searchInPages(open, accountId, { channels: CHANNELS, phrase: 'number 1', limit: 500 })).toHaveLength(21);
  const blocks = await open.database('text_blocks').where('account_id', accountId);
  expect(blocks).toHaveLength(1);

  while ((await open.store.retention.pruneOldest(accountId, 50)) > 0);

  expect(await open.database('text_blocks').where('account_id', accountId)).toEqual([]);
  expect(await open.database('text_grams').select('rowid')).toEqual([]);
});

test('a message whose echo brings another time is found at that time', async () => {
  await using open = await openStore();
  const accountId = await open.account('ada');
  const message = await storeSend(open, sendOf(accountId, 'the needle'));
  await say(
    open,
    accountId,
    small(MANY).map((text, n) => (n % 16 === 0 && n < 1_300 ? `${text} needle` : text)),
  );
  await indexAll(open);
  await open.store.messages.setPartStatus({ messageId: message.messageId, number: 1 }, 'queued');
  const echo = { ...capturedLine('the needle', START + 2 * MANY), sender: 'ada' };

  await open.store.capture.ingest(accountId, 'main', {
    lines: [{ line: echo, own: { tag: 't1', isNick: true, isJoin: false } }],
    isReplay: false,
    synced: new Set(),
  });

  const [newest] = await open.store.history.newestFirst(accountId, { channels: CHANNELS, limit: 5, phrase: 'needle' });
  expect(newest).toMatchObject({ text: 'the needle', eventAt: START + 2 * MANY });
});

test('lines that came in another order than they were said are found in the order of saying', async () => {
  await using open = await openStore();
  const accountId = await open.account('ada');
  const texts = small(MANY).map((text, n) => (n % 8 === 0 ? `${text} needle` : text));
  // A step that has no common divisor with the count reaches every entry.
  await say(open, accountId, texts, { at: (n) => START + ((n * 1_237) % MANY) });
  await indexAll(open);

  const range = { channels: CHANNELS, phrase: 'needle', limit: 20, effort: { walkRows: 5, blocks: 16 } };
  const found = await searchInPages(open, accountId, range);

  expect(found.map(({ entryId }) => entryId)).toEqual(await searchNaively(open, accountId, CHANNELS, 'needle'));
});

test('lines that came after others said between them are found in the order of saying', async () => {
  await using open = await openStore();
  const accountId = await open.account('ada');
  await say(open, accountId, small(16), { at: (n) => START + 2 * n });
  await say(open, accountId, small(16), { at: (n) => START + 2 * n + 1 });
  await indexAll(open);

  // One block has a full page, and half of what belongs there.
  const range = { channels: CHANNELS, phrase: 'talk', limit: 10, effort: { walkRows: 0, blocks: 1 } };
  const found = await searchInPages(open, accountId, range);

  expect(found.map(({ eventAt }) => eventAt - START)).toEqual(Array.from({ length: 32 }, (_, n) => 31 - n));
});

/** Reads once, so that the store remembers that no part of the history is being deleted. */
const readOnce = ({ store }: OpenStore, accountId: string) =>
  store.history.newestFirst(accountId, { channels: ['#room'], limit: 1 });

let statements: { sql: string; bindings: unknown[] }[];
beforeEach(() => {
  statements = [];
});

test('no statement of a search goes through all entries of an account', async () => {
  await using open = await openStore();
  const accountId = await open.account('ada', ['#room', '#Ops']);
  await say(open, accountId, [...small(20), 'the quixotic one', ...small(MANY)]);
  await say(open, accountId, small(MANY), { channel: '#Ops' });
  // The index of a quiet channel ends far before its newest entries.
  await say(open, await open.account('eve'), small(MANY));
  await indexAll(open);
  const isPostgres = open.database.client.driverName === 'pg';
  await open.database.raw('ANALYZE');
  await readOnce(open, accountId);
  open.readers.on('query', ({ sql, bindings }) => statements.push({ sql, bindings }));

  const range = { channels: ['#room', '#Ops'], limit: 50, phrase: 'quixotic' };
  const found = await open.store.history.newestFirst(accountId, {
    ...range,
    before: { eventAt: START + MANY, row: 1 },
  });

  expect(found).toHaveLength(1);
  const asked = statements.splice(0);
  expect(asked).toHaveLength(2);
  for (const { sql, bindings } of asked) {
    const explain = isPostgres ? `EXPLAIN ${sql.replace(/\$\d+/g, '?')}` : `EXPLAIN QUERY PLAN ${sql}`;
    const plan = await open.database.raw(explain, bindings as string[]);
    const steps: string = JSON.stringify(isPostgres ? plan.rows : plan);

    expect(steps).not.toMatch(
      /Seq Scan on (?:entries|text_blocks|text_grams)|SCAN (?:entries|arrived|text_blocks)(?! USING INDEX)/,
    );
    // Beyond the newest, entries are looked at by place of arrival, between two bounds or behind the last block.
    if (!/limit (?:\?|\$\d+)\) as/i.test(sql) && / entries/i.test(sql)) {
      expect(steps).toMatch(/row[^a-z]*>|first_row/);
    }
  }
});

test('a phrase that one line in twenty has is found by reading on, in two statements, for any number of channels', async () => {
  await using open = await openStore();
  const channels = ['#room', '#Ops', '#quiet'];
  const accountId = await open.account('ada', channels);
  const texts = small(READ_ON).map((text, n) => (n % 20 === 0 ? `${text} needle` : text));
  await say(open, accountId, texts.slice(0, READ_ON / 2));
  await say(open, accountId, texts.slice(READ_ON / 2), { at: (n) => START + READ_ON / 2 + n, channel: '#Ops' });
  await indexAll(open);
  await readOnce(open, accountId);
  open.readers.on('query', ({ sql, bindings }) => statements.push({ sql, bindings }));

  const found = await open.store.history.newestFirst(accountId, { channels, limit: 200, phrase: 'needle' });

  const newest = texts.filter((text) => text.endsWith('needle')).toReversed();
  expect(found.map(({ text }) => text)).toEqual(newest.slice(0, 200));
  expect(statements).toHaveLength(2);
  expect(statements.some(({ sql }) => sql.includes('text_grams'))).toBe(false);
});

test('a search of channels where little is said passes only some entries of a busy one', async () => {
  await using open = await openStore();
  const channels = ['#quiet', '#rare'];
  const accountId = await open.account('ada', ['#room', ...channels]);
  for (const channel of channels) await say(open, accountId, ['a needle', ...small(20)], { channel });
  await say(open, accountId, small(READ_ON), { at: (n) => START + MANY + n });
  await indexAll(open);
  await readOnce(open, accountId);
  open.readers.on('query', ({ sql, bindings }) => statements.push({ sql, bindings }));

  const found = await open.store.history.newestFirst(accountId, { channels, limit: 50, phrase: 'needle' });

  expect(found).toHaveLength(2);
  const [walk] = statements.splice(0);
  if (open.database.client.driverName === 'pg') {
    const explain = `EXPLAIN (ANALYZE, FORMAT JSON) ${walk?.sql.replace(/\$\d+/g, '?')}`;
    const { rows } = await open.database.raw(explain, walk?.bindings as string[]);
    const passed = JSON.stringify(rows).matchAll(/"Rows Removed by Filter":(\d+)/g);
    expect(Math.max(...[...passed].map(([, count]) => Number(count)))).toBeLessThanOrEqual(4 * 256);
  } else {
    // SQLite does not report how many: the bound is in the statement, before the channels are looked at.
    expect(walk?.sql).toMatch(/limit \?\) as `passed` where `passed`\.`channel` in/);
  }
});

test('the naive search agrees at a size where everything plays a part', async () => {
  await using open = await openStore();
  const accountId = await open.account('ada');
  const words = ['ağaç', 'ΟΔΟΣ', 'οδός', 'Straße', 'cafe\u0301', 'naïve', '100 %', 'a_b', 'İzmir'];
  await say(
    open,
    accountId,
    small(MANY).map((text, n) => `${words[n % 9]} ${text} ${words[(n * 7) % 5]}`),
  );
  await indexAll(open);
  await say(open, accountId, [...words, ...small(3)], { at: (n) => START + MANY + n });

  for (const phrase of ['οδοσ', 'STRASSE', 'straße', 'CAFÉ', 'i̇z', '0 %', 'a_b', 'number 2499', 'r 49', 'σ s']) {
    const found = await searchInPages(open, accountId, { channels: CHANNELS, phrase, limit: 200 });

    expect(
      found.map(({ entryId }) => entryId),
      phrase,
    ).toEqual(await searchNaively(open, accountId, CHANNELS, phrase));
  }
});

async function say(
  { store }: OpenStore,
  accountId: string,
  texts: readonly string[],
  { at = (n: number) => START + n, channel = '#room' } = {},
): Promise<void> {
  const lines = texts.map((text, n) => ({ line: capturedLine(text, at(n), channel), own: undefined }));
  for (let from = 0; from < lines.length; from += 1_000) {
    const batch = { lines: lines.slice(from, from + 1_000), isReplay: false, synced: new Set<string>() };
    await store.capture.ingest(accountId, 'main', batch);
  }
}

function sendOf(accountId: string, text: string): NewMessage {
  return {
    accountId,
    clientId: 'client',
    sessionId: undefined,
    idempotencyKey: undefined,
    network: 'main',
    channel: '#room',
    nick: 'ada',
    text,
    parts: [{ text, tag: 't1' }],
  };
}
