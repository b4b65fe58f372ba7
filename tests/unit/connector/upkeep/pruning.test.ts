import { expect } from 'vitest';
import type { CapturedLine } from '../../../../src/connector/domain/entry.ts';
import { prune } from '../../../../src/connector/upkeep/pruning.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { capturedLine } from '../../../harness/open-store.ts';
import { plansOf } from '../../../harness/plans.ts';
import { statementsOf } from '../../../harness/statements.ts';
import { storeSend } from '../../../harness/stored-sends.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const BEGIN = Date.UTC(2026, 0, 1);

const test = testWithStore();

const unaborted = new AbortController().signal;

test('entries older than the days kept are removed, those of other accounts and newer ones stay', async () => {
  const accountId = await accountWith('old', [
    ['before', BEGIN - 1],
    ['at the edge', BEGIN],
    ['after', BEGIN + 1],
  ]);
  open.clock.set(BEGIN + 90 * DAY_MS);

  await prune(accountId, keeping(90, 1_000), unaborted);

  expect(await textsOf(accountId)).toEqual(['at the edge', 'after']);
});

test('the newest of too many entries stay, by time, and the others are removed in small steps', async () => {
  const texts = Array.from({ length: 650 }, (_, n): [string, number] => [`line ${n}`, BEGIN + n]);
  const accountId = await accountWith('many', texts);

  await prune(accountId, keeping(10_000, 100), unaborted);

  expect(await textsOf(accountId)).toEqual(texts.slice(-100).map(([text]) => text));
});

test('a send that is pruned takes its key along, which may then be used again', async () => {
  const accountId = await open.account('sender');
  const message = {
    ...{ accountId, clientId: 'client', sessionId: undefined, idempotencyKey: 'key', network: 'main' },
    ...{ channel: '#room', nick: 'sender', text: 'hello', parts: [{ text: 'hello', tag: 'tag of it' }] },
  };
  open.clock.set(BEGIN);
  await storeSend(open, message);
  open.clock.set(BEGIN + 91 * DAY_MS);

  await prune(accountId, keeping(90, 1_000), unaborted);

  expect(await open.store.messages.findByKey(accountId, 'client', 'key')).toBeUndefined();
  expect(await open.store.messages.outstanding(accountId, BEGIN)).toEqual([]);
  await storeSend(open, message);
});

test('all entries are counted before and after they are removed, not at each step', async () => {
  const texts = Array.from({ length: 650 }, (_, n): [string, number] => [`line ${n}`, BEGIN + n]);
  const accountId = await accountWith('counted', texts);

  const statements = await statementsOf(open, () => prune(accountId, keeping(10_000, 100), unaborted));

  expect(statements.filter((sql) => /^delete from .entries./.test(sql))).toHaveLength(3);
  expect(statements.filter((sql) => sql.includes('count('))).toHaveLength(2);
});

test('a step looks for its blocks of the index between its first and its last entry only', async () => {
  const texts = Array.from({ length: 320 }, (_, n): [string, number] => [`line ${n}`, BEGIN + n]);
  const accountId = await accountWith('indexed', texts);
  await open.store.textIndex.extend(accountId, '#room');
  const blocks = () => open.database('text_blocks').where('account_id', accountId).orderBy('first_row');
  const before = await blocks();

  const plans = await plansOf(open, () => open.store.retention.pruneOlder(accountId, BEGIN + 40, 40));

  // Both ends bound the search in the index, as SQLite and PostgreSQL write it.
  const bounded = /last_row\b *>.*last_row\b *</;
  expect(plans.filter((steps) => steps.some((step) => bounded.test(step)))).toHaveLength(1);
  // Two blocks are gone; half of the third one is left.
  expect((await blocks()).map(({ first_row }) => first_row)).toEqual(before.slice(2).map(({ first_row }) => first_row));
});

/** The bouncer keeps these lines of a channel, and replays them. */
async function kept(accountId: string, lines: readonly CapturedLine[], { isReplay = true, network = 'main' } = {}) {
  const observed = lines.map((line) => ({ line, own: undefined, nick: 'ada' }));
  return open.store.capture.ingest(accountId, network, { lines: observed, isReplay, synced: new Set() });
}

const numbered = (count: number, channel: string, begin = BEGIN): CapturedLine[] =>
  Array.from({ length: count }, (_, n) => capturedLine(`${channel} ${n}`, begin + n, channel));

test('lines that were too old or too many do not come back with a replay, and what was missed behind them does', async () => {
  const accountId = await open.account('replayed', ['#quiet', '#busy']);
  const [quiet, busy] = [numbered(60, '#quiet'), numbered(90, '#busy', BEGIN + 1_000)];
  open.clock.set(BEGIN + 10_000);
  await kept(accountId, [...quiet, ...busy], { isReplay: false });
  await prune(accountId, keeping(10_000, 100), unaborted);
  const left = await textsOf(accountId);
  expect(left).toHaveLength(100);

  const { entries, knownCount } = await kept(accountId, quiet);
  await kept(accountId, busy);

  expect([entries, knownCount]).toEqual([[], 60]);
  expect(await textsOf(accountId)).toEqual(left);
  const missed = capturedLine('missed', BEGIN + 60, '#quiet');
  await kept(accountId, [...quiet, missed]);
  expect(await textsOf(accountId)).toContain('missed');
});

test('removed lines do not come back, also where others of the same millisecond stay', async () => {
  const accountId = await open.account('one-millisecond');
  const lines = Array.from({ length: 4 }, (_, n) => capturedLine(`line ${n}`, BEGIN));
  await kept(accountId, lines, { isReplay: false });
  await prune(accountId, keeping(10_000, 2), unaborted);
  const left = await textsOf(accountId);

  await kept(accountId, lines);

  expect(await textsOf(accountId)).toEqual(left);
});

test('an emptied channel begins its replay behind what was removed, also under more days and after a restart', async () => {
  const accountId = await open.account('emptied', ['#Room']);
  const lines = numbered(5, '#Room');
  await open.store.capture.begin(accountId, 'main', ['#Room'], BEGIN);
  await kept(accountId, lines, { isReplay: false });
  open.clock.set(BEGIN + 31 * DAY_MS);
  await prune(accountId, keeping(30, 1_000), unaborted);
  await prune(accountId, keeping(90, 1_000), unaborted);
  const restarted = open.anew(open.clock);

  expect(await restarted.capture.removedTo(accountId, 'main', '#Room')).toBe(BEGIN + 4);
  expect(await restarted.capture.removedTo(accountId, 'other', '#Room')).toBeUndefined();
  await kept(accountId, lines);
  expect(await textsOf(accountId)).toEqual([]);
  await kept(accountId, lines, { network: 'other' });
  expect(await textsOf(accountId)).toHaveLength(5);
});

test('a line whose time can’t be true does not come back either', async () => {
  const accountId = await open.account('far-future');
  const line = capturedLine('dated 2098', Date.UTC(2098, 0, 1));
  open.clock.set(BEGIN);
  await kept(accountId, [line], { isReplay: false });
  open.clock.set(BEGIN + 91 * DAY_MS);
  await prune(accountId, keeping(90, 1_000), unaborted);

  await kept(accountId, [line]);

  expect(await textsOf(accountId)).toEqual([]);
});

test('old lines that a server shows to each user who joins do not come back, and a clock that went back loses no line', async () => {
  const accountId = await open.account('joining');
  const lines = numbered(3, '#room');
  open.clock.set(BEGIN + 10_000);
  await kept(accountId, lines, { isReplay: false });
  await prune(accountId, keeping(10_000, 1), unaborted);
  await kept(accountId, [capturedLine('by the clock that went back', BEGIN - 60_000)], { isReplay: false });
  expect(await textsOf(accountId)).toEqual(['by the clock that went back', '#room 2']);

  open.clock.set(BEGIN + 2 * DAY_MS);
  await kept(accountId, lines.slice(0, 2), { isReplay: false });

  expect(await textsOf(accountId)).toEqual(['by the clock that went back', '#room 2']);
});

test('entries that come during a removal do not leave more than are kept', async () => {
  const accountId = await open.account('growing');
  await kept(accountId, numbered(250, '#room'), { isReplay: false });
  const { retention } = open.store;
  let steps = 0;
  const pruneOldest: typeof retention.pruneOldest = async (...step) => {
    steps += 1;
    if (steps === 1) await kept(accountId, numbered(30, '#late'), { isReplay: false });
    return retention.pruneOldest(...step);
  };
  const store = { ...open.store, retention: { ...retention, pruneOldest } };

  await prune(accountId, { ...keeping(10_000, 100), store }, unaborted);

  expect(await textsOf(accountId)).toHaveLength(100);
});

async function accountWith(login: string, texts: readonly [text: string, at: number][]): Promise<string> {
  const accountId = await open.account(login);
  const lines = texts.map(([text, at]) => ({ line: capturedLine(text, at), own: undefined }));
  await open.store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });
  return accountId;
}

function keeping(days: number, entriesPerAccount: number) {
  return {
    ...open,
    keep: () => ({ days, entriesPerAccount }),
    isSteady: () => true,
  };
}

async function textsOf(accountId: string): Promise<string[]> {
  const entries = await open.database('entries').where('account_id', accountId).orderBy(['event_at', 'row']);
  return entries.map(({ text }: { text: string }) => text);
}
