import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { Seal } from '../../../../src/connector/ports/seal.ts';
import { createSeal } from '../../../../src/connector/store/aes-seal.ts';
import type { Database } from '../../../../src/connector/store/database.ts';
import { createResealing, SEALED_COLUMNS } from '../../../../src/connector/store/sealed-columns.ts';
import { open, testWithNewStore } from '../../../harness/fixtures/open-store.ts';

const [OLDEST, BEFORE, NEWEST, FOREIGN] = Array.from({ length: 4 }, () => randomBytes(32)) as [
  Buffer,
  Buffer,
  Buffer,
  Buffer,
];

const test = testWithNewStore();

let database: Database;

test.beforeEach(async () => {
  database = open.database;
});

const placeOf = (id: string) => `oauth/AccessToken/${id}`;

const sealedOf = async (id: string): Promise<string> =>
  (await database('oauth_records').where('id_hash', id).first('payload_sealed')).payload_sealed;

test('every encrypted column of the database is listed, by its primary key', async () => {
  const columns: { table: string; column: string }[] = [];
  const isSqlite = database.client.config.client !== 'pg' && !/postgres/i.test(String(database.client.dialect));
  const tables: string[] = isSqlite
    ? await database('sqlite_master').where('type', 'table').pluck('name')
    : await database('information_schema.tables').where('table_schema', 'public').pluck('table_name');
  for (const table of tables) {
    for (const column of Object.keys(await database(table).columnInfo())) {
      if (column.endsWith('_sealed')) columns.push({ table, column });
    }
  }

  const listed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  expect(columns.map(({ table, column }) => `${table}.${column}`).sort()).toEqual(listed.sort());
});

test.each([1, 2, 100])('texts under earlier keys are encrypted anew, %i texts at a time', async (limit) => {
  const [oldest, before] = [createSeal(OLDEST), createSeal(BEFORE, [OLDEST])];
  await Promise.all([keep('a', oldest), keep('b', before), keep('c', oldest), keep('d', createSeal(NEWEST))]);
  const untouched = await sealedOf('d');

  const counts = await runToEnd(createSeal(NEWEST, [BEFORE, OLDEST]), limit);

  expect(counts).toEqual({ renewed: 3, unreadable: 0 });
  const newest = createSeal(NEWEST);
  for (const id of ['a', 'b', 'c', 'd']) expect(newest.open(await sealedOf(id), placeOf(id))).toBe(`of ${id}`);
  expect(await sealedOf('d')).toBe(untouched);
  expect(await runToEnd(createSeal(NEWEST, [BEFORE]), limit)).toEqual({ renewed: 0, unreadable: 0 });
});

test('the password at the bouncer goes along', async () => {
  const accountId = await open.account('ada');
  const { password } = await open.store.accounts.bouncerUser(accountId);
  const stored = async () =>
    (await database('accounts').where('account_id', accountId).first()).bouncer_password_sealed;
  const sealed = createSeal(BEFORE).close(password, accountId);
  await database('accounts').where('account_id', accountId).update({ bouncer_password_sealed: sealed });

  await runToEnd(createSeal(NEWEST, [BEFORE]), 10);

  expect(createSeal(NEWEST).open(await stored(), accountId)).toBe(password);
});

test('a text that no key opens is left as it is, and does not stop the others', async () => {
  await Promise.all([keep('a', createSeal(FOREIGN)), keep('b', createSeal(BEFORE))]);
  const foreign = await sealedOf('a');

  expect(await runToEnd(createSeal(NEWEST, [BEFORE]), 1)).toEqual({ renewed: 1, unreadable: 1 });

  expect(await sealedOf('a')).toBe(foreign);
});

test('a text that is stored anew meanwhile is not overwritten', async () => {
  const before = createSeal(BEFORE);
  await Promise.all([keep('a', before), keep('b', before)]);
  const seal = createSeal(NEWEST, [BEFORE]);
  const stored = seal.close('newer', placeOf('b'));
  let change: Promise<unknown> | undefined;
  const resealing = createResealing(database, {
    ...seal,
    // Both rows have been read by then.
    renew: (sealed, place) => {
      change ??= database('oauth_records').where('id_hash', 'b').update({ payload_sealed: stored }).then();
      return seal.renew(sealed, place);
    },
  });

  while (await resealing.advance(10));
  await change;

  expect(await sealedOf('b')).toBe(stored);
  expect(seal.open(await sealedOf('a'), placeOf('a'))).toBe('of a');
});

async function runToEnd(seal: Seal, limit: number) {
  const resealing = createResealing(database, seal);
  while (await resealing.advance(limit));
  return resealing.counts();
}

function keep(id: string, seal: Seal) {
  return database('oauth_records').insert({
    kind: 'AccessToken',
    id_hash: id,
    payload_sealed: seal.close(`of ${id}`, placeOf(id)),
  });
}
