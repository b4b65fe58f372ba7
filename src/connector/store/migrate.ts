import type { Knex } from 'knex';
import { migrationSource } from './migrations/index.ts';

/** The database has steps that this program does not know. */
export class NewerDatabase extends Error {
  constructor(unknown: readonly string[]) {
    super(
      `a newer version of homeport-connector has changed it (${unknown.join(', ')}): install that version, or restore the backup made before the update`,
    );
  }
}

/** Names of the steps that are still to be done, in their order. @throws NewerDatabase */
export async function pendingMigrations(database: Knex): Promise<string[]> {
  const known = (await migrationSource.getMigrations([])).map(({ name }) => name);
  const done: string[] = (await database.schema.hasTable('knex_migrations'))
    ? await database('knex_migrations').orderBy('id').pluck('name')
    : [];
  const unknown = done.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new NewerDatabase(unknown);
  return known.filter((name) => !done.includes(name));
}

/** Does what is pending, each step in a transaction of its own; call while the database is claimed. @throws NewerDatabase */
export async function migrate(database: Knex): Promise<string[]> {
  const pending = await pendingMigrations(database);
  if (pending.length === 0) return [];
  // The claim is the lock; the library's own is a row that stays when a process is killed while it has it.
  await database.migrate.forceFreeMigrationsLock({ migrationSource });
  await database.migrate.latest({ migrationSource });
  return pending;
}
