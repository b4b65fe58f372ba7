import type { Migration } from './migration.ts';

/** Networks of the last start with their addresses, as JSON: an address identifies a renamed network. */
export const knownNetworks: Migration = {
  name: '0035-known-networks',
  up: async (database) => {
    await database.schema.alterTable('installation', (table) => {
      table.text('known_networks');
    });
  },
};
