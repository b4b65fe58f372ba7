import pino from 'pino';
import { afterEach, expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import type { Bouncer } from '../../../../src/connector/ports/bouncer.ts';
import type { BouncerEvents } from '../../../../src/connector/ports/bouncer-session.ts';
import type { Store } from '../../../../src/connector/ports/store.ts';
import type { AccountPresence } from '../../../../src/connector/presence/account-presence.ts';
import { Presences } from '../../../../src/connector/presence/presences.ts';
import { obedientBouncer, silentSession } from '../../../harness/bouncer-double.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';
import { storeSend } from '../../../harness/stored-sends.ts';

const SECOND_MS = 1_000;

const joinedSession = { ...silentSession, joinedChannels: ['#room', '#Ops'] };

const test = testWithNewStore();

let accountId: string;
let opened: Presences[];

test.beforeEach(async () => {
  accountId = await open.account('ada', ['#room', '#Ops']);
  opened = [];
});

afterEach(async () => {
  for (const presences of opened) await presences.close();
});

test('a session that ends while the network is being set online is replaced', async () => {
  let attached = 0;
  let events: BouncerEvents | undefined;
  const presence = presenceOf({
    attach: async (_account, _channels, told) => {
      attached += 1;
      events = told;
      return joinedSession;
    },
    setOnline: async () => {
      if (attached === 1) events?.onClose('the socket closed');
    },
  });

  const state = presence.goOnline();
  await waitFor('a second session', () => attached === 2);

  await state;
  expect(presence.live).toBeDefined();
});

test('a message that waits for a channel fails unsaid when the channel is disabled', async () => {
  const said: string[] = [];
  const session = { ...joinedSession, upstream: false };
  const presence = presenceOf({
    attach: async () => ({
      ...session,
      get upstream() {
        return session.upstream;
      },
      sendMessage: (_channel, text) => void said.push(text),
    }),
  });
  const [inRoom, inOps] = [await pending('#room', 'for the room'), await pending('#Ops', 'for the others')];
  const online = presence.goOnline();
  await waitFor('it is attached', () => presence.live !== undefined);

  await open.store.accounts.selectChannels(accountId, ['#Ops']);
  await presence.choices.channelsChanged();
  session.upstream = true;
  await waitFor('the rest is said', async () => (await inOps())?.status === 'queued');

  expect(await inRoom()).toMatchObject({ status: 'failed', reason: 'the channel was disabled' });
  expect(said).toEqual(['for the others']);
  await online;
});

test('a message that waits for a disabled channel is not said where an enabled one has the same name on other networks', async () => {
  const [braces, brackets] = ['#dev{1}', '#dev[1]'];
  accountId = await open.account('eve', [braces, brackets]);
  const said: string[] = [];
  const session = {
    ...joinedSession,
    joinedChannels: [braces, brackets],
    upstream: false,
    casemapping: 'ascii',
  } as const;
  let upstream = false;
  const presence = presenceOf({
    attach: async () => ({
      ...session,
      get upstream() {
        return upstream;
      },
      sendMessage: (_channel, text) => void said.push(text),
    }),
  });
  const messages = [await pending(braces, 'for the braces'), await pending(brackets, 'for the brackets')];
  const online = presence.goOnline();
  await waitFor('it is attached', () => presence.live !== undefined);

  await open.store.accounts.selectChannels(accountId, [brackets]);
  await presence.choices.channelsChanged();
  upstream = true;
  await waitFor('the rest is said', async () => (await messages[1]?.())?.status === 'queued');

  expect(await messages[0]?.()).toMatchObject({ status: 'failed', reason: 'the channel was disabled' });
  expect(said).toEqual(['for the brackets']);
  await online;
});

test('a send that was pending when the program ended fails in time while the bouncer is away', async () => {
  const message = await pending('#room');
  await open.store.accounts.setOnline(accountId, open.clock.now());
  const presence = presenceOf({ attach: () => Promise.reject(new Error('the bouncer is away')) });

  presence.resume(0);
  open.clock.set(open.clock.now() + 30 * SECOND_MS);

  await waitFor('it failed', async () => (await message())?.status === 'failed');
});

test('channels that the bouncer refused to set are set when it takes commands again, without a new session', async () => {
  let [attached, refusals] = [0, 0];
  let set: readonly string[] = [];
  const presence = presenceOf({
    attach: async () => {
      attached += 1;
      return joinedSession;
    },
    setChannels: async (_user, channels) => {
      if (refusals-- > 0) throw new Error('no answer on the admin socket');
      set = channels;
    },
  });
  await presence.goOnline();

  refusals = 2;
  await open.store.accounts.selectChannels(accountId, ['#Ops']);
  expect(await presence.choices.channelsChanged()).toBe(false);
  await waitFor('the bouncer knows', () => set.join() === '#Ops');

  expect(attached).toBe(1);
});

test('channels that were enabled while too many calls wait are followed when there is room again', async () => {
  let set: readonly string[] = [];
  const held = Promise.withResolvers<void>();
  const presence = presenceOf({
    attach: async () => joinedSession,
    setChannels: async (_user, channels) => {
      set = channels;
    },
    setOnline: async (_user, isOnline) => {
      if (isOnline) return;
      await held.promise;
      throw new Error('no answer');
    },
  });
  await presence.goOnline();
  await open.store.accounts.selectChannels(accountId, ['#Ops']);
  const calls = Array.from({ length: 1_100 }, () => presence.goOffline().catch(() => undefined));

  expect(await presence.choices.channelsChanged()).toBe(false);
  held.resolve();
  await Promise.all(calls);

  await waitFor('the bouncer knows', () => set.join() === '#Ops');
});

test('going online again during a session sends the bouncer no request, unless other channels are enabled', async () => {
  const told: string[] = [];
  const presence = presenceOf({
    attach: async () => joinedSession,
    provision: async () => void told.push('provision'),
    setChannels: async (_user, channels) => void told.push(channels.join()),
  });
  await presence.goOnline();
  for (let n = 0; n < 5; n += 1) await presence.goOnline();
  expect(told).toEqual(['provision', '#Ops,#room']);

  await open.store.accounts.selectChannels(accountId, ['#Ops']);
  await presence.goOnline();
  await presence.goOnline();

  expect(told).toEqual(['provision', '#Ops,#room', '#Ops']);
});

test('a database that fails while the account goes online leaves no capture and no presence', async () => {
  let openSessions = 0;
  const online = new Set<boolean>();
  const failing = {
    ...open.store,
    accounts: {
      ...open.store.accounts,
      setOnline: async (id: string, since: number | null) => {
        // The worst case: it is stored, but the answer is lost.
        await open.store.accounts.setOnline(id, since);
        if (since !== null) throw new Error('no database');
      },
    },
  };
  const presence = presenceOf(
    {
      attach: async () => {
        openSessions += 1;
        return {
          ...joinedSession,
          close: () => {
            openSessions -= 1;
          },
        };
      },
      setOnline: async (_user, isOnline) => void online.add(isOnline),
    },
    failing,
  );

  await expect(presence.goOnline()).rejects.toThrow('no database');

  expect([presence.live, openSessions, online.has(true)]).toEqual([undefined, 0, false]);
  expect(await open.store.accounts.find(accountId)).toMatchObject({ isOnline: false });
});

test('when the present session began is stored, and forgotten when the account goes offline', async () => {
  const told: BouncerEvents[] = [];
  const bouncer: Partial<Bouncer> = {
    attach: async (_account, _channels, events) => {
      told.push(events);
      return joinedSession;
    },
  };
  const since = async (): Promise<number | undefined> => (await open.store.presences.find(accountId))?.sessionSince;
  const presence = presenceOf(bouncer);
  await presence.goOnline();
  const first = open.clock.now();
  await waitFor('it is stored', async () => (await since()) === first);

  open.clock.set(first + SECOND_MS);
  told[0]?.onClose('the socket closed');
  await waitFor('the next session is stored', async () => (await since()) === first + SECOND_MS);

  await presence.goOffline();
  await waitFor('nothing stands', async () => (await since()) === undefined);
});

test('an account that goes offline just as the program resumes all accounts stays offline', async () => {
  await open.store.accounts.setOnline(accountId, 1);
  const [listed, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { accounts } = open.store;
  const listOnline = async () => {
    const online = await accounts.listOnline();
    listed.resolve();
    await goOn.promise;
    return online;
  };
  const attached: string[] = [];
  const bouncer: Partial<Bouncer> = {
    attach: async ({ nick }) => {
      attached.push(nick);
      return joinedSession;
    },
  };
  const presence = presenceOf(bouncer, { ...open.store, accounts: { ...accounts, listOnline } });
  const resumed = opened[0]?.gain('all', { isShared: false });
  await listed.promise;
  await presence.goOffline();
  goOn.resolve();
  await resumed;
  const later = await open.account('eve');
  await accounts.setOnline(later, 1);
  opened[0]?.of(later).resume(SECOND_MS / 10);
  await waitFor('somebody has attached', () => attached.length > 0);

  expect(attached).toEqual(['eve']);
  expect((await accounts.find(accountId))?.isOnline).toBe(false);
});

test('going offline again ends a session that stands although the database has it as ended', async () => {
  const { accounts } = open.store;
  let isToFail = true;
  const setOnline: typeof accounts.setOnline = async (of, since) => {
    if (since !== null || !isToFail) return accounts.setOnline(of, since);
    throw new Error('the connection was lost');
  };
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
  };
  const session = { ...joinedSession, close };
  const presence = presenceOf({ attach: async () => session }, { ...open.store, accounts: { ...accounts, setOnline } });
  await presence.goOnline();
  await expect(presence.goOffline()).rejects.toThrow('the connection was lost');
  await waitFor('the account is idle', () => presence.depth.calls + presence.depth.events === 0);
  // The database does now what is not awaited any more.
  await accounts.setOnline(accountId, null);
  isToFail = false;

  await presence.goOffline();

  expect([presence.live, isClosed]).toEqual([undefined, true]);
});

/** The account before a bouncer that does what the test says. */
function presenceOf(bouncer: Partial<Bouncer>, store: Store = open.store): AccountPresence {
  const presences = new Presences({
    ...{ store, bouncer: { ...obedientBouncer, ...bouncer }, clock: open.clock, log: pino({ level: 'silent' }) },
    settings: { network: { name: 'main' } },
  });
  opened.push(presences);
  return presences.of(accountId);
}

/** A message that waits to be sent. */
async function pending(channel: string, text = 'hello') {
  const { messageId } = await storeSend(open, {
    ...{ accountId, clientId: 'client', sessionId: undefined, idempotencyKey: undefined, network: 'main' },
    ...{ channel, nick: 'ada', text, parts: [{ text, tag: `tag of ${text}` }] },
  });
  return async () => open.store.messages.find(messageId);
}
