import type { Migration } from './migration.ts';

/** Attempts to log in at IRC networks: limits for a person and for a network count those of all processes. */
export const loginAttempts: Migration = {
  name: '0041-login-attempts',
  up: async (database) => {
    await database.schema.createTable('login_attempts', (table) => {
      table.bigIncrements('row').primary();
      // Without a reference: attempts of a removed account count for its network, too.
      table.text('account_id').notNullable().index();
      table.text('network').notNullable();
      // Time by the database's clock.
      table.bigInteger('at').notNullable().index();
    });
  },
};
