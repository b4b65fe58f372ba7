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

/** The table that a database has while another one is moved into it. */
export const UNFINISHED_MOVE = 'unfinished_move';

/** Only a part of an installation has been moved into the database. */
export class HalfMoved extends Error {
  constructor() {
    super(
      'another database is being moved into it, and that move has not finished: run homeport-connector migrate with the same --from and --to again',
    );
  }
}

/** @throws HalfMoved while another database is being moved into this one */
export async function refuseHalfMoved(database: Knex): Promise<void> {
  if (await database.schema.hasTable(UNFINISHED_MOVE)) throw new HalfMoved();
}

/** Names of the pending steps, in order. @throws NewerDatabase, HalfMoved */
export async function pendingMigrations(database: Knex): Promise<string[]> {
  await refuseHalfMoved(database);
  return lackingMigrations(database);
}

/** Like `pendingMigrations`, also for a database into which another one is being moved. @throws NewerDatabase */
export async function lackingMigrations(database: Knex): Promise<string[]> {
  const known = (await migrationSource.getMigrations([])).map(({ name }) => name);
  const done: string[] = (await database.schema.hasTable('knex_migrations'))
    ? await database('knex_migrations').orderBy('id').pluck('name')
    : [];
  const unknown = done.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new NewerDatabase(unknown);
  return known.filter((name) => !done.includes(name));
}

/** Does the pending steps, each in its own transaction; call while the database is claimed. @throws NewerDatabase, HalfMoved */
export async function migrate(database: Knex): Promise<string[]> {
  const pending = await pendingMigrations(database);
  if (pending.length === 0) return [];
  // The claim is the lock. The library's own lock is a row, which would remain when the process is killed.
  await database.migrate.forceFreeMigrationsLock({ migrationSource });
  await database.migrate.latest({ migrationSource });
  return pending;
}
