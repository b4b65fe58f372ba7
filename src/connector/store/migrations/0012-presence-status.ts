import type { Migration } from './migration.ts';

/** What is known of a session that stands, and which process holds it. No session outlasts a process, so none is kept here. */
export const presenceStatus: Migration = {
  name: '0012-presence-status',
  up: async (database) => {
    await database.schema.dropTable('presences');
    await database.schema.createTable('presences', (table) => {
      table.text('account_id').primary().references('accounts.account_id').onDelete('CASCADE');
      table.text('holder').notNullable();
      // As JSON, because it is read as a whole.
      table.text('status').notNullable();
    });
  },
};
