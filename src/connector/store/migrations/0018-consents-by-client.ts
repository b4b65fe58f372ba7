import type { Migration } from './migration.ts';

/** Whether anybody has allowed a client is asked when a stranger names it, too: so nobody reads all consents for that. */
export const consentsByClient: Migration = {
  name: '0018-consents-by-client',
  up: async (database) => {
    await database.schema.alterTable('consents', (table) => {
      table.index(['client_id', 'last_used_at']);
    });
  },
};
