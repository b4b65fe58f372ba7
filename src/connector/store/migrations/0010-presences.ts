import type { Migration } from './migration.ts';

/** The sessions with the bouncer that stand, written by the process that holds them, for whoever is asked about them. */
export const presences: Migration = {
  name: '0010-presences',
  up: async (database) => {
    await database.schema.createTable('presences', (table) => {
      table.text('account_id').primary().references('accounts.account_id').onDelete('CASCADE');
      table.bigInteger('session_since').notNullable();
    });
  },
};
