import pino from 'pino';
import { afterEach, beforeEach, expect } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import type { Bouncer } from '../../../../src/connector/ports/bouncer.ts';
import type { BouncerEvents, BouncerSession } from '../../../../src/connector/ports/bouncer-session.ts';
import type { Freshness } from '../../../../src/connector/ports/invalidations.ts';
import type { OwnAccounts } from '../../../../src/connector/presence/held-accounts.ts';
import { Presences } from '../../../../src/connector/presence/presences.ts';
import { obedientBouncer, silentSession } from '../../../harness/bouncer-double.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { statementsOf } from '../../../harness/statements.ts';

const log = pino({ level: 'silent' });
const shared: Freshness = { alone: () => undefined, sinceBoot: () => 0 };
const NETWORKS = { network: { name: 'main' }, otherNetworks: [{ name: 'other' }] };

const test = testWithStore(shared);

let accountId: string;
let slot: number;
let serial = 0;
const processes: Process[] = [];

beforeEach(async () => {
  await open.database('orders').delete();
  serial += 1;
  accountId = await open.account(`person${serial}`);
  slot = (await open.store.accounts.slotOf(accountId)) ?? -1;
});

afterEach(async () => {
  for (const { presences } of processes.splice(0)) await presences.close();
});

const gain = ({ presences }: Process): Promise<void> => presences.gain([slot], { isShared: true });

test('an account passes to another process, which attaches before the connection of the first one ends', async () => {
  const [one, other] = [processOf(), processOf()];
  await gain(one);
  await one.presences.goOnline(accountId);
  await send(one, 'said here');

  expect(await one.presences.release([slot])).toBe(true);
  const row = await open.store.presences.find(accountId);
  await gain(other);
  await waitFor('the other one has attached', () => other.did.includes('attached'));

  expect(row).toMatchObject({ upstream: true });
  expect(one.did).toEqual(['attached', 'said said here', 'flushed', 'fell silent']);
  expect(await one.presences.actsFor(accountId)).toBe(false);
  expect(await other.presences.actsFor(accountId)).toBe(true);
  await waitFor('its sends are said there', async () => {
    await send(one, 'said there').catch(() => undefined);
    other.presences.writeStored(accountId);
    return other.did.includes('said said there');
  });
  expect(one.did.filter((each) => each.startsWith('said'))).toEqual(['said said here']);
});

test('an order that has not begun when its account passes on is carried out by the next process, and its caller gets the outcome', async () => {
  const held = Promise.withResolvers<void>();
  const one = processOf({ setChannels: () => held.promise });
  const other = processOf();
  await gain(one);
  const first = one.presences.goOnline(accountId);
  await waitFor(
    'it is under way',
    async () => (await open.database('orders').where('account_id', accountId)).length === 1,
  );
  const second = one.presences.chooseNetwork(accountId, 'other');
  await waitFor(
    'the second waits',
    async () => (await open.database('orders').where('account_id', accountId)).length === 2,
  );

  const released = one.presences.release([slot]);
  await waitFor('it is given back', async () => {
    const rows = await open.database('orders').where('account_id', accountId).whereNull('taken_by');
    return rows.length === 1;
  });
  held.resolve();

  expect(await first).toBe(true);
  expect(await released).toBe(true);
  await gain(other);
  expect(await answered(second, [one, other])).toBe(true);
  expect((await open.store.accounts.find(accountId))?.network).toBe('other');
  expect(other.did).toContain('attached');
});

test('an account whose work does not end in time stays, and its orders are carried out', async () => {
  const held = Promise.withResolvers<void>();
  const one = processOf({ setChannels: () => held.promise });
  await gain(one);
  const first = one.presences.goOnline(accountId);
  await waitFor(
    'it is under way',
    async () => (await open.database('orders').where('account_id', accountId)).length === 1,
  );
  const second = one.presences.goOffline(accountId);

  expect(await one.presences.release([slot])).toBe(false);
  held.resolve();

  expect(await first).toBe(true);
  expect(await answered(second, [one])).toBe(undefined);
  expect(await one.presences.actsFor(accountId)).toBe(true);
  expect((await open.store.accounts.find(accountId))?.isOnline).toBe(false);
});

test('accounts of a dead process attach while those of another slot can’t be passed on, and that slot is gained only after it', async () => {
  const held = Promise.withResolvers<void>();
  const one = processOf(
    {},
    {},
    {
      idsIn: async (slots) => {
        await held.promise;
        return open.store.accounts.idsIn(slots);
      },
    },
  );
  await gain(one);
  const otherId = await open.account('of the dead');
  const other = (await open.store.accounts.slotOf(otherId)) ?? -1;
  await open.store.accounts.setOnline(otherId, 1_000);
  let isReleased = false;
  const released = one.presences.release([slot]).finally(() => {
    isReleased = true;
  });
  let isBack = false;

  await one.presences.gain([other], { isShared: true });
  const back = gain(one).finally(() => {
    isBack = isReleased;
  });
  await waitFor('it has attached', () => one.did.includes('attached'));

  expect(isReleased).toBe(false);
  held.resolve();
  expect(await released).toBe(true);
  await back;
  expect(isBack).toBe(true);
  expect(await one.presences.actsFor(accountId)).toBe(true);
});

test.each([
  ['a network that is not connected', { upstream: false }],
  ['a network of which the bouncer says nothing', { upstream: null }],
  ['a channel for which the server does not answer', { joinedChannels: [] }],
])('an account that waits for %s passes on, and its caller learns how things are', async (_, now) => {
  const one = processOf({}, now);
  await gain(one);
  const asked = one.presences.goOnline(accountId);
  const online = () => open.database('accounts').where('account_id', accountId).whereNotNull('online_since');
  await waitFor('its turn is over', async () => (await online()).length === 1);

  expect(await one.presences.release([slot])).toBe(true);

  expect(await asked).toBe('upstream' in now ? now.upstream : true);
});

test('a nick that the network does not answer for does not keep an account here', async () => {
  const one = processOf();
  await gain(one);
  await one.presences.goOnline(accountId);
  await open.store.accounts.rename(accountId, 'other');
  const followed = one.presences.nickChanged(accountId);
  await waitFor('it is asked for', () => one.did.includes('asked for other'));

  expect(await one.presences.release([slot])).toBe(true);
  await followed;
});

test('a line that the server refuses just when its account is to pass on fails with the reason', async () => {
  let events: BouncerEvents | undefined;
  const refusing: BouncerSession = {
    ...silentSession,
    sendMessage: () => {
      setTimeout(() => events?.onSendRefused('#room', 'cannot send to channel'), 100);
    },
  };
  const one = processOf({
    attach: async (_account, _channels, given) => {
      events = given;
      return refusing;
    },
  });
  await gain(one);
  await one.presences.goOnline(accountId);
  const { messageId, status } = await send(one, 'too much');

  expect(status).toBe('queued');
  expect(await one.presences.release([slot])).toBe(true);
  expect(await open.store.messages.find(messageId)).toMatchObject({
    ...{ status: 'failed', reason: 'cannot send to channel' },
  });
});

test('an account that comes back attaches anew, and its first connection ends by itself', async () => {
  const one = processOf();
  await gain(one);
  await one.presences.goOnline(accountId);

  expect(await one.presences.release([slot])).toBe(true);
  await gain(one);
  await waitFor('it has attached again', () => one.did.filter((each) => each === 'attached').length === 2);

  expect(one.did).toEqual(['attached', 'flushed', 'fell silent', 'attached']);
  expect(await one.presences.goOnline(accountId)).toBe(true);
  await send(one, 'again');
  expect(one.did.at(-1)).toBe('said again');
});

test('accounts of other slots are not read when a slot passes on, also in a process that has just begun', async () => {
  const releaseBeside = async (others: readonly string[]): Promise<string[]> => {
    const one = processOf();
    const slots = await Promise.all([accountId, ...others].map((id) => open.store.accounts.slotOf(id)));
    await one.presences.gain(
      slots.map((each) => each ?? -1),
      { isShared: true },
    );
    await waitFor('all have attached', () => one.did.filter((each) => each === 'attached').length === slots.length);
    const statements = await statementsOf(open, async () => {
      expect(await one.presences.release([slot])).toBe(true);
    });
    return statements.filter((statement) => statement.includes('slot'));
  };
  const online = (id: string) => open.store.accounts.setOnline(id, 1_000);
  await online(accountId);
  const alone = await releaseBeside([]);
  const others: string[] = [];
  for (let n = 0; n < 12; n += 1) others.push(await open.account(`other${n}`));
  await Promise.all(others.map(online));

  const beside = await releaseBeside(others);

  expect(beside).toEqual(alone);
  expect(beside).toHaveLength(1);
});

test('a process whose accounts all pass to new sessions of its own closes only the session of an account whose work does not end in time', async () => {
  const held = Promise.withResolvers<void>();
  const busy = { user: '' };
  const closedOf: string[] = [];
  const one = processOf({
    attach: async ({ user: { name } }) => ({
      ...silentSession,
      isUnpaced: true,
      close: () => void closedOf.push(name),
    }),
    setChannels: async ({ name }) => {
      if (name === busy.user) await held.promise;
    },
  });
  const ids = [accountId, ...(await Promise.all([1, 2].map((n) => open.account(`passing${n}`))))];
  const slots = await Promise.all(ids.map(async (id) => (await open.store.accounts.slotOf(id)) ?? -1));
  await one.presences.gain(slots, { isShared: true });
  for (const id of ids) await one.presences.goOnline(id);
  busy.user = (await open.store.accounts.bouncerUser(accountId)).name;
  const late = one.presences.channelsChanged(accountId).catch(() => undefined);
  await waitFor(
    'it is under way',
    async () => (await open.database('orders').where('account_id', accountId)).length === 1,
  );

  await one.presences.leaveAll(slots);

  expect(closedOf).toEqual([busy.user]);
  expect(await Promise.all(ids.map((id) => one.presences.actsFor(id)))).toEqual([false, false, false]);
  held.resolve();
  await late;
});

function processOf(
  changes: Partial<Bouncer> = {},
  state: Partial<BouncerSession> = {},
  owned: Partial<OwnAccounts> = {},
): Process {
  const store = open.anew(open.clock);
  const did: string[] = [];
  const noted =
    (what: string) =>
    (...given: unknown[]): void =>
      void did.push([what, ...given].join(' '));
  const session = {
    ...{ ...silentSession, isUnpaced: true, ...state },
    changeNick: noted('asked for'),
    sendMessage: (_channel: string, text: string) => noted('said')(text),
    ...{ fallSilent: noted('fell silent'), close: noted('closed') },
    flush: async () => did.push('flushed') > 0,
  };
  const bouncer: Bouncer = {
    ...obedientBouncer,
    attach: async () => {
      did.push('attached');
      return session;
    },
    ...changes,
  };
  const presences = new Presences({
    ...{ store, bouncer, clock: open.clock, log, settings: NETWORKS, freshness: shared },
    ...{
      owned: { slotOf: store.accounts.slotOf, idsIn: store.accounts.idsIn, ...owned },
      invalidations: open.invalidations,
      processes: () => 2,
    },
  });
  const process = { presences, did };
  processes.push(process);
  return process;
}

/** Lets these processes take orders until this is answered. */
async function answered<T>(asked: Promise<T>, takers: readonly Process[]): Promise<T> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  asked.then(over, over);
  await waitFor('the order has an outcome', async () => {
    for (const { presences } of takers) await presences.takeOrders();
    return isOver;
  });
  return asked;
}

/** A process that acts for some accounts, and what it did at the bouncer. */
interface Process {
  presences: Presences;
  did: string[];
}

function send({ presences }: Process, text: string) {
  return presences.send(accountId, {
    ...{ clientId: 'client', sessionId: undefined, idempotencyKey: undefined, channel: '#room', text },
  });
}
