import type { Migration } from './migration.ts';

/** An account may be without a login: when another person has arrived with it, until its own person signs in again. */
export const lostLogins: Migration = {
  name: '0014-lost-logins',
  up: async (database) => {
    // Step by step, and not by knex: on SQLite it would drop the table and create it again, and all rows that refer to
    // accounts would be deleted.
    await database.schema.alterTable('accounts', (table) => {
      table.dropUnique(['login']);
    });
    await database.raw('ALTER TABLE accounts RENAME COLUMN login TO earlier_login');
    await database.raw('ALTER TABLE accounts ADD COLUMN login text');
    await database.raw('UPDATE accounts SET login = earlier_login');
    await database.raw('ALTER TABLE accounts DROP COLUMN earlier_login');
    await database.schema.alterTable('accounts', (table) => {
      table.unique(['login']);
    });
  },
};
