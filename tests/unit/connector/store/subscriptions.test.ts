import { randomBytes } from 'node:crypto';
import { beforeEach, expect } from 'vitest';
import { secretHash } from '../../../../src/connector/domain/ids.ts';
import type { Topic } from '../../../../src/connector/ports/invalidations.ts';
import { createSeal } from '../../../../src/connector/store/aes-seal.ts';
import { createStore } from '../../../../src/connector/store/index.ts';
import { createInvalidations } from '../../../../src/connector/store/shared-invalidations.ts';
import { verifies } from '../../../conformance/requirements/verifies.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { heard, SECRETS, subscribed } from '../../../harness/mentions.ts';
import { statementsOf } from '../../../harness/statements.ts';

const BEGIN = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const test = testWithStore();

let serial = 0;
let accountId: string;

beforeEach(async () => {
  serial += 1;
  open.clock.set(BEGIN);
  accountId = await open.account(`ada${serial}`, ['#room', '#ops']);
});

const own = () => open.store.subscriptions.ofAccount(accountId);
const idsOf = async () => (await own()).map(({ subscriptionId }) => subscriptionId);

test('a subscription is kept with all that its person and its client see, and its address and secret are unreadable', async () => {
  verifies('connector.event.subscription-owner');
  const { subscriptionId } = await subscribed(open, accountId, {
    ...{ url: 'https://agent.example:8443/hook?token=canary', filters: { channel: '#room', keyword: 'Deploy' } },
  });

  expect(await own()).toEqual([
    {
      ...{ subscriptionId, accountId, clientId: 'client', clientName: 'The client' },
      ...{ filters: { channel: '#room', keyword: 'Deploy' }, callbackHost: 'agent.example:8443' },
      ...{ createdAt: BEGIN, expiresAt: BEGIN + HOUR_MS, isPaused: false, state: 'idle' },
      ...{ outcomeAt: null, acceptedAt: null, failingSince: null, lastFailure: null, droppedCount: 0 },
    },
  ]);
  const stored = JSON.stringify(await open.database('subscriptions').where('subscription_id', subscriptionId));
  expect(stored).not.toMatch(/canary|whsec_/);
});

test('subscribing again renews: the same subscription, longer, with the new secret', async () => {
  const first = await subscribed(open, accountId);
  open.clock.set(BEGIN + HOUR_MS / 2);
  const again = await subscribed(open, accountId, { secret: SECRETS[1] });

  expect([first.outcome, again.outcome]).toEqual(['begun', 'renewed']);
  expect(await own()).toMatchObject([
    { subscriptionId: first.subscriptionId, createdAt: BEGIN, expiresAt: BEGIN + HOUR_MS + HOUR_MS / 2 },
  ]);
});

test('a subscription that has expired is begun anew', async () => {
  await subscribed(open, accountId);
  open.clock.set(BEGIN + HOUR_MS);
  expect(await own()).toEqual([]);

  expect((await subscribed(open, accountId)).outcome).toBe('begun');

  expect(await own()).toMatchObject([{ createdAt: BEGIN + HOUR_MS }]);
});

test('a client of an account has 50 subscriptions, renewing one needs no room, and other clients have their own', async () => {
  verifies('connector.delivery.subscriptions');
  const subscribe = (index: number, client?: string) =>
    subscribed(open, accountId, { url: `https://agent.example/${index}`, ...(client === undefined ? {} : { client }) });
  for (let index = 0; index < 49; index += 1) await subscribe(index);

  const atOnce = await Promise.all([subscribe(100), subscribe(101), subscribe(102)]);

  expect(atOnce.map(({ outcome }) => outcome).sort()).toEqual(['begun', 'full', 'full']);
  expect((await subscribe(0)).outcome).toBe('renewed');
  expect((await subscribe(100, 'other')).outcome).toBe('begun');
  const ofClient = (await own()).find(({ clientId }) => clientId === 'client');
  await open.store.subscriptions.end(accountId, ofClient?.subscriptionId ?? '');
  expect((await subscribe(103)).outcome).toBe('begun');
});

test('a channel must be enabled as it is stored', async () => {
  await open.store.accounts.selectChannels(accountId, ['#ops']);

  expect((await subscribed(open, accountId, { filters: { channel: '#room' } })).outcome).toBe('channel_not_enabled');
  expect((await subscribed(open, accountId, { filters: { channel: '#ops' } })).outcome).toBe('begun');
});

test('a subscription to a channel is paused just while that is disabled; one without a channel never is', async () => {
  await subscribed(open, accountId, { filters: { channel: '#room' } });
  await subscribed(open, accountId);
  const paused = async () =>
    (await own()).flatMap(({ filters, isPaused }) => (isPaused ? [filters.channel ?? 'all'] : []));

  await open.store.accounts.selectChannels(accountId, ['#ops']);
  const disabled = await paused();
  await open.store.accounts.selectChannels(accountId, []);
  const nothing = await paused();
  await open.store.accounts.selectChannels(accountId, ['#room']);

  expect([disabled, nothing, await paused()]).toEqual([['#room'], ['#room'], []]);
});

test('a subscription ends for its own account alone', async () => {
  const { subscriptionId } = await subscribed(open, accountId);
  const other = await open.account(`eve${serial}`);

  expect(await open.store.subscriptions.end(other, subscriptionId)).toBe(false);
  expect(await idsOf()).toEqual([subscriptionId]);
  expect(await open.store.subscriptions.end(accountId, subscriptionId)).toBe(true);
  expect(await open.store.subscriptions.end(accountId, subscriptionId)).toBe(false);
});

test('with its last consent to read, all that a client is subscribed to ends at once', async () => {
  const { subscriptionId } = await subscribed(open, accountId);
  const other = await subscribed(open, accountId, { client: 'other' });
  const client = { accountId, clientId: 'client', clientName: 'The client' };
  const writing = { ...client, scopes: ['irc:write'] as const, grantHash: secretHash(`writing ${serial}`) };
  const reading = { ...client, scopes: ['irc:read', 'irc:write'] as const, grantHash: secretHash(`both ${serial}`) };
  await open.consents.begin(writing);
  await open.consents.begin(reading);
  await own();

  await open.consents.endFamily(`${accountId} client`);
  const withAnother = await idsOf();
  await open.consents.endFamily(reading.grantHash);

  expect(withAnother).toEqual([subscriptionId, other.subscriptionId].sort());
  expect(await idsOf()).toEqual([other.subscriptionId]);
  expect(await open.database('subscriptions').where('subscription_id', subscriptionId)).toEqual([]);
});

test('a consent that ends while its client subscribes leaves no subscription behind', async () => {
  await subscribed(open, accountId);
  const renewals = Array.from({ length: 5 }, (_, index) =>
    open.store.subscriptions.put({
      ...{ accountId, clientId: 'client', subscriptionId: `sub_${serial}_${index}`, filters: {}, channel: undefined },
      ...{ callback: { url: 'https://agent.example/', secret: SECRETS[0] }, verifiedAt: BEGIN },
      ...{ expiresAt: BEGIN + HOUR_MS, isRenewal: false },
    }),
  );

  await Promise.all([...renewals, open.consents.endFamily(`${accountId} client`)]);

  expect(await open.database('subscriptions').where('account_id', accountId)).toEqual([]);
});

test('a client can’t subscribe to a channel that it may not read any more', async () => {
  await subscribed(open, accountId);
  open.clock.set(BEGIN + 31 * DAY_MS);
  const put = open.store.subscriptions.put({
    ...{ accountId, clientId: 'client', subscriptionId: 'sub_late', filters: {}, channel: undefined },
    ...{ callback: { url: 'https://agent.example/', secret: SECRETS[0] }, verifiedAt: BEGIN },
    ...{ expiresAt: BEGIN + 32 * DAY_MS, isRenewal: false },
  });

  expect(await put).toBe('access_ended');
});

test('subscriptions end with their account', async () => {
  await subscribed(open, accountId);
  await heard(open, accountId, [`ada${serial}: look`]);

  await open.database('accounts').where('account_id', accountId).delete();

  expect(await open.database('subscriptions').where('account_id', accountId)).toEqual([]);
  expect(await open.database('deliveries').where('account_id', accountId)).toEqual([]);
});

test('asking again for what has not changed asks no database', async () => {
  await subscribed(open, accountId);
  await own();

  expect(await statementsOf(open, own)).toEqual([]);
  await open.store.accounts.selectChannels(accountId, ['#ops']);
  expect(await statementsOf(open, own)).not.toEqual([]);
});

test('a mention is published to the worker that delivers, other lines aren’t', async () => {
  const invalidations = createInvalidations();
  const told: string[] = [];
  const topics: Topic[] = ['deliveries', 'subscriptions'];
  for (const topic of topics) invalidations.on(topic, (key) => void told.push(`${topic} ${key}`));
  const store = createStore(open, createSeal(randomBytes(32)), open.clock, invalidations);
  const invalidating = { ...open, store };
  await subscribed(invalidating, accountId);
  told.length = 0;

  await heard(invalidating, accountId, ['nobody']);
  const before = [...told];
  await heard(invalidating, accountId, [`ada${serial}: look`]);

  expect(before).toEqual([]);
  expect(told.sort()).toEqual([`deliveries ${accountId}`, `subscriptions ${accountId}`]);
});

test('subscriptions that have expired, and are not being renewed, are removed in steps', async () => {
  await open.database('subscriptions').delete();
  for (let index = 0; index < 3; index += 1) {
    await subscribed(open, accountId, { url: `https://agent.example/${index}` });
  }
  open.clock.set(BEGIN + HOUR_MS + 2 * MINUTE_MS);

  const removed = [];
  for (let step = 0; step < 3; step += 1) removed.push(await open.store.subscriptions.removeEnded(2));

  expect(removed).toEqual([2, 1, 0]);
});
