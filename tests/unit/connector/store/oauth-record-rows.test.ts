import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { createSeal } from '../../../../src/connector/store/aes-seal.ts';
import type { Database } from '../../../../src/connector/store/database.ts';
import { createOauthStore, type OauthStore } from '../../../../src/connector/store/oauth-store.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { statementsOf } from '../../../harness/statements.ts';

const test = testWithStore();

let oauth: OauthStore;
let serial = 0;

test.beforeAll(async () => {
  oauth = createOauthStore(open.database, createSeal(randomBytes(32)), open.clock);
});

const find = (token: string) => oauth.records.find('AccessToken', { idHash: token });

test('a token that is used again and again is not asked for while others come, are used up and end', async () => {
  await granted('used often');
  const other = await granted('another', 'used up');
  await find('used often');
  await find('another');

  await granted('a third');
  await oauth.records.redeem({
    consumed: { kind: 'AccessToken', idHash: 'used up' },
    issued: [{ kind: 'AccessToken', ...record('a fourth', other) }],
  });
  await oauth.consents.endFamily(other);

  let found: unknown;
  expect(
    await statementsOf(open, async () => {
      found = await find('used often');
    }),
  ).toEqual([]);
  expect(found).toMatchObject({ payload: 'of used often' });
  expect(await find('another')).toBeUndefined();
});

test('every way a token ends or changes is seen by the next request', async () => {
  const grantHash = await granted('destroyed', 'consumed', 'kept', 'ended', 'of an ended consent');
  const all = ['destroyed', 'consumed', 'kept', 'ended', 'of an ended consent'];
  const ends = async () => (await Promise.all(all.map(find))).map((found) => found?.endsAt);
  const before = await ends();
  expect(before.every((end) => end === open.clock.now() + 3_600_000)).toBe(true);

  await oauth.records.destroy('AccessToken', 'destroyed');
  expect(await find('destroyed')).toBeUndefined();

  await oauth.records.redeem({
    consumed: { kind: 'AccessToken', idHash: 'consumed' },
    issued: [{ kind: 'AccessToken', ...record('issued', grantHash) }],
  });
  expect((await find('consumed'))?.consumedAt).toBe(open.clock.now());
  expect(await find('issued')).toBeDefined();

  await oauth.records.keep('AccessToken', 'kept');
  expect((await find('kept'))?.endsAt).toBeGreaterThan(open.clock.now() + 3_600_000);

  await oauth.records.destroy('AccessToken', 'ended');
  expect(await find('ended')).toBeUndefined();
  expect(await find('kept')).toBeDefined();

  await oauth.consents.endFamily(grantHash);
  expect(await find('kept')).toBeUndefined();
});

test('a client that is authorised at the very moment when it would be removed stays', async () => {
  const keep = () => oauth.records.keep('Client', 'client');
  const { records } = createOauthStore(afterSelections(2, keep), createSeal(randomBytes(32)), open.clock);
  await oauth.records.save('Client', { ...record('client', ''), grantHash: null, expiresAt: open.clock.now() - 1 });

  await records.removeEnded(10);

  expect(await oauth.records.find('Client', { idHash: 'client' })).toMatchObject({ payload: 'of client' });
});

/** The database, where something happens before its n-th query is asked. */
function afterSelections(n: number, happens: () => Promise<void>): Database {
  let queries = 0;
  return new Proxy(open.database, {
    apply: (database, _this, [table]: [string]) => {
      const query = database(table);
      queries += 1;
      if (queries !== n) return query;
      const answer = query.then.bind(query);
      Reflect.set(query, 'then', (...on: Parameters<typeof answer>) => happens().then(() => answer(...on)));
      return query;
    },
  });
}

/** Stores a consent with these tokens. */
async function granted(...tokens: string[]): Promise<string> {
  serial += 1;
  const grantHash = `family ${serial}`;
  const accountId = await open.account(`person${serial}`);
  await oauth.consents.begin({ grantHash, accountId, clientId: 'c', clientName: 'C', scopes: [] });
  for (const token of tokens) await oauth.records.save('AccessToken', record(token, grantHash));
  return grantHash;
}

function record(idHash: string, grantHash: string) {
  return {
    ...{ idHash, grantHash, uidHash: null, payload: `of ${idHash}` },
    expiresAt: open.clock.now() + 3_600_000,
  };
}
