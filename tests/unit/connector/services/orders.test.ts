import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../../scripts/stack/wait-for.ts';
import { ORDER_DEADLINE_MS, ORDERS_OF_ACCOUNT_MAX } from '../../../../src/connector/domain/limits.ts';
import { accountBusy, bouncerUnreachable, RetryLater } from '../../../../src/connector/errors.ts';
import type { Bouncer } from '../../../../src/connector/ports/bouncer.ts';
import type { OrderKind } from '../../../../src/connector/ports/order-store.ts';
import { Orders } from '../../../../src/connector/presence/order-runs.ts';
import type { OpenStore } from '../../../harness/open-store.ts';
import { type Holder, OrderHolders, shared } from '../../../harness/order-holders.ts';
import { presenceElsewhere } from '../../../harness/presence-elsewhere.ts';

const log = pino({ level: 'silent' });

let processes: OrderHolders;
let open: OpenStore;
let there: OrderHolders['there'];
let asker: Orders;
let accountId: string;

beforeAll(async () => {
  processes = await OrderHolders.open();
  ({ open, there } = processes);
});

afterAll(() => processes[Symbol.asyncDispose]());

beforeEach(async () => {
  await processes.begin();
  ({ accountId, asker } = processes);
});

afterEach(() => processes.endHolders());

const askerOf = (): Orders => processes.newAsker();
const holderOf = (changes?: Partial<Bouncer>): Holder => processes.newHolder(changes);
const answered = <T>(holder: Holder, asked: Promise<T>): Promise<T> => processes.answered(holder, asked);
const order = (kind: OrderKind) => processes.order(kind);
const account = () => processes.account();
const rows = () => processes.rows();

test('another process than the one that has the session takes an account online, to another network and offline', async () => {
  const holder = holderOf();

  expect(await answered(holder, asker.ask(order('go_online')))).toBe(true);
  expect(await account()).toEqual({ isOnline: true, network: null });
  expect(holder.presences.levels()).toMatchObject({ sessionsOnline: 1 });
  expect(await answered(holder, asker.ask(order('choose_network')))).toBe(true);
  expect(await account()).toEqual({ isOnline: true, network: 'other' });
  expect(await answered(holder, asker.ask(order('go_offline')))).toBe(null);
  expect(await account()).toEqual({ isOnline: false, network: 'other' });

  await waitFor('no order is left', async () => (await rows()).length === 0);
});

test('the process that asked knows at once what its order has changed', async () => {
  const holder = holderOf();
  const seen = async () => (await there.store.accounts.find(accountId))?.isOnline;
  for (const [kind, isOnline] of [
    ['go_online', true],
    ['go_offline', false],
    ['go_online', true],
  ] as const) {
    expect(await seen()).toBe(!isOnline);
    await answered(holder, asker.ask(order(kind)));
    expect(await seen()).toBe(isOnline);
  }
});

test('an order to the holder itself goes the same way, without a look for other orders, and leaves no row', async () => {
  const { presences } = holderOf();

  expect(await presences.goOnline(accountId)).toBe(true);
  expect(await presences.chooseNetwork(accountId, 'other')).toBe(true);
  await presences.goOffline(accountId);

  expect(await account()).toEqual({ isOnline: false, network: 'other' });
  await waitFor('no order is left', async () => (await rows()).length === 0);
});

test('a person’s change at another process is followed where the session is, as it is stored now', async () => {
  const joined: (readonly string[])[] = [];
  const holder = holderOf({ setChannels: async (_, channels) => void joined.push(channels) });
  const presence = presenceElsewhere({
    ...there,
    invalidations: open.invalidations,
    clock: open.clock,
    freshness: shared,
  });
  await holder.presences.goOnline(accountId);
  // It has read the account by now, and keeps it in memory.
  await holder.presences.channelsChanged(accountId);
  expect(joined).toEqual([['#room'], ['#room']]);

  await there.store.accounts.selectChannels(accountId, []);
  expect(await answered(holder, presence.channelsChanged(accountId))).toBe(true);
  expect(joined.at(-1)).toEqual([]);
  await there.store.accounts.rename(accountId, 'renamed');
  await answered(holder, presence.nickChanged(accountId));
  await there.store.accounts.selectChannels(accountId, ['#room']);
  await answered(holder, presence.goOffline(accountId));
  await answered(holder, presence.goOnline(accountId));

  expect(joined.at(-1)).toEqual(['#room']);
});

test('a change is reported as not followed yet when the holder takes longer than a person waits, and is followed later', async () => {
  const joined: (readonly string[])[] = [];
  const holder = holderOf({ setChannels: async (_, channels) => void joined.push(channels) });
  await holder.presences.goOnline(accountId);
  const presence = presenceElsewhere({
    ...there,
    invalidations: open.invalidations,
    clock: open.clock,
    freshness: shared,
  });

  await there.store.accounts.selectChannels(accountId, []);
  const followed = presence.channelsChanged(accountId);
  await waitFor('it is reported', async () => (await rows()).some(({ kind }) => kind === 'follow_channels'));
  open.clock.set(open.clock.now() + 3_000);
  open.invalidations.invalidate('orders', accountId);
  expect(await followed).toBe(false);
  await holder.presences.takeOrders();

  await waitFor('it is followed', () => joined.at(-1)?.length === 0);
});

test.each<[string, () => Error]>([
  ['a refusal', () => bouncerUnreachable(new Error('away'))],
  ['a refusal with a wait', () => new RetryLater('account_busy', 'more calls wait', 5_000)],
])('%s of the holder is that of the process that asked', async (_, refusal) => {
  const error = refusal();
  const holder = holderOf({ provision: () => Promise.reject(error) });

  const asked = answered(holder, asker.ask(order('go_online')));

  await expect(asked).rejects.toMatchObject(JSON.parse(JSON.stringify({ ...error, message: error.message })));
  expect(await account()).toMatchObject({ isOnline: false });
});

test('the process that asked learns of an unexpected failure only that there was one', async () => {
  const holder = holderOf({ provision: () => Promise.reject(new Error('a secret of the other process')) });

  const asked = answered(holder, asker.ask(order('go_online')));

  await expect(asked).rejects.toMatchObject({ code: 'internal', message: expect.not.stringContaining('secret') });
});

test('an older order to go online does not undo a later one to go offline, wherever both were given', async () => {
  const holder = holderOf();
  const older = asker.ask(order('go_online'));
  await waitFor('it is stored', async () => (await rows()).length === 1);

  await holder.presences.goOffline(accountId);
  expect(await answered(holder, older)).not.toBe(undefined);

  expect(await account()).toMatchObject({ isOnline: false });
  expect(holder.asked.filter((each) => each !== 'setOnline true')).toEqual(['attach', 'setOnline false']);
});

test('orders of many processes for one account are carried out in the order in which they were stored', async () => {
  const holder = holderOf();
  const askers = [askerOf(), askerOf(), askerOf()];
  const kinds: OrderKind[] = ['go_online', 'go_offline', 'go_online', 'go_offline', 'go_online', 'go_offline'];
  const asked: Promise<unknown>[] = [];
  for (const [index, kind] of kinds.entries()) {
    asked.push(askers[index % 3]?.ask(order(kind)) ?? Promise.reject(new Error('no asker')));
    await waitFor('it is stored', async () => (await rows()).length === index + 1);
  }

  await answered(holder, Promise.all(asked));

  expect(holder.asked.filter((each) => each !== 'setOnline true')).toEqual([
    'attach',
    'setOnline false',
    'attach',
    'setOnline false',
    'attach',
    'setOnline false',
  ]);
  expect(await account()).toMatchObject({ isOnline: false });
});

test('an order that no holder takes ends at its deadline, and is not carried out afterwards', async () => {
  const asked = asker.ask(order('go_online'));
  const refused = expect(asked).rejects.toMatchObject({
    code: 'bouncer_unreachable',
    message: expect.stringContaining('nothing has changed'),
    retryAfterSeconds: expect.any(Number),
  });
  await waitFor('it is stored', async () => (await rows()).length === 1);

  open.clock.set(open.clock.now() + ORDER_DEADLINE_MS);
  asker.outcomesMayBeStored();
  await refused;
  const holder = holderOf();
  await holder.presences.takeOrders();

  expect(holder.asked).toEqual([]);
  expect(await account()).toMatchObject({ isOnline: false });
});

test('an order whose caller was killed is not carried out after its deadline, and is removed a minute later', async () => {
  await there.store.orders.add(order('go_online'), false);
  const pass = (ms: number) => open.database('orders').where('account_id', accountId).decrement('deadline_at', ms);
  await pass(ORDER_DEADLINE_MS);
  const holder = holderOf();

  await holder.presences.takeOrders();
  expect(holder.asked).toEqual([]);
  expect(await open.store.orders.removeEnded(10)).toBe(0);
  await pass(61_000);

  expect(await open.store.orders.removeEnded(10)).toBe(1);
  expect(await rows()).toEqual([]);
});

test('a holder that stood still over the deadline of an order does not begin it', async () => {
  for (const call of ['orders.add', 'orders.take']) {
    const holder = holderOf();
    const wakes = Promise.withResolvers<void>();
    const freezes = Promise.withResolvers<void>();
    holder.knock = async (door) => {
      if (door.call !== call || door.side !== 'after') return;
      freezes.resolve();
      await wakes.promise;
    };
    const asked = call === 'orders.add' ? holder.presences.goOnline(accountId) : asker.ask(order('go_online'));
    const refused = expect(asked).rejects.toMatchObject({ code: 'bouncer_unreachable' });
    if (call === 'orders.take') {
      await waitFor('it is stored', async () => (await rows()).length === 1);
      void holder.presences.takeOrders();
    }
    await freezes.promise;

    open.clock.set(open.clock.now() + ORDER_DEADLINE_MS + 1);
    wakes.resolve();
    asker.outcomesMayBeStored();
    await refused;
    await waitFor('its outcome is recorded', async () => (await rows()).every(({ outcome }) => outcome !== null));

    expect(holder.asked).toEqual([]);
    expect(await account()).toMatchObject({ isOnline: false });
    await open.database('orders').delete();
  }
});

test('an order that was begun and takes longer than its deadline is reported as such', async () => {
  const goesOn = Promise.withResolvers<void>();
  const begins = Promise.withResolvers<void>();
  const holder = holderOf({
    provision: () => {
      begins.resolve();
      return goesOn.promise;
    },
  });
  const asked = asker.ask(order('go_online'));
  const refused = expect(asked).rejects.toMatchObject({ message: expect.stringContaining('may still be done') });
  await waitFor('it is taken', async () => {
    await holder.presences.takeOrders();
    return (await rows()).some(({ taken_by: takenBy }) => takenBy !== null);
  });
  await begins.promise;

  open.clock.set(open.clock.now() + ORDER_DEADLINE_MS);
  asker.outcomesMayBeStored();
  await refused;
  goesOn.resolve();

  await waitFor('it is done', async () => (await account()).isOnline);
});

test.each(['orders.add', 'orders.take'])(
  'orders that were taken without an answer of the database are carried out all the same, once (%s)',
  async (call) => {
    let isLost = true;
    const holder = holderOf();
    holder.knock = async (door) => {
      if (!isLost || door.call !== call || door.side !== 'after') return;
      isLost = false;
      throw new Error('the answer of the database was lost');
    };
    const asked = asker.ask(order('go_online'));
    await waitFor('it is stored', async () => (await rows()).length === 1);
    if (call === 'orders.add')
      await expect(holder.presences.chooseNetwork(accountId, 'other')).rejects.toThrow('was lost');
    else await expect(holder.presences.takeOrders()).rejects.toThrow('was lost');

    expect(await answered(holder, asked)).toBe(true);
    await waitFor('all are carried out', async () => (await rows()).length === 0);

    expect(await account()).toEqual({ isOnline: true, network: call === 'orders.add' ? 'other' : null });
    expect(holder.presences.levels()).toMatchObject({ sessionsOnline: 1 });
  },
);

test('orders whose taking comes into effect after they were given back are carried out by the same holder', async () => {
  const holder = holderOf();
  let ownId: string | undefined;
  let [isLost, isLate] = [false, false];
  holder.knock = async ({ call, side }) => {
    if (call === 'orders.finish' && side === 'before') ownId ??= (await rows())[0].taken_by;
    if (isLost && call === 'orders.take' && side === 'before') {
      [isLost, isLate] = [false, true];
      throw new Error('the server hangs at the commit');
    }
    if (!isLate || call !== 'orders.release' || side !== 'after') return;
    isLate = false;
    await open.database('orders').where('account_id', accountId).update({ taken_by: ownId });
  };
  await answered(holder, asker.ask(order('go_offline')));
  await waitFor('the first order is forgotten', async () => (await rows()).length === 0);
  isLost = true;
  const asked = asker.ask(order('go_online'));
  await waitFor('it is stored', async () => (await rows()).length === 1);
  await expect(holder.presences.takeOrders()).rejects.toThrow('hangs at the commit');

  expect(await answered(holder, asked)).toBe(true);
  expect(isLate).toBe(false);
});

test('a change at the process that has the session comes after the orders that others have stored before it', async () => {
  const holder = holderOf();
  const online = asker.ask(order('go_online'));
  await waitFor('it is stored', async () => (await rows()).length === 1);

  expect(await holder.presences.channelsChanged(accountId)).toBe(true);

  asker.outcomesMayBeStored();
  expect(await online).toBe(true);
  expect(await account()).toMatchObject({ isOnline: true });
});

test('a later order does not begin before the outcome of an earlier one is stored', async () => {
  const holder = holderOf();
  let isAway = true;
  holder.knock = async ({ call, side }) => {
    if (isAway && call === 'orders.finish' && side === 'before') throw new Error('the database is away');
  };

  expect(await holder.presences.goOnline(accountId)).toBe(true);
  await expect(holder.presences.goOffline(accountId)).rejects.toThrow('the database is away');
  expect(await account()).toMatchObject({ isOnline: true });
  isAway = false;
  await holder.presences.goOffline(accountId);

  expect(await account()).toMatchObject({ isOnline: false });
  await holder.presences.takeOrders();
  await waitFor('no order is left', async () => (await rows()).length === 0);
});

test('orders of others are taken while those of one person wait for the database, or for each other', async () => {
  const holder = holderOf();
  const other = await open.account('neighbour');
  const stored = Promise.withResolvers<void>();
  holder.knock = ({ call, side }) => (call === 'orders.add' && side === 'before' ? stored.promise : Promise.resolve());
  const many = Array.from({ length: 20 }, () => holder.presences.goOnline(accountId));
  const distant = asker.ask(order('go_offline'));
  await waitFor('an order of another process waits, too', async () => (await rows()).length === 1);

  expect(await answered(holder, asker.ask({ accountId: other, kind: 'go_online' }))).toBe(true);

  stored.resolve();
  await Promise.all(many);
  expect(await answered(holder, distant)).toBe(null);
});

test('a person whose changes can’t be reported costs one report at a time, and takes no room from another', async () => {
  const reports = new Map<string, number>();
  const orders = new Orders({
    orders: {
      ...there.store.orders,
      add: async (given, takes) => {
        const count = (reports.get(given.accountId) ?? 0) + 1;
        reports.set(given.accountId, count);
        if (given.accountId === accountId || count === 1) throw accountBusy();
        return there.store.orders.add(given, takes);
      },
    },
    ...{ clock: open.clock, log },
  });
  const other = await open.account('neighbour whose changes are reported');
  const changes = 1_500;
  for (let n = 0; n < changes; n += 1) expect(await orders.follow({ accountId, kind: 'follow_channels' })).toBe(false);

  expect(await orders.follow({ accountId: other, kind: 'follow_nick' })).toBe(false);
  const stored = () => open.database('orders').where({ account_id: other, kind: 'follow_nick' });
  await waitFor('the change of the other one is reported', async () => (await stored()).length === 1);

  expect(reports.get(accountId)).toBeLessThan(changes + 10);
});

test('the orders of an account are bounded, and a removed account has none', async () => {
  const { asked_by, deadline_at } = { asked_by: 'run_other', deadline_at: 4_000_000_000_000 };
  const row = (n: number) => ({
    order_id: `${accountId} ${n}`,
    account_id: accountId,
    kind: 'go_online',
    asked_by,
    deadline_at,
  });
  const many = Array.from({ length: ORDERS_OF_ACCOUNT_MAX }, (_, n) => row(n));
  for (let from = 0; from < many.length; from += 100)
    await open.database('orders').insert(many.slice(from, from + 100));

  await expect(asker.ask(order('go_offline'))).rejects.toMatchObject({ code: 'account_busy' });
  await open.store.removals.close(accountId);

  await expect(asker.ask(order('go_offline'))).rejects.toMatchObject({ code: 'account_removed' });
});

test('a send that another process accepts while its account goes offline fails with the end, also where the holder is killed right after it', async () => {
  const holder = holderOf();
  await holder.presences.goOnline(accountId);
  const send = {
    ...{ accountId, clientId: 'client', sessionId: undefined, channel: '#room', text: 'too late' },
    ...{ idempotencyKey: 'key', isPost: false, heldPosts: () => 0 },
  };
  let messageId = '';
  holder.knock = async ({ call, side }) => {
    if (call === 'accounts.setOnline' && side === 'before') {
      const accepted = await there.store.messages.accept(send, () => undefined);
      messageId = 'message' in accepted ? accepted.message.messageId : '';
    }
    if (call === 'accounts.setOnline' && side === 'after') holder.isKilled = true;
  };

  holder.presences.goOffline(accountId).catch(() => undefined);
  await waitFor('it is killed', () => holder.isKilled);

  expect(await account()).toMatchObject({ isOnline: false });
  expect(await there.store.messages.find(messageId)).toMatchObject({
    status: 'failed',
    reason: 'the account went offline',
  });
});

test('orders that a process refuses because it ends are left to the next holder', async () => {
  const ending = holderOf();
  await ending.presences.close();
  const asked = asker.ask(order('go_online'));
  await waitFor('it is stored', async () => (await rows()).length === 1);
  await ending.presences.takeOrders();
  await expect(ending.presences.goOnline(accountId)).rejects.toMatchObject({ code: 'account_busy' });

  expect(await answered(holderOf(), asked)).toBe(true);
});

test('a hundred orders of one person that wait at a process take no more statements than one, however many hints come', async () => {
  const looks: number[] = [];
  const { orders } = there.store;
  const counting = new Orders({
    orders: {
      ...orders,
      statesOf: (orderIds) => {
        looks.push(orderIds.length);
        return orders.statesOf(orderIds);
      },
    },
    ...{ clock: open.clock, log },
  });
  const begun = performance.now();
  const asked = Promise.all(Array.from({ length: 100 }, () => counting.ask(order('go_online'))));
  await waitFor('all are stored', async () => (await rows()).length === 100);
  for (let hint = 0; hint < 2_000; hint += 1) {
    counting.outcomesMayBeStored();
    if (hint % 20 === 0) await new Promise(setImmediate);
  }
  await waitFor('all are looked for', () => looks.at(-1) === 100);
  expect(await answered(holderOf(), asked)).toEqual(Array.from({ length: 100 }, () => true));

  // One look in 20 ms at most.
  expect(looks.length).toBeLessThanOrEqual(1 + (performance.now() - begun) / 20);
});

test('a hundred orders of one person take one connection at a time from others where they are given', async () => {
  let adding = 0;
  const counts: number[] = [];
  const { orders } = there.store;
  const counting = new Orders({
    orders: {
      ...orders,
      add: async (...given) => {
        adding += 1;
        counts.push(adding);
        try {
          return await orders.add(...given);
        } finally {
          adding -= 1;
        }
      },
    },
    ...{ clock: open.clock, log },
  });

  const asked = Promise.all([
    ...Array.from({ length: 50 }, () => counting.ask(order('go_online'))),
    ...Array.from({ length: 50 }, () => counting.follow({ accountId, kind: 'follow_nick' })),
  ]);
  await answered(holderOf(), asked);

  expect(counts).toHaveLength(100);
  expect(Math.max(...counts)).toBe(1);
});

test('orders behind one that the database does not store in time are refused, not kept waiting one after the other', async () => {
  const stored = Promise.withResolvers<void>();
  let adding = 0;
  const { orders } = there.store;
  const hung = new Orders({
    orders: {
      ...orders,
      add: async (...given) => {
        adding += 1;
        await stored.promise;
        return orders.add(...given);
      },
    },
    ...{ clock: open.clock, log },
  });
  const first = hung.ask(order('go_online'));
  const later = Array.from({ length: 10 }, () => hung.ask(order('go_online')));
  const refused = Promise.all(
    later.map((each) => expect(each).rejects.toMatchObject({ code: 'database_unavailable' })),
  );
  await waitFor('the first one is being stored', () => adding === 1);

  open.clock.set(open.clock.now() + 11_000);
  stored.resolve();

  await refused;
  expect(adding).toBe(1);
  expect(await answered(holderOf(), first)).toBe(true);
});
