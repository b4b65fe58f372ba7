import { beforeEach, expect } from 'vitest';
import type { Store } from '../../../src/connector/ports/store.ts';
import { open, testWithStore } from '../../harness/fixtures/open-store.ts';
import { heard, subscribed, textIn } from '../../harness/mentions.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const YEAR_MS = 365 * 24 * 60 * MINUTE_MS;
const LEASE_MS = 2 * MINUTE_MS;
const MANY = 100;
const LOOK_MS = 2 * SECOND_MS;
/** Looks in which a process is seen that sends no heartbeat, before it counts as dead. */
const LOOKS_OF_LIFE = 4;

const test = testWithStore();

let serial = 0;
let accountId: string;
let nick: string;
let one: Store;
let other: Store;

beforeEach(async () => {
  serial += 1;
  nick = `ada${serial}`;
  await open.database('deliveries').delete();
  await open.database('processes').delete();
  accountId = await open.account(nick);
  one = open.asProcess('prc_one');
  other = open.asProcess('prc_other');
  await beats('prc_one');
  await beats('prc_other');
});

const subscribedTo = (url: string, account = accountId, client = 'client') =>
  subscribed(open, account, { url, client, lifeMs: 10 * YEAR_MS });

const take = (store: Store, limit = MANY) => store.deliveries.take(limit, LEASE_MS);
const textsOf = (taken: readonly { body: string }[]): string[] =>
  taken.map(({ body }) => textIn(body).replace(/^\w+: /, ''));
const ownerOf = async (deliveryId: string): Promise<string | null> =>
  (await open.database('deliveries').where('event_id', deliveryId).first('leased_by'))?.leased_by;

test('a process ends its own leases only, not those of a process that lives', async () => {
  await mentioned('first', 'second');
  const [first] = await take(one, 1);
  const [second] = await take(other, 1);

  await one.deliveries.releaseAllBut([]);
  await one.deliveries.giveBack(second?.deliveryId ?? '');

  expect([first, second].map((taken) => textsOf(taken === undefined ? [] : [taken]))).toEqual([['first'], ['second']]);
  expect(textsOf(await take(one))).toEqual(['first']);
});

test('leases of a process whose row is gone end at the first look', async () => {
  await mentioned('look');
  await take(other);
  await open.database('processes').where('process_id', 'prc_other').delete();

  expect(await one.deliveries.releaseOfDead()).toBe(true);
  expect(textsOf(await take(one))).toEqual(['look']);
});

test('leases of an earlier version, which wrote no owner, end at the first look', async () => {
  await mentioned('look');
  await take(other);
  await open.database('deliveries').update({ leased_by: null });

  expect(await one.deliveries.releaseOfDead()).toBe(true);
  expect(textsOf(await take(one))).toEqual(['look']);
});

test('leases of a process that sends no heartbeat end when it was seen silent for nine seconds, not before', async () => {
  await mentioned('look');
  await take(other);
  await beats('prc_other', MINUTE_MS);
  const looks: boolean[] = [];
  for (let look = 0; look <= LOOKS_OF_LIFE; look += 1) {
    looks.push(await one.deliveries.releaseOfDead());
    open.clock.set(open.clock.now() + LOOK_MS);
  }

  expect(looks).toEqual(looks.map(() => false));
  expect(await one.deliveries.releaseOfDead()).toBe(true);
  expect(textsOf(await take(one))).toEqual(['look']);
});

test('a process whose heartbeats come keeps its leases, whatever the time by them', async () => {
  await mentioned('look');
  const [taken] = await take(other);
  for (let look = 0; look < 10; look += 1) {
    await beats('prc_other', MINUTE_MS);
    expect(await one.deliveries.releaseOfDead()).toBe(false);
    open.clock.set(open.clock.now() + LOOK_MS);
  }

  expect(await ownerOf(taken?.deliveryId ?? '')).toBe('prc_other');
});

/** The other process is taken for dead, and this one has its delivery now. */
async function lost(): Promise<string> {
  await mentioned('look');
  const [taken] = await take(other);
  await open.database('processes').where('process_id', 'prc_other').delete();
  await one.deliveries.releaseOfDead();
  await take(one);
  return taken?.deliveryId ?? '';
}

test('a process that lost its lease may not send, and its failure and its release change nothing', async () => {
  const deliveryId = await lost();

  const mayThis = await one.deliveries.isWanted(deliveryId);
  const mayOther = await other.deliveries.isWanted(deliveryId);
  await other.deliveries.failedAttempt(deliveryId, 'timeout', 0);
  await other.deliveries.failedAttempt(deliveryId, 'timeout', undefined);
  await other.deliveries.giveBack(deliveryId);
  await other.deliveries.releaseAllBut([]);

  expect([mayThis, mayOther]).toEqual([true, false]);
  expect(await ownerOf(deliveryId)).toBe('prc_one');
});

test('a delivery counts that a process made before it lost its lease', async () => {
  const deliveryId = await lost();

  await other.deliveries.accepted(deliveryId);

  expect(await one.deliveries.isWanted(deliveryId)).toBe(false);
  expect(await one.deliveries.counts()).toMatchObject({ waiting: 0 });
});

test('a lease that ends before a request could end lets none begin', async () => {
  await mentioned('look');
  const [taken] = await one.deliveries.take(1, 10 * SECOND_MS);

  expect(await one.deliveries.isWanted(taken?.deliveryId ?? '')).toBe(false);
});

for (const [what, ms] of [
  ['ahead', 10 * MINUTE_MS],
  ['behind', -10 * MINUTE_MS],
] as const) {
  test(`a process whose clock is ten minutes ${what} sees what is due and what is leased as the others do`, async () => {
    const wrong = open.asProcess('prc_wrong', { ...open.clock, now: () => Date.now() + ms });
    await mentioned('first', 'second');
    const [first] = await take(one, 1);
    const [second] = await take(wrong, 1);
    const whileLeased = [await take(wrong), await take(one)];
    await one.deliveries.failedAttempt(first?.deliveryId ?? '', 'timeout', MINUTE_MS);
    await wrong.deliveries.failedAttempt(second?.deliveryId ?? '', 'timeout', MINUTE_MS);

    expect(whileLeased).toEqual([[], []]);
    expect([await take(wrong), await take(one)]).toEqual([[], []]);
    for (const store of [one, wrong]) {
      const dueInMs = (await store.deliveries.nextDueInMs()) ?? 0;
      expect(dueInMs).toBeGreaterThan(0);
      expect(dueInMs).toBeLessThanOrEqual(MINUTE_MS);
    }
  });
}

test('a mention that a process queues whose clock is ahead is due for the others at once', async () => {
  await subscribedTo('https://agent.example/hook');
  const aheadMs = Date.now() + 10 * MINUTE_MS - open.clock.now();
  open.clock.step(aheadMs);
  await heard(open, accountId, [`${nick}: look`]);
  open.clock.step(-aheadMs);

  expect(textsOf(await take(one))).toEqual(['look']);
});

test('processes that take at the same moment keep the limits of hosts, accounts and clients together', async () => {
  const accounts = await Promise.all(['x', 'y', 'z'].map((letter) => open.account(`${nick}${letter}`)));
  for (const account of accounts) {
    for (let n = 0; n < 12; n += 1) await subscribedTo(`https://crowded.example/${n}`, account);
    for (let n = 0; n < 30; n += 1) await subscribedTo(`https://h${n}.example/`, account, 'busy');
  }
  for (const [index, account] of accounts.entries()) {
    const called = `${nick}${['x', 'y', 'z'][index]}`;
    await heard(open, account, [`${called}: one`, `${called}: two`]);
  }
  const processes = Array.from({ length: 6 }, (_, n) => open.asProcess(`prc_${n}`));

  const taken = (await Promise.all(processes.map((store) => take(store, 64)))).flat();

  const ids = taken.map(({ deliveryId }) => deliveryId);
  expect(new Set(ids).size).toBe(ids.length);
  const most = (key: (delivery: (typeof taken)[number]) => string): number =>
    Math.max(...[...Map.groupBy(taken, key).values()].map(({ length }) => length));
  const atHost = taken.filter(({ url }) => new URL(url).hostname === 'crowded.example');
  expect(atHost).toHaveLength(16);
  expect(most(({ url, accountId: account }) => `${account} ${new URL(url).hostname}`)).toBeLessThanOrEqual(8);
  expect(most(({ url }) => new URL(url).hostname)).toBeLessThanOrEqual(16);
  expect(most(({ subscriptionId }) => subscriptionId)).toBeLessThanOrEqual(2);
  expect(most(({ accountId: account }) => account)).toBeLessThanOrEqual(64);
  expect(taken.length).toBeLessThanOrEqual(112);
});

/** A heartbeat as the database's clock dates it; or so long ago. */
async function beats(processId: string, agoMs = 0): Promise<void> {
  const seen = `CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) - ${agoMs}`;
  const row = { process_id: processId, name: processId, version: '0' };
  await open
    .database('processes')
    .insert({ ...row, started_at: 0, seen_at: open.database.raw(seen) })
    .onConflict('process_id')
    .merge();
}

async function mentioned(...texts: string[]): Promise<void> {
  await subscribedTo('https://agent.example/hook');
  await heard(
    open,
    accountId,
    texts.map((text) => `${nick}: ${text}`),
  );
}
