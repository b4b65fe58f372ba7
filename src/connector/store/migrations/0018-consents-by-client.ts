import type { Migration } from './migration.ts';

/** Index for whether a client has a consent: strangers can trigger this query, so it must not read all consents. */
export const consentsByClient: Migration = {
  name: '0018-consents-by-client',
  up: async (database) => {
    await database.schema.alterTable('consents', (table) => {
      table.index(['client_id', 'last_used_at']);
    });
  },
};
