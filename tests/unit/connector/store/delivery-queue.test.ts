import { beforeEach, expect, test } from 'vitest';
import { noteGrowth } from '../../../../src/connector/store/dialect.ts';
import { groupsOf } from '../../../../src/connector/store/rows-at-once.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { heard, subscribed, textIn } from '../../../harness/mentions.ts';
import { type OpenStore, openStore } from '../../../harness/open-store.ts';
import { plansOf } from '../../../harness/plans.ts';

const QUEUE_MAX = 10_000;
const LEASE_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** Number of rows at which the plan shows whether the database reads them all. */
const MANY = 3_000;

let open: OpenStore;

beforeEach(async () => {
  open = await openStore();
  return () => open[Symbol.asyncDispose]();
});

const numbered = (nick: string, count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, n) => `${nick} ${from + n}`);

test('a full queue drops the oldest deliveries of the account that has most there, not those of others', async () => {
  verifies('connector.delivery.queue');
  const adaId = await open.account('ada');
  await subscribed(open, adaId);
  await heard(open, adaId, ['ada first', 'ada second']);
  const eveId = await manyTimesSubscribed('eve');

  await heard(open, eveId, numbered('eve', QUEUE_MAX / 20));
  await heard(open, adaId, ['ada third']);

  expect(await waitingOf(adaId)).toEqual(['ada first', 'ada second', 'ada third']);
  const ofEve = await waitingOf(eveId);
  expect([ofEve.length, ofEve[0], ofEve.at(-1)]).toEqual([QUEUE_MAX - 3, 'eve 0', `eve ${QUEUE_MAX / 20 - 1}`]);
  expect(await open.store.deliveries.counts()).toEqual({ waiting: QUEUE_MAX, dropped: 3 });
});

test('the number of dropped deliveries is reported for each subscription, with drops for any reason', async () => {
  const adaId = await open.account('ada');
  const all = await subscribed(open, adaId);
  const some = await subscribed(open, adaId, { filters: { keyword: 'rare' } });
  const droppedOf = async (accountId: string) =>
    Object.fromEntries(
      (await open.store.subscriptions.ofAccount(accountId)).map((each) => [each.subscriptionId, each.droppedCount]),
    );
  expect(await droppedOf(adaId)).toEqual({ [all.subscriptionId]: 0, [some.subscriptionId]: 0 });

  // Left out at once, pushed out by later ones, and with no time left.
  await heard(open, adaId, ['ada rare', ...numbered('ada', 1_004)]);
  await heard(open, adaId, numbered('ada', 7));
  expect(await droppedOf(adaId)).toEqual({ [all.subscriptionId]: 12, [some.subscriptionId]: 0 });
  const eveId = await manyTimesSubscribed('eve');
  await heard(open, eveId, numbered('eve', QUEUE_MAX / 20));
  const ofEve = Object.values(await droppedOf(eveId)).reduce((sum, count) => sum + count, 0);
  expect([ofEve, await droppedOf(adaId)]).toEqual([1_001, { [all.subscriptionId]: 12, [some.subscriptionId]: 0 }]);
  open.clock.set(open.clock.now() + DAY_MS + 1);
  while ((await open.store.deliveries.removeStale(1_000)) > 0);

  const [ada, totals] = [await waitingDropped(adaId), await open.store.deliveries.counts()];
  expect(ada).toEqual([1_012, 1]);
  expect(totals).toEqual({ waiting: 0, dropped: 1_013 + 10_000 });
});

/** Returns the numbers of dropped deliveries of the account's subscriptions, largest first, also of expired ones. */
async function waitingDropped(accountId: string): Promise<number[]> {
  const rows: { count: number | string }[] = await open
    .database('subscriptions')
    .join('dropped_deliveries', 'dropped_deliveries.subscription_id', 'subscriptions.subscription_id')
    .where('account_id', accountId)
    .orderBy('count', 'desc')
    .select('count');
  return rows.map(({ count }) => Number(count));
}

test('a subscription that begins anew has no dropped deliveries, and the count of ended ones is removed', async () => {
  const adaId = await open.account('ada');
  const { subscriptionId } = await subscribed(open, adaId);
  await heard(open, adaId, numbered('ada', 1_003));
  const count = async () => (await open.store.subscriptions.ofAccount(adaId)).map((each) => each.droppedCount);
  expect(await count()).toEqual([3]);
  await subscribed(open, adaId);
  expect(await count()).toEqual([3]);

  await open.store.subscriptions.end(adaId, subscriptionId);
  await subscribed(open, adaId);
  expect(await count()).toEqual([0]);
  await heard(open, adaId, numbered('ada', 1_002));
  await open.store.subscriptions.end(adaId, subscriptionId);
  await open.store.subscriptions.removeEnded(10);

  expect(await open.database('dropped_deliveries')).toEqual([]);
});

test('accounts that fill the queue share it, and an account below its share keeps all', async () => {
  const [eveId, malId, zoeId] = [
    await manyTimesSubscribed('eve'),
    await manyTimesSubscribed('mal'),
    await manyTimesSubscribed('zoe'),
  ];
  await heard(open, eveId, numbered('eve', 300));
  await heard(open, malId, numbered('mal', 200));

  await heard(open, zoeId, numbered('zoe', 150));

  const waiting = [await waitingOf(eveId), await waitingOf(malId), await waitingOf(zoeId)];
  expect(waiting.map(({ length }) => length)).toEqual([3_500, 3_500, 3_000]);
  expect(waiting.map(([oldest]) => oldest)).toEqual(['eve 125', 'mal 25', 'zoe 0']);
});

/** Makes many subscriptions without deliveries. */
async function subscribeMany(accountId: string): Promise<void> {
  const { subscriptionId } = await subscribed(open, accountId);
  const like = await open.database('subscriptions').where('subscription_id', subscriptionId).first();
  const rows = Array.from({ length: MANY }, (_, n) => ({ ...like, subscription_id: `sub_many_${n}` }));
  for (const group of groupsOf(rows)) await open.database('subscriptions').insert(group);
  await noteGrowth(open.database, ['subscriptions', 'deliveries']);
}

/** Returns the query plans by which a pass finds due deliveries, and the time of the next. */
async function plansOfPass(): Promise<string> {
  const { deliveries } = open.store;
  return JSON.stringify([
    await plansOf(open, () => deliveries.take(32, LEASE_MS)),
    await plansOf(open, () => deliveries.nextDueInMs()),
  ]);
}

test('a poll for due deliveries reads no subscription without queued ones', async () => {
  const adaId = await open.account('ada');
  await subscribeMany(adaId);

  const plans = await plansOfPass();

  expect(plans).toMatch(/SEARCH subscriptions[^"]*\(subscription_id=|Index Cond: \(\(?subscription_id = /);
  expect(plans).not.toMatch(/SCAN subscriptions|Seq Scan on subscriptions|\(expires_at>|expires_at_index/);
});

test('exactly the subscriptions with queued deliveries get some, among thousands', async () => {
  const adaId = await open.account('ada');
  await subscribeMany(adaId);
  await open
    .database('subscriptions')
    .where('subscription_id', 'like', 'sub_many_%')
    .update({ filters: '{"sender":"x"}' });
  await heard(open, adaId, ['ada: look']);

  const taken = await open.store.deliveries.take(32, LEASE_MS);

  expect(taken.map(({ body }) => textIn(body))).toEqual(['ada: look']);
  expect(await open.store.deliveries.nextDueInMs()).toBe(LEASE_MS);
});

/** An account with many subscriptions, so that many deliveries wait for it after a few lines. */
async function manyTimesSubscribed(nick: string): Promise<string> {
  const accountId = await open.account(nick);
  for (let n = 0; n < 20; n += 1) await subscribed(open, accountId, { url: `https://agent.example/${n}` });
  return accountId;
}

async function waitingOf(accountId: string): Promise<string[]> {
  const bodies: string[] = await open
    .database('deliveries')
    .where('account_id', accountId)
    .orderBy('row')
    .pluck('body');
  return bodies.map(textIn);
}
