import type { Knex } from 'knex';
import { migrationSource } from './migrations/index.ts';

/** A newer version of the program has migrated the database. */
export class NewerDatabase extends Error {
  constructor(unknown: readonly string[]) {
    super(
      `a newer version of homeport-connector has changed it (${unknown.join(', ')}): install that version, or restore the backup made before the update`,
    );
  }
}

/** Names of the pending steps, in order. @throws NewerDatabase */
export async function pendingMigrations(database: Knex): Promise<string[]> {
  const known = (await migrationSource.getMigrations([])).map(({ name }) => name);
  const done: string[] = (await database.schema.hasTable('knex_migrations'))
    ? await database('knex_migrations').orderBy('id').pluck('name')
    : [];
  const unknown = done.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new NewerDatabase(unknown);
  return known.filter((name) => !done.includes(name));
}

/** Does the pending steps, each in its own transaction; call while the database is claimed. @throws NewerDatabase */
export async function migrate(database: Knex): Promise<string[]> {
  const pending = await pendingMigrations(database);
  if (pending.length === 0) return [];
  // The claim is the lock. The library's own lock is a row, which would remain when the process is killed.
  await database.migrate.forceFreeMigrationsLock({ migrationSource });
  await database.migrate.latest({ migrationSource });
  return pending;
}
