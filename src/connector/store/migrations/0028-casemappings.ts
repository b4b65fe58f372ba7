import type { Migration } from './migration.ts';

/**
 * Rule by which an account's network compares nicks and channels, as it last announced: needed while the account is
 * offline, too.
 */
export const casemappings: Migration = {
  name: '0028-casemappings',
  up: async (database) => {
    await database.schema.alterTable('accounts', (table) => {
      table.text('casemapping');
    });
  },
};
