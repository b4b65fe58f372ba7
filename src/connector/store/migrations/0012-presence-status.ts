import type { Migration } from './migration.ts';

/**
 * Status of a session and the process that holds it. Sessions end with their process, so old rows are not kept here.
 */
export const presenceStatus: Migration = {
  name: '0012-presence-status',
  up: async (database) => {
    await database.schema.dropTable('presences');
    await database.schema.createTable('presences', (table) => {
      table.text('account_id').primary().references('accounts.account_id').onDelete('CASCADE');
      table.text('holder').notNullable();
      // Stored as JSON, because it is read as a whole.
      table.text('status').notNullable();
    });
  },
};
