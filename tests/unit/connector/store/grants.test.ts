import { expect } from 'vitest';
import { migrationSource } from '../../../../src/connector/store/migrations/index.ts';
import { open, testWithStore } from '../../../harness/fixtures/open-store.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';
import { testDatabase } from '../../../harness/test-database.ts';

const ISSUER = 'https://idp.example';

const test = testWithStore();

let serial = 0;

for (const first of ['the revocation', 'the selection'] as const) {
  test(`a channel revoked while its person saves a selection stays revoked, when ${first} comes first`, async () => {
    const accountId = await person('#room', '#ops');
    const revoke = () => open.store.accounts.replaceGrants(accountId, ['#room']);
    const save = () => open.store.accounts.selectChannels(accountId, ['#room', '#ops']);

    await Promise.all(first === 'the revocation' ? [revoke(), save()] : [save(), revoke()]);

    expect(await grantsOf(accountId)).toEqual({ '#room': true });
  });
}

test('a selection saved while grants are replaced is kept', async () => {
  const accountId = await person('#room', '#ops');

  await Promise.all([
    open.store.accounts.replaceGrants(accountId, ['#room', '#ops', '#new']),
    open.store.accounts.selectChannels(accountId, ['#ops']),
  ]);

  expect(await grantsOf(accountId)).toEqual({ '#new': false, '#ops': true, '#room': false });
});

test('new grants start unselected, those that stay keep their selection, and one that was away starts anew', async () => {
  const accountId = await person('#room', '#ops');

  const replaced = await open.store.accounts.replaceGrants(accountId, ['#room', '#new']);
  await open.store.accounts.replaceGrants(accountId, ['#room', '#ops']);

  expect(replaced.grants).toEqual([
    { channel: '#new', enabled: false },
    { channel: '#room', enabled: true },
  ]);
  expect(await grantsOf(accountId)).toEqual({ '#ops': false, '#room': true });
});

test('a restriction of grants to existing channels adds no grant', async () => {
  const accountId = await person('#room', '#gone');

  await open.store.accounts.restrictGrants(accountId, ['#room', '#other']);

  expect(await grantsOf(accountId)).toEqual({ '#room': true });
});

test('a person is found by their subject, and keeps the account under another login', async () => {
  const accountId = await person('#room');
  await open.store.accounts.bindSubject(accountId, ISSUER, `subject of ${accountId}`);

  expect(await open.store.accounts.takeLogin(accountId, `new ${accountId}`)).toMatchObject({
    accountId,
    login: `new ${accountId}`,
  });
  expect(await open.store.accounts.findBySubject(ISSUER, `subject of ${accountId}`)).toMatchObject({
    accountId,
    login: `new ${accountId}`,
  });
  expect(await open.store.accounts.findBySubject('https://other.example', `subject of ${accountId}`)).toBeUndefined();
});

test('a login that another person takes is gone from the account that had it, in memory too', async () => {
  const [accountId, other] = [await person('#room'), await person('#room')];
  await open.store.accounts.bindSubject(other, ISSUER, `subject of ${other}`);
  const { login = null } = (await open.store.accounts.find(other)) ?? {};

  await open.store.accounts.takeLogin(accountId, login ?? '');

  expect(await open.store.accounts.find(accountId)).toMatchObject({ login });
  expect(await open.store.accounts.find(other)).toMatchObject({ login: null });
});

test('a subject that has an account is not tied to a second one', async () => {
  const [accountId, other] = [await person('#room'), await person('#room')];
  const bind = (id: string) => open.store.accounts.bindSubject(id, ISSUER, `one of ${accountId}`);

  const bound = await Promise.all([bind(accountId), bind(other)]);

  expect(bound.filter(Boolean)).toHaveLength(1);
});

test('channels selected before selections had a table of their own are selected after it', async () => {
  await using folder = await tempFolder();
  await using own = await testDatabase(folder.path);
  const database = own.connect();
  const names = (await migrationSource.getMigrations([])).map((step) => migrationSource.getMigrationName(step));
  for (const _ of names.slice(0, names.indexOf('0009-selections'))) await database.migrate.up({ migrationSource });
  await database('accounts').insert({
    ...{ account_id: 'acc', login: 'ada', nick: 'ada', nick_key: 'ada', bouncer_user: 'ada' },
    ...{ bouncer_password_sealed: '', created_at: 0 },
  });
  await database('grants').insert([
    { account_id: 'acc', channel: '#off', enabled: false },
    { account_id: 'acc', channel: '#on', enabled: true },
  ]);

  await database.migrate.latest({ migrationSource });

  expect(await database('grants').orderBy('channel')).toEqual([
    { account_id: 'acc', channel: '#off' },
    { account_id: 'acc', channel: '#on' },
  ]);
  expect(await database('selections')).toEqual([{ account_id: 'acc', channel: '#on' }]);
  await database.destroy();
});

test('a thousand channels can be granted, selected, followed and searched', async () => {
  const channels = Array.from({ length: 1_000 }, (_, n) => `#room${n}`);
  const accountId = await person(...channels);
  const { accounts, capture, history } = open.store;

  await accounts.selectChannels(accountId, ['#room1']);
  await accounts.replaceGrants(accountId, channels);
  await accounts.selectChannels(accountId, channels);
  await capture.begin(accountId, 'main', channels, 1);
  const found = await history.newestFirst(accountId, { channels, limit: 10, phrase: 'nobody said this' });

  expect(Object.values(await grantsOf(accountId)).filter((isSelected) => isSelected)).toHaveLength(1_000);
  expect(await capture.syncedTo(accountId, 'main', '#room999')).toBe(1);
  expect(found).toEqual([]);
});

/** An account with these channels granted and selected. */
function person(...channels: string[]): Promise<string> {
  serial += 1;
  return open.account(`person${serial}`, channels);
}

async function grantsOf(accountId: string): Promise<Record<string, boolean>> {
  const account = await open.store.accounts.find(accountId);
  return Object.fromEntries(account?.grants.map(({ channel, enabled }) => [channel, enabled]) ?? []);
}
