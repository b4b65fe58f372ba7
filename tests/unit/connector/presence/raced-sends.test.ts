import pino from 'pino';
import { afterEach, expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import type { SendOrder } from '../../../../src/connector/ports/presence.ts';
import type { Store } from '../../../../src/connector/ports/store.ts';
import type { AccountPresence } from '../../../../src/connector/presence/account-presence.ts';
import { Presences } from '../../../../src/connector/presence/presences.ts';
import { obedientBouncer, silentSession } from '../../../harness/bouncer-double.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';

const test = testWithNewStore();

let accountId: string;
let said: string[];
let presences: Presences;
/** Called in the middle of the next change of the account. */
let meanwhile: (() => Promise<unknown>) | undefined;

test.beforeEach(async () => {
  accountId = await open.account('ada');
  [said, meanwhile] = [[], undefined];
});

afterEach(async () => {
  await presences.close();
});

const ORDER: SendOrder = {
  clientId: 'c',
  sessionId: undefined,
  idempotencyKey: 'key',
  channel: '#room',
  text: 'hello',
};

/** Accepts a send as another process does, which has no session of the account. */
const acceptElsewhere = () =>
  open.anew(open.clock).messages.accept({ ...ORDER, accountId, heldPosts: () => 0 }, () => undefined);

const statusOf = async (): Promise<string | undefined> =>
  (await open.store.messages.findByKey(accountId, 'c', 'key'))?.message.status;

test('a send that another process accepts while the account goes offline fails, and is not said later', async () => {
  const presence = await online();
  meanwhile = acceptElsewhere;

  await presence.goOffline();

  await waitFor('it has failed', async () => (await open.database('messages').first('status')).status === 'failed');
  await presence.goOnline();
  expect(said).toEqual([]);
});

test('a send that was accepted for one network is not said on the one that the account moves to meanwhile', async () => {
  const presence = await online();
  meanwhile = acceptElsewhere;

  await presence.choices.chooseNetwork('other');

  await waitFor('it has failed', async () => (await open.database('messages').first('status')).status === 'failed');
  expect([await statusOf(), said]).toEqual(['failed', []]);
});

test('a send of another process is said by the one that has the session, with the next that it writes', async () => {
  const presence = await online();
  await acceptElsewhere();

  const answered = await presence.send({ ...ORDER, idempotencyKey: undefined, text: 'second' });

  expect(answered).toMatchObject({ status: 'queued' });
  expect(said).toEqual(['hello', 'second']);
});

test('a send is accepted, and answered as pending after a moment, while the account’s turn is taken by something slow', async () => {
  const presence = await online();
  const [taken, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  meanwhile = () => {
    taken.resolve();
    return released.promise;
  };
  const moved = presence.choices.chooseNetwork('main');
  await taken.promise;

  const answered = await presence.send(ORDER);

  expect(answered).toMatchObject({ status: 'pending' });
  expect(said).toEqual([]);
  released.resolve();
  await moved;
  await waitFor('it is said', () => said.length > 0);
});

async function online(): Promise<AccountPresence> {
  const { accounts } = open.store;
  const inBetween = async (): Promise<void> => {
    const happens = meanwhile;
    meanwhile = undefined;
    await happens?.();
  };
  const store: Store = {
    ...open.store,
    accounts: {
      ...accounts,
      setOnline: async (...of) => {
        await inBetween();
        await accounts.setOnline(...of);
      },
      chooseNetwork: async (...of) => {
        await inBetween();
        await accounts.chooseNetwork(...of);
      },
    },
  };
  presences = new Presences({
    store,
    bouncer: {
      ...obedientBouncer,
      attach: async () => ({ ...silentSession, sendMessage: (_channel, text) => void said.push(text) }),
    },
    clock: open.clock,
    log: pino({ level: 'silent' }),
    settings: { network: { name: 'main' }, otherNetworks: [{ name: 'other' }] },
  });
  const presence = presences.of(accountId);
  await presence.goOnline();
  return presence;
}
