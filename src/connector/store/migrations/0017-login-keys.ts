import type { Migration } from './migration.ts';

/**
 * Accounts are found by the key of their login, which is the same for all spellings that the identity provider takes
 * for one. Earlier providers all distinguished spellings. The program computes the keys again at each start.
 */
export const loginKeys: Migration = {
  name: '0017-login-keys',
  up: async (database) => {
    await database.raw('ALTER TABLE accounts ADD COLUMN login_key text');
    await database.raw('UPDATE accounts SET login_key = login');
    await database.schema.alterTable('accounts', (table) => {
      table.unique(['login_key']);
    });
  },
};
