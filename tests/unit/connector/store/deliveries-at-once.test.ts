import { expect } from 'vitest';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { heard, subscribed, textIn } from '../../../harness/mentions.ts';

const ACCOUNTS = 4;
const SUBSCRIPTIONS = 3;
const ROUNDS = 6;
const MENTIONS = 5;
const LEASE_MS = 60_000;
const REMOVALS = 20;

const test = testWithStore();

let nicks: string[];
let accounts: string[];

test.beforeAll(async () => {
  nicks = Array.from({ length: ACCOUNTS }, (_, index) => `ada${index}`);
  accounts = await Promise.all(nicks.map((nick) => open.account(nick)));
  for (const account of accounts) {
    for (let index = 0; index < SUBSCRIPTIONS; index += 1) {
      await subscribed(open, account, { url: `https://agent.example/${index}` });
    }
  }
});

const textOf = (account: number, n: number): string => `${nicks[account]} ${n}`;

test('while accounts hear, several processes deliver and subscriptions are renewed, each mention is delivered to each subscription once', async () => {
  let areHeard = false;
  const hearing = Promise.all(accounts.map((_, account) => hearAll(account))).then(() => {
    areHeard = true;
  });
  const renewing = (async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await Promise.all(accounts.map((account) => subscribed(open, account, { url: 'https://agent.example/0' })));
    }
  })();
  const processes = await Promise.all(Array.from({ length: 3 }, () => deliverAll(() => areHeard)));
  await Promise.all([hearing, renewing]);

  const delivered = processes.flat();
  expect(delivered).toHaveLength(ACCOUNTS * SUBSCRIPTIONS * ROUNDS * MENTIONS);
  expect(new Set(delivered).size).toBe(delivered.length);
});

test('subscriptions that end while their account hears and is delivered leave no rows and disturb no other work', async () => {
  let isOver = false;
  const ending = Promise.all(
    accounts.map(async (account) => {
      for (let index = 0; index < SUBSCRIPTIONS; index += 1) {
        const { subscriptionId } = await subscribed(open, account, { url: `https://agent.example/${index}` });
        if (index % 2 === 0) await open.store.subscriptions.end(account, subscriptionId);
        else await open.consents.endFamily(`${account} client`);
      }
    }),
  );
  const hearing = Promise.all(accounts.map((_, account) => hearAll(account)));
  const delivering = deliverAll(() => isOver);
  await Promise.all([ending, hearing]);
  isOver = true;
  await delivering;

  expect(await open.database('subscriptions').count({ rows: '*' })).toMatchObject([{ rows: expect.toSatisfy(isZero) }]);
  expect(await open.store.deliveries.counts()).toMatchObject({ waiting: 0 });
  const entries = await open.database('entries').whereIn('account_id', accounts).pluck('text');
  expect(entries).toHaveLength(2 * ACCOUNTS * ROUNDS * MENTIONS);
});

const isZero = (count: unknown): boolean => Number(count) === 0;

test('clients that subscribe while their person is removed disturb no other work and leave no rows', async () => {
  for (let round = 0; round < REMOVALS; round += 1) {
    const account = await open.account(`gone${round}`);
    await subscribed(open, account, { url: 'https://agent.example/before' });

    const subscribing = [1, 2, 3].map((n) => subscribed(open, account, { url: `https://agent.example/${n}` }));
    const [isClosed, ...outcomes] = await Promise.allSettled([open.store.removals.close(account), ...subscribing]);

    expect(isClosed).toMatchObject({ value: true });
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason.code);
    expect(refusals.filter((code) => code !== 'account_removed')).toEqual([]);
    expect(await open.database('subscriptions').where('account_id', account)).toEqual([]);
  }
});

/** Lines of one account, a few at a time. */
async function hearAll(account: number): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const numbers = Array.from({ length: MENTIONS }, (_, n) => round * MENTIONS + n);
    await heard(
      open,
      accounts[account] ?? '',
      numbers.map((n) => textOf(account, n)),
    );
  }
}

/** Leases deliveries and settles them until the queue is empty and `isOver` says that no more will come. */
async function deliverAll(isOver: () => boolean): Promise<string[]> {
  const delivered: string[] = [];
  for (;;) {
    const wasOver = isOver();
    const taken = await open.store.deliveries.take(4, LEASE_MS);
    if (taken.length === 0 && wasOver && (await open.store.deliveries.counts()).waiting === 0) return delivered;
    for (const { deliveryId, subscriptionId, body, attempts } of taken) {
      // One in sixteen fails once.
      if (attempts === 0 && deliveryId.endsWith('0')) {
        await open.store.deliveries.failedAttempt(deliveryId, 'timeout', 0);
        continue;
      }
      await open.store.deliveries.accepted(deliveryId);
      delivered.push(`${subscriptionId} ${textIn(body)}`);
    }
  }
}
