import { beforeEach, expect } from 'vitest';
import { eventIdOf } from '../../../../src/connector/domain/mention-event.ts';
import { dialectOf } from '../../../../src/connector/store/dialect.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { heard, SECRETS, subscribed, textIn } from '../../../harness/mentions.ts';
import { statementsOf } from '../../../harness/statements.ts';

const BEGIN = Date.UTC(2026, 0, 1);
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LEASE_MS = MINUTE_MS;
const MANY = 10_000;

const test = testWithStore();

let serial = 0;
let nick: string;
let accountId: string;

beforeEach(async () => {
  serial += 1;
  nick = `ada${serial}`;
  open.clock.set(BEGIN);
  await open.database('deliveries').delete();
  accountId = await open.account(nick, ['#room', '#ops']);
});

const isShared = (): boolean => dialectOf(open.database) === 'postgres';
const take = (limit = MANY) => open.store.deliveries.take(limit, LEASE_MS);
const takenTexts = async (limit?: number): Promise<string[]> => (await take(limit)).map(({ body }) => textIn(body));
const stateOf = async (subscriptionId: string) =>
  (await open.store.subscriptions.ofAccount(accountId)).find((each) => each.subscriptionId === subscriptionId);

test('a mention is queued as it is stored, with all that an attempt needs, and taken once', async () => {
  const { subscriptionId } = await subscribed(open, accountId, { url: 'https://Agent.example/hook?a=b' });

  await heard(open, accountId, [`${nick}: look`, 'nobody']);
  const [delivery, ...others] = await take();

  expect(others).toEqual([]);
  const { entryId } = JSON.parse(delivery?.body ?? '').data;
  expect(delivery).toMatchObject({
    eventId: eventIdOf(subscriptionId, entryId),
    subscriptionId,
    url: 'https://agent.example/hook?a=b',
    secrets: [SECRETS[0]],
    attempts: 0,
  });
  expect(await take()).toEqual([]);
});

test('a leased delivery that is not settled comes again after its lease, or when an earlier run has ended', async () => {
  await subscribed(open, accountId);
  await heard(open, accountId, [`${nick}: look`]);
  await take();
  expect(await open.store.deliveries.nextDueInMs()).toBe(LEASE_MS);

  open.clock.set(BEGIN + LEASE_MS);
  const again = await take();
  await open.store.deliveries.releaseAllBut([]);
  const afterStart = await take();

  expect([again.length, afterStart.length]).toEqual([1, 1]);
  expect(again[0]?.body).toBe(afterStart[0]?.body);
});

test('the statement that leases a delivery returns its callback: no failure leaves it leased without a worker', async () => {
  await subscribed(open, accountId);
  await heard(open, accountId, [`${nick}: look`]);

  const statements = await statementsOf(open, async () => {
    expect(await take()).toMatchObject([{ url: 'https://agent.example/hook', secrets: [SECRETS[0]] }]);
  });

  const ofQueue = statements.filter((sql) => /deliveries/.test(sql)).map((sql) => /^\w+/.exec(sql)?.[0].toLowerCase());
  // PostgreSQL is first asked whether anything is due at all, before the transaction that searches and leases.
  expect(ofQueue).toEqual([...(isShared() ? ['select'] : []), 'select', 'update']);
});

test('a lease without a worker is released, and the others stay', async () => {
  await subscribed(open, accountId);
  await heard(open, accountId, [`${nick}: one`, `${nick}: two`]);
  const [known] = await take();

  await open.store.deliveries.releaseAllBut([known?.deliveryId ?? '']);

  expect(await takenTexts()).toEqual([`${nick}: two`]);
});

test('subscriptions take turns, and one has at most two under way', async () => {
  await subscribed(open, accountId, { filters: { keyword: 'busy' } });
  await subscribed(open, accountId, { filters: { keyword: 'calm' } });
  await heard(
    open,
    accountId,
    [1, 2, 3].map((n) => `${nick} busy ${n}`),
  );
  await heard(
    open,
    accountId,
    [1, 2].map((n) => `${nick} calm ${n}`),
  );

  const first = await take(1);
  const second = await take(1);
  const third = await take(2);
  const whileTwoAreUnderWay = await take();
  await open.store.deliveries.accepted(first[0]?.deliveryId ?? '');

  const texts = [first, second, third, whileTwoAreUnderWay].map((taken) => taken.map(({ body }) => textIn(body)));
  expect(texts).toEqual([[`${nick} busy 1`], [`${nick} calm 1`], [`${nick} busy 2`, `${nick} calm 2`], []]);
  expect(await takenTexts()).toEqual([`${nick} busy 3`]);
});

const subscribeMany = async (client: string, count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) await subscribed(open, accountId, { client, url: `https://hangs${n}.example/` });
};

test('however many receivers of a client hang, the other clients of its account get theirs', async () => {
  await subscribeMany('hangs', 50);
  await heard(open, accountId, [`${nick}: look`]);
  const hanging = [await take(), await take()];

  await subscribed(open, accountId, { client: 'well', filters: { keyword: 'again' } });
  await heard(open, accountId, [`${nick}: look again`]);

  expect(hanging.map(({ length }) => length)).toEqual([32, 0]);
  expect(await takenTexts()).toEqual([`${nick}: look again`]);
});

test('one host has sixteen deliveries under way, of which one account has eight, in any spelling of the host', async () => {
  const at = (n: number): string => `https://crowded.example${['', '.', ':8443'][n % 3]}/${n}`;
  const others = await Promise.all([1, 2].map((n) => open.account(`crowd${serial}x${n}`, ['#room'])));
  for (const [index, account] of [accountId, ...others].entries()) {
    for (let n = 0; n < 10; n += 1) await subscribed(open, account, { url: at(n) });
    await heard(open, account, [`${index === 0 ? nick : `crowd${serial}x${index}`}: look`]);
  }
  await subscribed(open, accountId, { url: 'https://quiet.example/', filters: { keyword: 'aside' } });

  const taken = await take();
  await heard(open, accountId, [`${nick}: aside`]);
  const aside = await take();
  const ofOne = taken.filter((delivery) => delivery.accountId === accountId);
  for (const { deliveryId } of ofOne) await open.store.deliveries.accepted(deliveryId);

  expect(taken).toHaveLength(16);
  const counts = [...Map.groupBy(taken, (each) => each.accountId).values()].map(({ length }) => length);
  expect(Math.max(...counts)).toBeLessThanOrEqual(8);
  expect(counts).toHaveLength(3);
  expect(aside.map(({ url }) => url)).toEqual(['https://quiet.example/']);
  expect(await take()).toHaveLength(ofOne.length);
});

test('however many wait for a crowded host, those of the same client for other hosts are taken', async () => {
  for (let n = 0; n < 40; n += 1) await subscribed(open, accountId, { url: `https://crowded.example/${n}` });
  await subscribed(open, accountId, { url: 'https://quiet.example/' });
  await heard(open, accountId, [`${nick}: look`]);

  const urls = (await take()).map(({ url }) => url);

  expect(urls).toHaveLength(9);
  expect(urls).toContain('https://quiet.example/');
});

test('deliveries that no other limit lets go keep no place at a host from others', async () => {
  await subscribeMany('hangs', 32);
  await heard(open, accountId, [`${nick}: look`]);
  expect(await take()).toHaveLength(32);
  for (let n = 0; n < 20; n += 1)
    await subscribed(open, accountId, {
      client: 'hangs',
      url: `https://one.example/${n}`,
      filters: { keyword: 'again' },
    });
  const other = await open.account(`eve${serial}`, ['#room']);
  await subscribed(open, other, { url: 'https://one.example/other' });
  await heard(open, accountId, [`${nick}: look again`]);
  await heard(open, other, [`eve${serial}: look`]);

  expect(await takenTexts()).toEqual([`eve${serial}: look`]);
});

test('however many receivers of an account hang, the other accounts get theirs', async () => {
  for (const client of ['one', 'two', 'three']) await subscribeMany(client, 40);
  const other = await open.account(`eve${serial}`, ['#room']);
  await subscribed(open, other);
  await heard(open, accountId, [`${nick}: look`]);
  const hanging = [await take(), await take()];

  await heard(open, other, [`eve${serial}: look`]);

  expect(hanging.map(({ length }) => length)).toEqual([64, 0]);
  expect(await takenTexts()).toEqual([`eve${serial}: look`]);
});

/** Takes all that there is a place for, and lets it fail; how many that are. */
async function failing(): Promise<number> {
  const taken = await take();
  for (const { deliveryId } of taken) {
    await open.store.deliveries.failedAttempt(deliveryId, 'timeout', SECOND_MS);
  }
  return taken.length;
}

test('healthy subscriptions leave places to failing ones', async () => {
  await subscribed(open, accountId);
  await heard(open, accountId, [`${nick}: look`]);
  expect(await failing()).toBe(1);
  for (const n of [1, 2]) {
    const account = await open.account(`slow${serial}x${n}`, ['#room']);
    for (const client of ['one', 'two']) {
      for (let each = 0; each < 32; each += 1)
        await subscribed(open, account, { client, url: `https://slow${each}.example/` });
    }
    await heard(open, account, [`slow${serial}x${n}: look`]);
  }
  expect(await take()).toHaveLength(112);
  open.clock.set(BEGIN + 2 * SECOND_MS);

  expect(await takenTexts()).toEqual([`${nick}: look`]);
});

test('failing subscriptions leave places to healthy ones', async () => {
  const accounts = await Promise.all([1, 2, 3].map((n) => open.account(`fails${serial}x${n}`, ['#room'])));
  for (const [index, account] of accounts.entries()) {
    for (const client of ['one', 'two']) {
      for (let n = 0; n < 20; n += 1) await subscribed(open, account, { client, url: `https://fails${n}.example/` });
    }
    await heard(open, account, [`fails${serial}x${index + 1}: look`]);
  }
  const [first, rest] = [await failing(), await failing()];
  await subscribed(open, accountId);
  open.clock.set(BEGIN + MINUTE_MS);
  await heard(open, accountId, [`${nick}: look`]);

  const next = await takenTexts(1);

  expect([first, rest]).toEqual([112, 8]);
  expect(next).toEqual([`${nick}: look`]);
  expect(await take()).toHaveLength(96);
});

test('a delivery is retried when it is due, and says how many attempts it had', async () => {
  await subscribed(open, accountId);
  await heard(open, accountId, [`${nick}: look`]);
  const [delivery] = await take();
  const retryAt = BEGIN + 5 * SECOND_MS;

  await open.store.deliveries.failedAttempt(delivery?.deliveryId ?? '', 'timeout', 5 * SECOND_MS);

  expect(await open.store.deliveries.nextDueInMs()).toBe(5 * SECOND_MS);
  open.clock.set(retryAt - 1);
  expect(await take()).toEqual([]);
  open.clock.set(retryAt);
  expect(await take()).toEqual([{ ...delivery, attempts: 1 }]);
});

test('the state of a subscription’s deliveries is reported: idle, queued, accepted, failed', async () => {
  verifies('connector.information.mentionEvents');
  const { subscriptionId } = await subscribed(open, accountId);
  const states = [await stateOf(subscriptionId)];
  const settle = async (isAccepted: boolean) => {
    await heard(open, accountId, [`${nick}: look`]);
    const [{ deliveryId } = { deliveryId: '' }] = await take();
    states.push(await stateOf(subscriptionId));
    if (isAccepted) await open.store.deliveries.accepted(deliveryId);
    else await open.store.deliveries.failedAttempt(deliveryId, 'http_5xx', undefined);
    states.push(await stateOf(subscriptionId));
  };

  await settle(false);
  open.clock.set(BEGIN + SECOND_MS);
  await settle(true);

  expect(states.map((each) => each?.state)).toEqual(['idle', 'queued', 'failed', 'queued', 'accepted']);
  expect(states[2]).toMatchObject({ failingSince: BEGIN, lastFailure: 'http_5xx', acceptedAt: null, outcomeAt: BEGIN });
  expect(states[4]).toMatchObject({ failingSince: null, lastFailure: null, acceptedAt: BEGIN + SECOND_MS });
});

test('an older delivery that fails late does not hide that the newest was accepted', async () => {
  const { subscriptionId } = await subscribed(open, accountId);
  await heard(open, accountId, [`${nick} one`, `${nick} two`]);
  const [older, newer] = await take();

  await open.store.deliveries.accepted(newer?.deliveryId ?? '');
  await open.store.deliveries.failedAttempt(older?.deliveryId ?? '', 'http_4xx', undefined);

  expect(await stateOf(subscriptionId)).toMatchObject({ state: 'accepted', lastFailure: 'http_4xx' });
});

test('a subscription keeps its newest 1,000 deliveries; those dropped are counted, and the others keep theirs', async () => {
  verifies('connector.delivery.queue');
  await subscribed(open, accountId, { filters: { keyword: 'flood' } });
  await subscribed(open, accountId, { filters: { keyword: 'calm' } });
  const before = await open.store.deliveries.counts();
  await heard(open, accountId, [`${nick} calm`]);

  const flood = Array.from({ length: 1_003 }, (_, index) => `${nick} flood ${index}`);
  await heard(open, accountId, flood.slice(0, 500));
  await heard(open, accountId, flood.slice(500));

  const after = await open.store.deliveries.counts();
  expect([after.waiting, after.dropped - before.dropped]).toEqual([1_001, 3]);
  const waiting: string[] = await open.database('deliveries').orderBy('row').pluck('body');
  expect(waiting.map(textIn)).toEqual([`${nick} calm`, ...flood.slice(3)]);
});

test('the whole queue keeps its newest 10,000', async () => {
  verifies('connector.delivery.queue');
  for (let index = 0; index < 11; index += 1)
    await subscribed(open, accountId, { url: `https://agent.example/${index}` });
  const before = await open.store.deliveries.counts();

  for (let at = 0; at < 1_000; at += 250) {
    await heard(
      open,
      accountId,
      Array.from({ length: 250 }, (_, index) => `${nick} ${at + index}`),
    );
  }

  const after = await open.store.deliveries.counts();
  expect([after.waiting, after.dropped - before.dropped]).toEqual([10_000, 1_000]);
  const oldest = await open.database('deliveries').orderBy('row').first('body');
  expect(textIn(oldest.body)).not.toBe(`${nick} 0`);
});

test('mentions that come at once are enqueued up to the bound of the queue', async () => {
  for (let index = 0; index < 30; index += 1)
    await subscribed(open, accountId, { url: `https://agent.example/${index}` });
  const before = await open.store.deliveries.counts();
  let inserted = 0;
  const count = ({ sql, bindings }: { sql: string; bindings?: readonly unknown[] }): void => {
    if (/^insert into .deliveries/.test(sql)) inserted += (bindings ?? []).filter((each) => each === accountId).length;
  };
  open.database.on('query', count);

  await heard(
    open,
    accountId,
    Array.from({ length: 500 }, (_, index) => `${nick} ${index}`),
  );

  open.database.off('query', count);
  const after = await open.store.deliveries.counts();
  expect(inserted).toBe(10_000);
  expect([after.waiting, after.dropped - before.dropped]).toEqual([10_000, 5_000]);
  const newest = await open.database('deliveries').orderBy('row', 'desc').first('body');
  expect(textIn(newest.body)).toBe(`${nick} 499`);
});

test('a delivery that has waited for a day is dropped and counted', async () => {
  await subscribed(open, accountId, { lifeMs: 2 * DAY_MS });
  await heard(open, accountId, [`${nick}: look`]);
  const before = await open.store.deliveries.counts();

  open.clock.set(BEGIN + DAY_MS);
  expect(await open.store.deliveries.removeStale(MANY)).toBe(0);
  open.clock.set(BEGIN + DAY_MS + 1);
  expect(await open.store.deliveries.removeStale(MANY)).toBe(1);

  expect(await open.store.deliveries.counts()).toEqual({ waiting: 0, dropped: before.dropped + 1 });
});

test('a subscription that has expired or ended gets no deliveries', async () => {
  verifies('connector.delivery.subscription-expiry');
  const { subscriptionId } = await subscribed(open, accountId, { url: 'https://agent.example/ends' });
  await subscribed(open, accountId, { url: 'https://agent.example/expires', lifeMs: MINUTE_MS });
  await heard(open, accountId, [`${nick}: look`]);

  await open.store.subscriptions.end(accountId, subscriptionId);
  open.clock.set(BEGIN + MINUTE_MS);

  expect(await take()).toEqual([]);
  expect(await open.store.deliveries.nextDueInMs()).toBeUndefined();
  await heard(open, accountId, [`${nick}: again`]);
  open.clock.set(BEGIN + 3 * MINUTE_MS);
  expect(await take()).toEqual([]);
  expect(await open.store.subscriptions.removeEnded(MANY)).toBeGreaterThan(0);
  expect(await open.store.deliveries.counts()).toMatchObject({ waiting: 0 });
});

test('a subscription signs with both secrets for five minutes after a replacement', async () => {
  await subscribed(open, accountId);
  await heard(open, accountId, [`${nick}: look`]);
  const secretsAt = async (at: number) => {
    open.clock.set(at);
    await open.store.deliveries.releaseAllBut([]);
    return (await take())[0]?.secrets;
  };

  await subscribed(open, accountId, { secret: SECRETS[1] });
  const replaced = await secretsAt(BEGIN);
  await subscribed(open, accountId, { secret: SECRETS[1] });

  expect(replaced).toEqual([SECRETS[1], SECRETS[0]]);
  expect(await secretsAt(BEGIN + 5 * MINUTE_MS - 1)).toEqual([SECRETS[1], SECRETS[0]]);
  expect(await secretsAt(BEGIN + 5 * MINUTE_MS)).toEqual([SECRETS[1]]);
});

test('a subscription that was encrypted with a key that is gone ends, and the others are delivered', async () => {
  const lost = await subscribed(open, accountId, { url: 'https://agent.example/lost' });
  await subscribed(open, accountId);
  await open
    .database('subscriptions')
    .where('subscription_id', lost.subscriptionId)
    .update({ callback_sealed: 'of another key' });
  await heard(open, accountId, [`${nick}: look`]);

  expect((await take()).map(({ url }) => url)).toEqual(['https://agent.example/hook']);
  expect(await stateOf(lost.subscriptionId)).toBeUndefined();
});

test('history that its person deletes takes what waits of it along', async () => {
  const { subscriptionId } = await subscribed(open, accountId);
  await heard(open, accountId, [`${nick}: look`]);
  expect(await stateOf(subscriptionId)).toMatchObject({ state: 'queued' });

  await open.store.retention.forgetStored(accountId);

  expect(await take()).toEqual([]);
  expect(await stateOf(subscriptionId)).toMatchObject({ state: 'idle' });
});
