import { expect, onTestFinished, test } from 'vitest';
import { migrate, NewerDatabase, pendingMigrations } from '../../../../src/connector/store/migrate.ts';
import { migratedDatabase } from '../../../harness/migrated-database.ts';
import { tempFolder } from '../../../harness/temp-folder.ts';

test('a program that serves accepts an additive step of a newer version, and one that copies all tables refuses it', async () => {
  const database = await openAfter('0099-of-a-newer-version+additive');

  expect(await pendingMigrations(database, { acceptsAdditive: true })).toEqual([]);
  expect(await migrate(database)).toEqual([]);
  await expect(pendingMigrations(database)).rejects.toThrow(NewerDatabase);
});

test('any other step of a newer version is refused, also one that is additive in its middle or beside an additive one', async () => {
  for (const name of ['0099-of-a-newer-version', '0099+additive-at-first', '0099-+additive ']) {
    const database = await openAfter(name);
    await database('knex_migrations').insert({ name: '0098-more+additive', batch: 98, migration_time: new Date() });

    await expect(pendingMigrations(database, { acceptsAdditive: true })).rejects.toThrow(name.trim());
  }
});

/** A database that a newer version has changed by a step of this name. */
async function openAfter(name: string) {
  const folder = await tempFolder();
  const made = await migratedDatabase(folder.path);
  const database = made.connect();
  onTestFinished(async () => {
    await database.destroy();
    await made[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  await database('knex_migrations').insert({ name, batch: 99, migration_time: new Date() });
  return database;
}
