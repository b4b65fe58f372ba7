import type { Knex } from 'knex';

/** Keeps all others from writing entries, as another program may, until it is released. */
export async function lockDatabase(database: Knex): Promise<{ release(): Promise<void> }> {
  const held = await database.transaction();
  // SQLite has one lock for all tables, which a write takes.
  await held('entries').where('row', -1).delete();
  if (database.client.driverName === 'pg') await held.raw('LOCK TABLE entries IN ACCESS EXCLUSIVE MODE');
  return {
    release: async () => {
      await held.rollback();
      await database.destroy();
    },
  };
}
