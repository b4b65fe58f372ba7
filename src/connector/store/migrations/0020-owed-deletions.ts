import type { Migration } from './migration.ts';

/** Row up to which a person's history is still to be removed: that takes a while, and goes on after a restart. */
export const owedDeletions: Migration = {
  name: '0020-owed-deletions',
  up: async (database) => {
    await database.raw('ALTER TABLE accounts ADD COLUMN forget_to_row bigint');
  },
};
