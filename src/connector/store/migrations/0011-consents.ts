import type { Migration } from './migration.ts';

/**
 * Consents of people for clients, as rows. Those of earlier versions are sealed inside `oauth_records`: the program
 * adopts them at its start.
 */
export const consents: Migration = {
  name: '0011-consents',
  up: async (database) => {
    await database.schema.createTable('consents', (table) => {
      table.text('consent_id').primary();
      table.text('grant_hash').notNullable().unique();
      table.text('account_id').notNullable().references('accounts.account_id').onDelete('CASCADE');
      table.text('client_id').notNullable();
      table.text('client_name').notNullable();
      table.text('scopes').notNullable();
      table.bigInteger('created_at').notNullable();
      table.bigInteger('last_used_at').notNullable().index();
      table.index(['account_id', 'last_used_at']);
    });
  },
};
