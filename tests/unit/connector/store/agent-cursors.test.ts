import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CapturedLine } from '../../../../src/connector/domain/entry.ts';
import { AGENT_SESSION_IDLE_MS } from '../../../../src/connector/domain/limits.ts';
import type { Reader } from '../../../../src/connector/ports/agent-cursors.ts';
import { capturedLine, type OpenStore, openStore } from '../../../harness/open-store.ts';

let open: OpenStore;
let serial = 0;

beforeAll(async () => {
  open = await openStore();
});

afterAll(async () => {
  await open[Symbol.asyncDispose]();
});

const all = { limit: 50, cut: <T>(entries: readonly T[]) => entries };

async function reader(accountId: string, clientId = 'client'): Promise<Reader> {
  return { accountId, clientId, sessionId: await open.store.agentSessions.create(accountId, clientId) };
}

/** An account in whose channel these lines were said. */
async function accountWith(...texts: string[]): Promise<string> {
  serial += 1;
  const accountId = await open.account(`person${serial}`);
  await say(accountId, ...texts);
  return accountId;
}

async function say(accountId: string, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    serial += 1;
    await insert(accountId, capturedLine(text, serial));
  }
}

async function insert(accountId: string, line: CapturedLine): Promise<void> {
  const lines = [{ line, own: undefined }];
  await open.store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });
}

async function texts(who: Reader, bounds: Partial<typeof all> = {}): Promise<string[]> {
  const batch = await open.store.agentCursors.nextBatch(who, '#room', { ...all, ...bounds });
  return batch.entries.map(({ text }) => text);
}

async function acknowledge(who: Reader, text: string): Promise<boolean> {
  const entry = (await open.database('entries').where({ account_id: who.accountId, text }).first('entry_id')) as {
    entry_id: string;
  };
  return open.store.agentCursors.acknowledge(who, '#room', entry.entry_id);
}

const send = (who: Reader, text: string, names: 'session' | 'no session') =>
  open.store.messages.create({
    accountId: who.accountId,
    clientId: who.clientId,
    sessionId: names === 'session' ? who.sessionId : undefined,
    idempotencyKey: undefined,
    network: 'main',
    channel: '#room',
    nick: 'ada',
    text,
    parts: [{ text, tag: `${text}-tag` }],
  });

test('a new session starts at the earliest entry, and gets the same batch until it acknowledges it', async () => {
  const ada = await reader(await accountWith('one', 'two', 'three'));

  expect(await texts(ada, { limit: 2 })).toEqual(['one', 'two']);
  await say(ada.accountId, 'four');
  expect(await texts(ada)).toEqual(['one', 'two']);
  expect(await texts(ada, { limit: 1 })).toEqual(['one']);

  expect(await acknowledge(ada, 'two')).toBe(true);
  expect(await texts(ada)).toEqual(['three', 'four']);
});

test('a batch acknowledged in part goes on with its rest, then with what came later', async () => {
  const ada = await reader(await accountWith('one', 'two', 'three'));
  await texts(ada);
  await say(ada.accountId, 'four');

  expect(await acknowledge(ada, 'one')).toBe(true);

  expect(await texts(ada)).toEqual(['two', 'three']);
  expect(await acknowledge(ada, 'three')).toBe(true);
  expect(await texts(ada)).toEqual(['four']);
});

test('what was not delivered to the session cannot be acknowledged, and a cursor never moves back', async () => {
  const ada = await reader(await accountWith('one', 'two', 'three'));
  const bob = await reader(ada.accountId);

  expect(await acknowledge(ada, 'one')).toBe(false);
  await texts(ada, { limit: 2 });
  expect(await acknowledge(ada, 'three')).toBe(false);
  expect(await acknowledge(bob, 'one')).toBe(false);
  expect(await open.store.agentCursors.acknowledge(ada, '#other', 'ent_none')).toBe(false);
  expect(await acknowledge(ada, 'two')).toBe(true);
  expect(await acknowledge(ada, 'one')).toBe(true);

  expect(await texts(ada)).toEqual(['three']);
  expect(await texts(bob)).toEqual(['one', 'two', 'three']);
});

test('two acknowledgements at once leave the further one', async () => {
  const ada = await reader(await accountWith('one', 'two', 'three'));
  await texts(ada);

  await Promise.all([acknowledge(ada, 'three'), acknowledge(ada, 'one'), acknowledge(ada, 'two')]);

  expect(await texts(ada)).toEqual([]);
});

test('a line that comes late is unread although its time is long past', async () => {
  const ada = await reader(await accountWith('one'));
  await texts(ada);
  await acknowledge(ada, 'one');

  await insert(ada.accountId, capturedLine('late', 1));

  expect(await texts(ada)).toEqual(['late']);
});

test('own sends are not unread for their session, those of other sessions and clients are, failed ones for nobody', async () => {
  const ada = await reader(await accountWith('said'));
  const sister = await reader(ada.accountId);
  const stranger = await reader(ada.accountId, 'other client');
  await send(ada, 'named', 'session');
  await send(ada, 'unnamed', 'no session');
  const failed = await send(ada, 'failed', 'session');
  await open.store.messages.setPartStatus({ messageId: failed.messageId, number: 1 }, 'failed', 'no');

  expect(await texts(ada)).toEqual(['said']);
  expect(await texts(sister)).toEqual(['said', 'named']);
  expect(await texts(stranger)).toEqual(['said', 'named', 'unnamed']);
  const positions = await open.store.agentCursors.positions(stranger, ['#room', '#empty']);
  expect(positions.get('#room')).toEqual({ unreadCount: 3, lastAcknowledgedEntryId: null });
  expect(positions.get('#empty')).toEqual({ unreadCount: 0, lastAcknowledgedEntryId: null });
});

test('a batch is cut before it counts as delivered', async () => {
  const ada = await reader(await accountWith('one', 'two', 'three'));

  const batch = await open.store.agentCursors.nextBatch(ada, '#room', { ...all, cut: (some) => some.slice(0, 1) });

  expect(batch).toMatchObject({ hasMore: true, isTruncated: true, hasGap: false });
  expect(await acknowledge(ada, 'two')).toBe(false);
  expect(await texts(ada)).toEqual(['one']);
});

test('entries pruned before they were acknowledged are told as a gap, until the session is past it', async () => {
  const ada = await reader(await accountWith('one', 'two', 'three'));
  await texts(ada, { limit: 1 });
  await open.store.retention.pruneExcess(ada.accountId, 1, 100);
  const fresh = await reader(ada.accountId);
  const isGap = async (who: Reader) => (await open.store.agentCursors.nextBatch(who, '#room', all)).hasGap;

  expect(await texts(ada)).toEqual(['three']);
  expect([await isGap(ada), await isGap(ada), await isGap(fresh)]).toEqual([true, true, false]);
  await acknowledge(ada, 'three');
  expect(await isGap(ada)).toBe(false);
});

test('a session and its cursors end after 30 days without use, and use prolongs it', async () => {
  const ada = await reader(await accountWith('one'));
  const touch = () => open.store.agentSessions.touch(ada.sessionId, ada.accountId, ada.clientId);
  const start = open.clock.now();
  await texts(ada);

  open.clock.set(start + AGENT_SESSION_IDLE_MS);
  expect(await touch()).toBe(true);
  open.clock.set(start + 2 * AGENT_SESSION_IDLE_MS + 1);
  expect(await touch()).toBe(false);
  await reader(ada.accountId);
  expect(await open.database('agent_cursors').where('session_id', ada.sessionId)).toEqual([]);
});

test('a client that opens sessions without end loses the one unused longest, and no other client does', async () => {
  const ada = await reader(await accountWith());
  const other = await reader(ada.accountId, 'other client');
  const spare = Array.from({ length: 999 }, (_, index) => ({
    session_id: `ses_${index}`,
    account_id: ada.accountId,
    client_id: ada.clientId,
    last_used_at: open.clock.now() + index + 1,
  }));
  await open.database.batchInsert('agent_sessions', spare, 100);

  await reader(ada.accountId);

  const left = await open.database('agent_sessions').where('account_id', ada.accountId).pluck('session_id');
  expect(left).toHaveLength(1_001);
  expect(left).toContain(other.sessionId);
  expect(left).not.toContain(ada.sessionId);
});
