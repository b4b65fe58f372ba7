import { afterAll, beforeAll, expect, test } from 'vitest';
import { prune } from '../../../../src/connector/upkeep/retention.ts';
import { capturedLine, type OpenStore, openStore } from '../../../harness/open-store.ts';
import { plansOf } from '../../../harness/plans.ts';
import { statementsOf } from '../../../harness/statements.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;
const BEGIN = Date.UTC(2026, 0, 1);

let open: OpenStore;

beforeAll(async () => {
  open = await openStore();
});

afterAll(async () => {
  await open[Symbol.asyncDispose]();
});

const keeping = (days: number, entriesPerAccount: number) => ({ ...open, keep: () => ({ days, entriesPerAccount }) });
const unaborted = new AbortController().signal;

async function accountWith(login: string, texts: readonly [text: string, at: number][]): Promise<string> {
  const accountId = await open.account(login);
  const lines = texts.map(([text, at]) => ({ line: capturedLine(text, at), own: undefined }));
  await open.store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });
  return accountId;
}

const textsOf = async (accountId: string): Promise<string[]> => {
  const entries = await open.database('entries').where('account_id', accountId).orderBy(['event_at', 'row']);
  return entries.map(({ text }: { text: string }) => text);
};

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

test('of too many entries the newest by time stay, removed in small steps', async () => {
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
  await open.store.messages.create(message);
  open.clock.set(BEGIN + 91 * DAY_MS);

  await prune(accountId, keeping(90, 1_000), unaborted);

  expect(await open.store.messages.findByKey(accountId, 'client', 'key')).toBeUndefined();
  expect(await open.store.messages.outstanding(accountId, BEGIN)).toEqual([]);
  await open.store.messages.create(message);
});

test('all entries are counted once a pass, not at each step', async () => {
  const texts = Array.from({ length: 650 }, (_, n): [string, number] => [`line ${n}`, BEGIN + n]);
  const accountId = await accountWith('counted', texts);

  const statements = await statementsOf(open, () => prune(accountId, keeping(10_000, 100), unaborted));

  expect(statements.filter((sql) => /^delete from .entries./.test(sql))).toHaveLength(3);
  expect(statements.filter((sql) => sql.includes('count('))).toHaveLength(1);
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
