import type { Migration } from './migration.ts';

/**
 * Address from which a client has registered, and the time until which a person may be deciding about it: they
 * determine which client makes room for another.
 */
export const whereClientsRegister: Migration = {
  name: '0024-where-clients-register',
  up: async (database) => {
    await database.schema.alterTable('oauth_records', (table) => {
      table.text('origin_hash');
      table.bigInteger('busy_until');
    });
  },
};
