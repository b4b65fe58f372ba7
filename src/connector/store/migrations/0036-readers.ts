import type { Migration } from './migration.ts';

/** Processes that serve without the slot. */
export const readers: Migration = {
  name: '0036-readers',
  up: async (database) => {
    await database.schema.alterTable('processes', (table) => {
      // Time by the database's clock; null for a process that waits, or has served with the slot only.
      table.bigInteger('reads_since');
    });
  },
};
