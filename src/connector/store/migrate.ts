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

/** Table that exists while another database is moved into this one. */
export const UNFINISHED_MOVE = 'unfinished_move';

/** Error: only a part of an installation has been moved into the database. */
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

/** End of the name of a step that earlier versions can ignore; see `Migration`. */
const ADDITIVE = '+additive';

/** Whether programs that do not know the step can't read what it makes of the database. */
export const isBreaking = (name: string): boolean => !name.endsWith(ADDITIVE);

/** Names of all steps that earlier versions can't ignore, in order. */
export async function breakingSteps(): Promise<string[]> {
  return (await migrationSource.getMigrations([])).map(({ name }) => name).filter(isBreaking);
}

interface Tolerance {
  /** Whether additive steps of a newer version are accepted: for one that serves, not for one that copies all tables. */
  acceptsAdditive?: boolean;
}

/** Names of the pending steps, in order. @throws NewerDatabase, HalfMoved */
export async function pendingMigrations(database: Knex, tolerance: Tolerance = {}): Promise<string[]> {
  await refuseHalfMoved(database);
  return lackingMigrations(database, tolerance);
}

/**
 * Returns the same as `pendingMigrations`, also for a database into which another one is being moved.
 * @throws NewerDatabase
 */
export async function lackingMigrations(
  database: Knex,
  { acceptsAdditive = false }: Tolerance = {},
): Promise<string[]> {
  const known = (await migrationSource.getMigrations([])).map(({ name }) => name);
  const done: string[] = (await database.schema.hasTable('knex_migrations'))
    ? await database('knex_migrations').orderBy('id').pluck('name')
    : [];
  const unknown = done.filter((name) => !known.includes(name) && !(acceptsAdditive && !isBreaking(name)));
  if (unknown.length > 0) throw new NewerDatabase(unknown);
  return known.filter((name) => !done.includes(name));
}

/**
 * Runs the pending migrations in one transaction. A row that the library keeps locked until its end excludes another
 * process that does the same; what that one has done is left out.
 * @throws NewerDatabase, HalfMoved
 * @param begins is called before the first step of a database that is not new
 */
export async function migrate(database: Knex, begins?: (steps: readonly string[]) => void): Promise<string[]> {
  const pending = await pendingMigrations(database, { acceptsAdditive: true });
  if (pending.length === 0) return [];
  if (await database.schema.hasTable('knex_migrations')) begins?.(pending);
  await freeLeftLock(database);
  // The library's own check would refuse the additive steps of other versions.
  await database.migrate.latest({ migrationSource, disableMigrationsListValidation: true });
  return pending;
}

/**
 * Whether another process does steps now: until their end it keeps the row locked that excludes others. Only for a
 * database that can be shared.
 */
export async function stepsAreUnderWay(database: Knex): Promise<boolean> {
  if (!(await database.schema.hasTable('knex_migrations_lock'))) return false;
  const rows = await database('knex_migrations_lock').select('index');
  const free = await database('knex_migrations_lock').forShare().skipLocked().select('index');
  return free.length < rows.length;
}

/** Frees the library's lock if a run was killed that had committed it. That of a run under way is not to be seen here. */
async function freeLeftLock(database: Knex): Promise<void> {
  if (!(await database.schema.hasTable('knex_migrations_lock'))) return;
  await database('knex_migrations_lock').where('is_locked', 1).update({ is_locked: 0 });
}

/** Runs exactly these migrations on an empty database. */
export async function migrateTo(empty: Knex, names: readonly string[]): Promise<void> {
  const steps = (await migrationSource.getMigrations([])).filter(({ name }) => names.includes(name));
  await empty.migrate.latest({ migrationSource: { ...migrationSource, getMigrations: async () => steps } });
}
