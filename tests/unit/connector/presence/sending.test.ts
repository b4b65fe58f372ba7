import pino from 'pino';
import { afterEach, beforeEach, expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { bouncerUnreachable } from '../../../../src/connector/errors.ts';
import type { Bouncer } from '../../../../src/connector/ports/bouncer.ts';
import type { MessageStore } from '../../../../src/connector/ports/message-store.ts';
import type { SendOrder } from '../../../../src/connector/ports/presence.ts';
import type { Store } from '../../../../src/connector/ports/store.ts';
import type { AccountPresence } from '../../../../src/connector/presence/account-presence.ts';
import { Presences } from '../../../../src/connector/presence/presences.ts';
import { obedientBouncer, silentSession } from '../../../harness/bouncer-double.ts';
import { countSteps } from '../../../harness/count-steps.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { capturedLine } from '../../../harness/open-store.ts';

/**
 * Most steps of the database for a send with a key: the look for an earlier one, the waiting sends, the message, its
 * line.
 */
const STEPS_MAX = 4;

const test = testWithStore();

let accountId: string;
let said: string[];
let opened: Presences[];
let serial = 0;

beforeEach(async () => {
  serial += 1;
  accountId = await open.account(`person${serial}`);
  said = [];
  opened = [];
});

afterEach(async () => {
  for (const presences of opened) await presences.close();
});

const order = (changes: Partial<SendOrder> = {}): SendOrder => ({
  ...{ clientId: 'client', sessionId: undefined, idempotencyKey: 'key', channel: '#room', text: 'hello', ...changes },
});

const idle = (presence: AccountPresence): Promise<unknown> =>
  waitFor('the account is idle', () => presence.depth.calls + presence.depth.events === 0);

test('a new send is stored, written and reported with its state in four steps of the database', async () => {
  const presence = await online();
  // A caller has looked for the account, which stays in memory.
  await open.store.accounts.find(accountId);
  const steps = countSteps(open);

  expect(await presence.send(order())).toMatchObject({ status: 'queued', reason: null, channel: '#room' });
  expect(steps()).toBeLessThanOrEqual(STEPS_MAX);
  await presence.send(order({ idempotencyKey: undefined, text: 'without a key' }));
  expect(steps()).toBeLessThan(STEPS_MAX);

  expect(said).toEqual(['hello', 'without a key']);
});

test('a send that meets the end of its account is said, or fails and is not said', async () => {
  const presence = await online();

  const sent = presence.send(order({ idempotencyKey: undefined }));
  await presence.goOffline();

  const { messageId } = await sent;
  await idle(presence);
  const status = (await open.store.messages.find(messageId))?.status;
  expect([status, said]).toEqual(said.length === 0 ? ['failed', []] : ['queued', ['hello']]);
});

test('a send with a known key is answered with its state, out of turn, by one query and then by none', async () => {
  const { presence, take, release } = await busy();
  const first = await presence.send(order());
  await take();
  const steps = countSteps(open);
  const again = async () => {
    const { messageId, status } = await presence.send(order());
    expect(messageId).toBe(first.messageId);
    return [status, steps()];
  };

  const [status, asked] = await again();
  expect(status).toBe('queued');
  expect(asked).toBeLessThanOrEqual(1);
  expect(await again()).toEqual(['queued', 0]);

  const [tag = ''] = await open.database('message_parts').where('account_id', accountId).pluck<string[]>('tag');
  const line = { ...capturedLine('hello', open.clock.now()), sender: 'ada' };
  const own = { tag, isNick: true, isJoin: false };
  await open.store.capture.ingest(accountId, 'main', { lines: [{ line, own }], isReplay: false, synced: new Set() });
  steps();
  expect(await again()).toEqual(['echoed', 1]);
  expect(await again()).toEqual(['echoed', 0]);
  expect(said).toEqual(['hello']);
  release();
});

test('one of several simultaneous sends under one key is said, and all get its state', async () => {
  const presence = await online();

  const sent = await Promise.all(Array.from({ length: 5 }, () => presence.send(order())));
  const other = await presence.send(order({ clientId: 'another client' }));

  expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(1);
  expect(other.messageId).not.toBe(sent[0]?.messageId);
  expect(said).toEqual(['hello', 'hello']);
});

test('a key that was used for another text is refused, also while the first send is under way', async () => {
  const presence = await online();

  const first = presence.send(order());
  const conflict = { code: 'idempotency_conflict' };
  await expect(presence.send(order({ text: 'something else' }))).rejects.toMatchObject(conflict);
  await expect(presence.send(order({ channel: '#Room' }))).rejects.toMatchObject(conflict);

  expect(await first).toMatchObject({ status: 'queued' });
  expect(said).toEqual(['hello']);
});

test('a send that failed is said when it is sent again under its key, as the same message', async () => {
  let isBroken = true;
  const presence = await online({
    write: (text) => {
      if (isBroken) throw new Error('the bouncer accepts no lines');
      said.push(text);
    },
  });
  const failed = await presence.send(order());
  expect(failed).toMatchObject({ status: 'failed', reason: 'the bouncer accepts no lines' });

  isBroken = false;
  const sent = await Promise.all([presence.send(order()), presence.send(order())]);

  expect(sent).toMatchObject([
    { messageId: failed.messageId, status: 'queued', reason: null },
    { messageId: failed.messageId, status: 'queued', reason: null },
  ]);
  expect(said).toEqual(['hello']);
});

test('a send that failed and came back after all is not said again', async () => {
  const presence = await online();
  const sent = await presence.send(order());
  const [tag = ''] = await open.database('message_parts').where('account_id', accountId).pluck<string[]>('tag');
  await open.store.messages.setPartStatus({ messageId: sent.messageId, number: 1 }, 'failed', 'no answer');
  const line = { ...capturedLine('hello', open.clock.now()), sender: 'ada' };
  const own = { tag, isNick: true, isJoin: false };

  await open.store.capture.ingest(accountId, 'main', { lines: [{ line, own }], isReplay: true, synced: new Set() });

  expect(await presence.send(order())).toMatchObject({ messageId: sent.messageId, status: 'echoed' });
  expect(said).toEqual(['hello']);
});

test('a send whose line the database could not note is accepted all the same, and said once when it can', async () => {
  let failures = 1;
  const store = storeWith((messages) => ({
    setPartStatus: async (...of) => {
      if (failures-- > 0) throw new Error('no database');
      return messages.setPartStatus(...of);
    },
  }));
  const presence = await online({ store });

  expect(await presence.send(order())).toMatchObject({ status: 'pending' });

  await waitFor('it is said', () => said.length > 0);
  await waitFor('that is known', async () => (await presence.send(order())).status === 'queued');
  expect(said).toEqual(['hello']);
});

test('a send whose storing was not acknowledged is said once, also when it is sent again', async () => {
  let failures = 1;
  const store = storeWith((messages) => ({
    accept: async (send, admit) => {
      const created = await messages.accept(send, admit);
      if (failures-- > 0) throw new Error('the connection was lost');
      return created;
    },
  }));
  const presence = await online({ store });

  await expect(presence.send(order())).rejects.toThrow('the connection was lost');
  await waitFor('it is said', () => said.length > 0);

  expect(await presence.send(order())).toMatchObject({ status: 'queued' });
  expect(said).toEqual(['hello']);
});

test('a send whose storing was not acknowledged is said also if the database learned of its session in between', async () => {
  const outcomes = [
    () => Promise.reject(bouncerUnreachable(new Error('no session'))),
    () => Promise.reject(new Error('the connection was lost')),
  ];
  const store = storeWith((messages) => ({
    accept: async (send, admit) => {
      if (outcomes.length === 1) await messages.accept(send, admit);
      return outcomes.shift()?.() ?? messages.accept(send, admit);
    },
  }));
  const presence = await online({ store });

  await expect(presence.send(order())).rejects.toThrow('the connection was lost');

  await waitFor('it is said', () => said.length > 0);
  expect(said).toEqual(['hello']);
});

test('a send that the database stores only after it was looked for in vain is said all the same', async () => {
  let storeLate: (() => Promise<unknown>) | undefined;
  let looks = 0;
  const store = storeWith((messages) => ({
    accept: (send, admit) => {
      storeLate = () => messages.accept(send, admit);
      return Promise.reject(new Error('no answer'));
    },
    outstanding: async (...of) => {
      const found = await messages.outstanding(...of);
      if (storeLate !== undefined) looks += 1;
      return found;
    },
  }));
  const presence = await online({ store });

  await expect(presence.send(order())).rejects.toThrow('no answer');
  await waitFor('it was looked for', () => looks > 0);
  await idle(presence);
  await storeLate?.();

  await waitFor('it is said', () => said.length > 0);
  expect(said).toEqual(['hello']);
});

test('a long text is reported as failed when its second line could not be written', async () => {
  let lines = 0;
  const presence = await online({
    write: (text) => {
      lines += 1;
      if (lines > 1) throw new Error('the bouncer accepts no lines');
      said.push(text);
    },
  });

  const sent = await presence.send(order({ text: 'ü'.repeat(400) }));

  expect(sent).toMatchObject({ status: 'failed', reason: 'part 2 of 3: the bouncer accepts no lines' });
  expect(said).toHaveLength(1);
});

/** The account online, before a bouncer that writes what it is given. */
async function online({
  store = open.store,
  bouncer = {},
  write = (text: string): void => void said.push(text),
}: {
  store?: Store;
  bouncer?: Partial<Bouncer>;
  write?: (text: string) => void;
} = {}): Promise<AccountPresence> {
  const session = { ...silentSession, sendMessage: (_channel: string, text: string) => write(text) };
  const presences = new Presences({
    store,
    bouncer: { ...obedientBouncer, attach: async () => session, ...bouncer },
    clock: open.clock,
    log: pino({ level: 'silent' }),
    settings: { network: { name: 'main' } },
  });
  opened.push(presences);
  const presence = presences.of(accountId);
  await presence.goOnline();
  await idle(presence);
  return presence;
}

/** An online account whose turn is taken by `take`, until `release`. */
async function busy() {
  const [taken, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isToBeTaken = false;
  const setChannels = async (): Promise<void> => {
    if (!isToBeTaken) return;
    taken.resolve();
    await released.promise;
  };
  const presence = await online({ bouncer: { setChannels } });
  const take = async (): Promise<void> => {
    isToBeTaken = true;
    void presence.choices.channelsChanged();
    await taken.promise;
  };
  return { presence, take, release: () => released.resolve() };
}

/** The store, whose messages do as the test says. */
function storeWith(messages: (real: MessageStore) => Partial<MessageStore>): Store {
  return {
    ...open.store,
    messages: { ...open.store.messages, ...messages(open.store.messages) },
  };
}
