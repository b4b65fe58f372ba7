import { expect } from 'vitest';
import type { CapturedLine } from '../../../../src/connector/domain/entry.ts';
import { AGENT_SESSION_IDLE_MS } from '../../../../src/connector/domain/limits.ts';
import type { Reader } from '../../../../src/connector/ports/agent-cursor-store.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { capturedLine } from '../../../harness/open-store.ts';
import { holdAnswer, statementsOf } from '../../../harness/statements.ts';
import { renewSend, storeSend } from '../../../harness/stored-sends.ts';

const test = testWithStore();

let serial = 0;

const all = { limit: 50, cut: <T>(entries: readonly T[]) => entries };

test('a new session starts at the earliest entry, and gets the same batch until it acknowledges it', async () => {
  verifies('connector.session.lifetime');
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

test('an entry that was not delivered to the session cannot be acknowledged, and a cursor never moves back', async () => {
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

test('a send is read for its own session and unread for other sessions and clients; a failed one is unread for no session', async () => {
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

test('entries pruned before they were acknowledged are reported as a gap, until the session is past it', async () => {
  const ada = await reader(await accountWith('one', 'two', 'three'));
  await texts(ada, { limit: 1 });
  await open.store.retention.pruneOldest(ada.accountId, 2);
  const fresh = await reader(ada.accountId);
  const isGap = async (who: Reader) => (await open.store.agentCursors.nextBatch(who, '#room', all)).hasGap;

  expect(await texts(ada)).toEqual(['three']);
  expect([await isGap(ada), await isGap(ada), await isGap(fresh)]).toEqual([true, true, false]);
  await acknowledge(ada, 'three');
  expect(await isGap(ada)).toBe(false);
});

test('a new session gets every retained entry, also those that arrived before one that was pruned', async () => {
  const ada = await reader(await accountWith('new'));
  await insert(ada.accountId, capturedLine('late, of a time long past', 1));
  await say(ada.accountId, 'newest');
  await open.store.retention.pruneOlder(ada.accountId, 2, 100);

  expect(await texts(ada)).toEqual(['new', 'newest']);
  expect((await open.store.agentCursors.positions(ada, ['#room'])).get('#room')?.unreadCount).toBe(2);
});

test('a send that failed and is sent again is unread for sessions that have acknowledged later lines', async () => {
  const ada = await reader(await accountWith('before'));
  const sister = await reader(ada.accountId);
  const again = await send(ada, 'again', 'session');
  await open.store.messages.setPartStatus({ messageId: again.messageId, number: 1 }, 'failed', 'no');
  await say(ada.accountId, 'after');
  await texts(sister);
  await acknowledge(sister, 'after');
  const unread = async (who: Reader) =>
    (await open.store.agentCursors.positions(who, ['#room'])).get('#room')?.unreadCount;
  expect([await unread(ada), await unread(sister)]).toEqual([2, 0]);

  const renewed = await renewSend(open, again.messageId, () => 'again, under another tag');

  expect(renewed.entryId).toBe(again.entryId);
  expect([await unread(ada), await unread(sister)]).toEqual([2, 1]);
  expect(await texts(sister)).toEqual(['again']);
  expect(await acknowledge(sister, 'again')).toBe(true);
  expect(await unread(sister)).toBe(0);
});

test('a send that was given up and said after all is unread for sessions that have acknowledged later lines', async () => {
  const ada = await reader(await accountWith('before'));
  const sister = await reader(ada.accountId);
  const late = await send(ada, 'said late', 'session');
  await open.store.messages.setPartStatus({ messageId: late.messageId, number: 1 }, 'failed', 'no answer');
  await say(ada.accountId, 'after');
  await texts(sister);
  await acknowledge(sister, 'after');

  const line = { ...capturedLine('said late', open.clock.now()), sender: 'ada' };
  const lines = [{ line, own: { tag: 'said late-tag', isNick: true, isJoin: false } }];
  await open.store.capture.ingest(ada.accountId, 'main', { lines, isReplay: true, synced: new Set() });

  expect(await texts(sister)).toEqual(['said late']);
});

test('the last received entry is the last received line, and not a gap, an unconfirmed send or a failed one', async () => {
  const accountId = await accountWith('said');
  const ada = await reader(accountId);
  const received = async () => (await open.store.entries.newestReceived(accountId, ['#room', '#other']))?.text;
  const echo = async (text: string, isExact: boolean) => {
    const line = { ...capturedLine(text, open.clock.now()), sender: 'ada', isExact };
    const lines = [{ line, own: { tag: `${text}-tag`, isNick: true, isJoin: false } }];
    await open.store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });
  };
  await open.store.capture.addGap(accountId, 'main', '#room', { from: 1, to: 2, reason: 'history_lost' });
  const refused = await send(ada, 'refused', 'session');
  expect(await received()).toBe('said');

  await echo('refused', false);
  expect(await received()).toBe('refused');
  await open.store.messages.setPartStatus({ messageId: refused.messageId, number: 1 }, 'failed', '404');
  expect(await received()).toBe('said');
  await send(ada, 'echoed', 'session');
  await echo('echoed', true);
  expect(await received()).toBe('echoed');
  await open.store.retention.pruneOlder(accountId, open.clock.now() + 1, 100);
  expect(await received()).toBeUndefined();
});

test('a session and its cursors end after 30 days without use, and use prolongs it', async () => {
  const ada = await reader(await accountWith('one'));
  const touch = () => open.store.agentSessions.touch(ada.sessionId, ada.accountId, ada.clientId);
  const start = open.clock.now();
  await texts(ada);
  await send(ada, 'sent', 'session');

  open.clock.set(start + AGENT_SESSION_IDLE_MS);
  expect(await touch()).toBe(true);
  open.clock.set(start + 2 * AGENT_SESSION_IDLE_MS + 1);
  expect(await touch()).toBe(false);
  expect(await open.store.agentSessions.removeEnded(1_000)).toBeGreaterThan(0);
  expect(await open.database('agent_cursors').where('session_id', ada.sessionId)).toEqual([]);
  expect(await open.database('send_counts').where('session_id', ada.sessionId)).toEqual([]);
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

test('a session that asks again without new entries sends no query to the database, during any work of others', async () => {
  const [ada, bob] = [await reader(await accountWith('one')), await reader(await accountWith('one'))];
  const look = async () => ({
    unread: (await open.store.agentCursors.positions(ada, ['#room'])).get('#room')?.unreadCount,
    received: (await open.store.entries.newestReceived(ada.accountId, ['#room']))?.text,
    batch: await texts(ada),
  });
  await texts(ada);
  await acknowledge(ada, 'one');
  await look();
  await look();

  await say(bob.accountId, 'two');
  await texts(bob);
  await acknowledge(bob, 'two');

  expect(await statementsOf(open, look)).toEqual([]);
  expect(await look()).toEqual({ unread: 0, received: 'one', batch: [] });
  await say(ada.accountId, 'three');
  expect(await look()).toEqual({ unread: 1, received: 'three', batch: ['three'] });
});

test('a delivered batch comes again by one statement, without a write', async () => {
  const ada = await reader(await accountWith('one', 'two', 'three'));
  expect(await texts(ada, { limit: 2 })).toEqual(['one', 'two']);
  const again: string[] = [];

  const statements = await statementsOf(open, async () => again.push(...(await texts(ada, { limit: 2 }))));

  expect(again).toEqual(['one', 'two']);
  expect(statements).toHaveLength(1);
  expect(statements[0]).toMatch(/^select/i);
});

/** An account with a line in each of these channels. */
async function accountInAll(channels: readonly string[]): Promise<string> {
  serial += 1;
  const accountId = await open.account(`person${serial}`, [...channels]);
  for (const channel of channels) await insert(accountId, capturedLine(`in ${channel}`, serial, channel));
  return accountId;
}

test('many channels take one statement each, and a few for all of them', async () => {
  const channels = Array.from({ length: 20 }, (_, n) => `#many${n}`);
  const ada = await reader(await accountInAll(channels));
  const read = async () => {
    const batches = await open.store.agentCursors.nextBatches(ada, channels, () => all);
    return batches.map(({ entries }) => entries.map(({ text }) => text));
  };
  const lines = channels.map((channel) => [`in ${channel}`]);

  let first: string[][] = [];
  const begun = await statementsOf(open, async () => {
    first = await read();
  });
  const again = await statementsOf(open, read);

  expect(first).toEqual(lines);
  expect(begun.length).toBeLessThan(channels.length + 16);
  expect(again).toHaveLength(channels.length);
  const { entry_id: entryId } = await open.database('entries').where({ text: 'in #many7' }).first('entry_id');
  expect(await open.store.agentCursors.acknowledge(ada, '#many7', entryId)).toBe(true);
  expect(await read()).toEqual(lines.map((line, n) => (n === 7 ? [] : line)));
});

test('many channels are read, in any order, beside what changes their cursors and ends the session', async () => {
  const channels = Array.from({ length: 12 }, (_, n) => `#beside${n}`);
  for (let round = 0; round < 6; round += 1) {
    const accountId = await accountInAll(channels);
    const ada = await reader(accountId);
    const read = (some: readonly string[]) => open.store.agentCursors.nextBatches(ada, some, () => all);

    const outcomes = await Promise.allSettled([
      ...[read(channels), read(channels.toReversed()), read(channels), read(channels.toReversed())],
      open.store.retention.pruneOldest(accountId, 6),
      open.store.removals.closeClient(accountId, 'client'),
      read(channels.toReversed()),
    ]);

    const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(failed.filter((reason) => reason.code !== 'session_unknown')).toEqual([]);
  }
});

test('a session that has read everything still learns what retention took from it since', async () => {
  const ada = await reader(await accountWith('one'));
  const hasGap = async () => (await open.store.agentCursors.nextBatch(ada, '#room', all)).hasGap;
  await texts(ada);
  await acknowledge(ada, 'one');
  for (let poll = 0; poll < 3; poll += 1) expect(await hasGap()).toBe(false);

  await say(ada.accountId, 'taken');
  await open.store.retention.pruneOldest(ada.accountId, 10);

  for (let poll = 0; poll < 3; poll += 1) expect(await hasGap()).toBe(true);
});

test('a count that was being read when a line was stored is not given to who asks after that', async () => {
  const ada = await reader(await accountWith('one'));
  const unread = async () => (await open.store.agentCursors.positions(ada, ['#room'])).get('#room')?.unreadCount;
  const held = holdAnswer(open, 'channel_counts');

  const early = unread();
  await held.answered;
  await say(ada.accountId, 'two');
  const late = await unread();
  held.arrive();

  expect([await early, late]).toEqual([1, 2]);
  expect(await unread()).toBe(2);
});

test('numbers of sends go with their session, also those of a send that was under way when it ended', async () => {
  const ada = await reader(await accountWith('said'));
  const living = await reader(ada.accountId);
  for (const who of [ada, living]) await send(who, `of ${who.sessionId}`, 'session');
  await send(ada, 'of none', 'no session');
  const ids = async () => {
    const named: string[] = await open.database('send_counts').where('account_id', ada.accountId).pluck('session_id');
    return named.toSorted();
  };
  // An earlier version counted like this: long after the session.
  await open.database('agent_sessions').where('session_id', ada.sessionId).delete();
  await send(ada, 'late', 'session');
  expect(await ids()).toEqual(['', ada.sessionId, living.sessionId].toSorted());

  let removed = 0;
  const sessions = Number((await open.database('send_counts').countDistinct({ count: 'session_id' }))[0]?.['count']);
  for (let step = 0; step <= sessions; step += 1) removed += await open.store.agentSessions.removeStrayCounts(1);

  expect(removed).toBe(1);
  expect(await ids()).toEqual(['', living.sessionId]);
});

test('a session that ended after its call was let in is unknown at its first read of a channel, and at any later one', async () => {
  const accountId = await accountWith('a', 'b');
  const [fresh, experienced] = [await reader(accountId, 'first'), await reader(accountId, 'second')];
  await texts(experienced);
  await acknowledge(experienced, 'a');
  await open.database('agent_sessions').where('account_id', accountId).delete();

  for (const who of [fresh, experienced]) {
    await expect(texts(who)).rejects.toMatchObject({ code: 'session_unknown' });
  }
});

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

function send(who: Reader, text: string, names: 'session' | 'no session') {
  return storeSend(open, {
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
}
