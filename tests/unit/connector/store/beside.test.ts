import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { AGENT_SESSION_IDLE_MS, SHARED_AGE_MS } from '../../../../src/connector/domain/limits.ts';
import type { Reader } from '../../../../src/connector/ports/agent-cursor-store.ts';
import type { Freshness } from '../../../../src/connector/ports/invalidations.ts';
import type { PresenceStatus } from '../../../../src/connector/ports/presence.ts';
import { capturedLine, type OpenStore, openStore } from '../../../harness/open-store.ts';
import { storeSend } from '../../../harness/stored-sends.ts';

/** Two processes on one database: they hear of each other only through it. */
let here: OpenStore;
let there: ReturnType<OpenStore['beside']>;
let passed = 0;
let serial = 0;

const shared: Freshness = { alone: () => undefined, sinceBoot: () => passed };

beforeAll(async () => {
  here = await openStore(shared);
  there = here.beside(shared);
});

beforeEach(() => {
  serial += 1;
});

afterAll(async () => {
  await here[Symbol.asyncDispose]();
});

const one = { limit: 1, cut: <T>(entries: readonly T[]) => entries };

const numbered = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${index + 1}`);

test('an acknowledgement at one process is read at the other one right after, again and again', async () => {
  // On a server the processes have connections of their own.
  const lines = inject('postgres') === undefined ? 100 : 1_000;
  const accountId = await here.account(`person${serial}`);
  const who = await reader(accountId);
  await say(accountId, numbered(lines));
  const unread = async (of: OpenStore['store']) => (await of.agentCursors.positions(who, ['#room'])).get('#room');

  for (let left = lines; left > 0; left -= 1) {
    const [acting, reading] = left % 2 === 0 ? [here.store, there.store] : [there.store, here.store];
    const batch = await reading.agentCursors.nextBatch(who, '#room', one);
    const entryId = batch.entries[0]?.entryId ?? '';
    expect(await unread(reading)).toMatchObject({ unreadCount: left });
    await acting.agentCursors.acknowledge(who, '#room', entryId);
    expect(await unread(reading)).toEqual({ unreadCount: left - 1, lastAcknowledgedEntryId: entryId });
  }
  expect(await there.store.agentCursors.nextBatch(who, '#room', one)).toMatchObject({ entries: [], hasMore: false });
});

test('a session that has read everything at one process finds there what the other one has stored since', async () => {
  const accountId = await here.account(`person${serial}`);
  const who = await reader(accountId);
  const next = () => there.store.agentCursors.nextBatch(who, '#room', one);
  for (let poll = 0; poll < 3; poll += 1) expect(await next()).toMatchObject({ entries: [] });

  await say(accountId, ['new']);

  expect(await next()).toMatchObject({ entries: [{ text: 'new' }] });
  expect(await there.store.entries.newestReceived(accountId, ['#room'])).toMatchObject({ text: 'new' });
});

test('a send by its key is found at another process, in the state that it has now', async () => {
  const accountId = await here.account(`person${serial}`);
  const find = async () => (await there.store.messages.findByKey(accountId, 'client', 'key'))?.message.status;
  expect(await find()).toBeUndefined();

  const { messageId } = await storeSend(here, {
    ...{ accountId, clientId: 'client', sessionId: undefined, idempotencyKey: 'key' },
    ...{ network: 'main', channel: '#room', nick: 'ada', text: 'hello', parts: [{ text: 'hello', tag: `t${serial}` }] },
  });
  expect(await find()).toBe('pending');
  await here.store.messages.setPartStatus({ messageId, number: 1 }, 'queued');

  expect(await find()).toBe('queued');
});

test('no process returns what a person has deleted at another one, also before it is removed', async () => {
  const accountId = await here.account(`person${serial}`);
  const who = await reader(accountId);
  await say(accountId, numbered(5));
  const { store } = there;
  const seen = async () => ({
    newest: (await store.entries.newestReceived(accountId, ['#room']))?.text,
    unread: (await store.agentCursors.positions(who, ['#room'])).get('#room')?.unreadCount,
    batch: (await store.agentCursors.nextBatch(who, '#room', one)).entries.map(({ text }) => text),
  });
  expect(await seen()).toEqual({ newest: 'line 5', unread: 5, batch: ['line 1'] });

  await here.store.retention.forgetStored(accountId);

  expect(await seen()).toEqual({ newest: undefined, unread: 0, batch: [] });
});

test('a person’s decision at one process is known to the other one after a redirect', async () => {
  const record = { idHash: `asked${serial}`, uidHash: null, grantHash: null, expiresAt: here.clock.now() + 60_000 };
  const find = async () => (await there.records.find('Interaction', { idHash: record.idHash }))?.payload;
  await here.records.save('Interaction', { ...record, payload: 'asked' });
  expect(await find()).toBe('asked');

  await here.records.save('Interaction', { ...record, payload: 'allowed' });

  expect(await find()).toBe('allowed');
});

test('a page at one process shows what its person has just chosen at the other one', async () => {
  const accountId = await here.account(`person${serial}`);
  const secret = await here.store.browserSessions.create(accountId);
  const shown = async () => {
    await there.store.browserSessions.use(secret);
    return (await there.store.accounts.find(accountId))?.grants.map(({ enabled }) => enabled);
  };
  expect(await shown()).toEqual([true]);

  await here.store.accounts.selectChannels(accountId, []);

  expect(await shown()).toEqual([false]);
});

interface Ended {
  what: string;
  /** Begins it at one process, and returns how to end it there, and how to ask the other one whether it lasts. */
  begin(): Promise<{ end(): Promise<unknown>; lasts(): Promise<boolean> }>;
}

const ended: Ended[] = [
  {
    what: 'a token',
    begin: async () => {
      const { idHash, find } = await token();
      return { end: () => here.records.destroy('AccessToken', idHash), lasts: find };
    },
  },
  {
    what: 'a token whose consent ends',
    begin: async () => {
      const { grantHash, find } = await token();
      return { end: () => here.consents.endFamily(grantHash), lasts: find };
    },
  },
  {
    what: 'a consent',
    begin: async () => {
      const { grantHash } = await token();
      const lasts = async () => (await there.consents.standing(grantHash)) !== undefined;
      return { end: () => here.consents.endFamily(grantHash), lasts };
    },
  },
  {
    what: 'a channel that the person disables',
    begin: async () => {
      const accountId = await here.account(`person${serial}`);
      const lasts = async () =>
        (await there.store.accounts.find(accountId))?.grants.some(({ enabled }) => enabled) === true;
      return { end: () => here.store.accounts.selectChannels(accountId, []), lasts };
    },
  },
  {
    what: 'a channel that an owner revokes',
    begin: async () => {
      const accountId = await here.account(`person${serial}`);
      const lasts = async () => ((await there.store.accounts.find(accountId))?.grants.length ?? 0) > 0;
      return { end: () => here.store.accounts.replaceGrants(accountId, []), lasts };
    },
  },
  {
    what: 'an account',
    begin: async () => {
      const accountId = await here.account(`person${serial}`);
      const lasts = async () => (await there.store.accounts.find(accountId)) !== undefined;
      return { end: () => here.store.removals.close(accountId), lasts };
    },
  },
  {
    what: 'an agent’s session',
    begin: async () => {
      const accountId = await here.account(`person${serial}`);
      const { sessionId } = await reader(accountId);
      const end = () =>
        here
          .database('agent_sessions')
          .where('session_id', sessionId)
          .update({
            last_used_at: here.clock.now() - AGENT_SESSION_IDLE_MS - 1,
          });
      return { end, lasts: () => there.store.agentSessions.touch(sessionId, accountId, 'client') };
    },
  },
  {
    what: 'a browser’s session',
    begin: async () => {
      const secret = await here.store.browserSessions.create(await here.account(`person${serial}`));
      const lasts = async () => (await there.store.browserSessions.use(secret)) !== undefined;
      return { end: () => here.store.browserSessions.destroy(secret), lasts };
    },
  },
  {
    what: 'an account’s session with the bouncer',
    begin: async () => {
      const accountId = await here.account(`person${serial}`);
      await here.store.presences.write(accountId, STATUS);
      const lasts = async () => (await there.store.presences.find(accountId)) !== undefined;
      return { end: () => here.store.presences.ended(accountId), lasts };
    },
  },
];

const STATUS: PresenceStatus = {
  ...{ sessionSince: 1, nick: 'ada', nickRefusal: null, upstream: true, isAnswering: true, joinedChannels: [] },
  ...{ notJoined: {}, loggedInAs: null, problems: [] },
};

async function token() {
  const [idHash, grantHash] = [`token${serial}`, `family${serial}`];
  const accountId = await here.account(`person${serial}`);
  await here.consents.begin({ grantHash, accountId, clientId: 'c', clientName: 'C', scopes: [] });
  const expiresAt = here.clock.now() + 3_600_000;
  await here.records.save('AccessToken', { idHash, grantHash, uidHash: null, payload: 'token', expiresAt });
  const find = async () => (await there.records.find('AccessToken', { idHash })) !== undefined;
  return { idHash, grantHash, find };
}

for (const { what, begin } of ended) {
  test(`${what}, ended at one process, is refused at the other one half a second later`, async () => {
    const { end, lasts } = await begin();
    expect(await lasts()).toBe(true);

    await end();
    passed += SHARED_AGE_MS;

    expect(await lasts()).toBe(false);
  });
}

test('uses of a session at both processes are stored once a minute', async () => {
  const accountId = await here.account(`person${serial}`);
  const { sessionId } = await reader(accountId);
  const storedAt = async () => (await here.store.agentSessions.ofAccount(accountId))[0]?.lastUsedAt;
  const begun = await storedAt();
  const use = async (at: number) => {
    here.clock.set(at);
    passed += SHARED_AGE_MS;
    return there.store.agentSessions.touch(sessionId, accountId, 'client');
  };

  expect(await use(Number(begun) + 59_000)).toBe(true);
  expect(await storedAt()).toBe(begun);
  expect(await use(Number(begun) + 61_000)).toBe(true);

  expect(await storedAt()).toBe(Number(begun) + 61_000);
});

async function reader(accountId: string): Promise<Reader> {
  return {
    ...{ accountId, clientId: 'client' },
    sessionId: await here.store.agentSessions.create(accountId, 'client'),
  };
}

function say(accountId: string, texts: readonly string[]) {
  const lines = texts.map((text) => {
    serial += 1;
    return { line: capturedLine(text, serial), own: undefined };
  });
  return here.store.capture.ingest(accountId, 'main', { lines, isReplay: false, synced: new Set() });
}
