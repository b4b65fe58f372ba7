import type { Migration } from './migration.ts';

/** Sessions with the bouncer, written by the process that holds them, for processes that are asked about them. */
export const presences: Migration = {
  name: '0010-presences',
  up: async (database) => {
    await database.schema.createTable('presences', (table) => {
      table.text('account_id').primary().references('accounts.account_id').onDelete('CASCADE');
      table.bigInteger('session_since').notNullable();
    });
  },
};
