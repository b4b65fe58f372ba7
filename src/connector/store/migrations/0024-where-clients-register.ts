import type { Migration } from './migration.ts';

/** From where a client has registered, and until when a person may be deciding about it: that says which one makes room for another. */
export const whereClientsRegister: Migration = {
  name: '0024-where-clients-register',
  up: async (database) => {
    await database.schema.alterTable('oauth_records', (table) => {
      table.text('origin_hash');
      table.bigInteger('busy_until');
    });
  },
};
