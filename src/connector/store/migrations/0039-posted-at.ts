import type { Migration } from './migration.ts';

/** Times of posts by the database's clock: all processes and all later runs of the program count the same posts. */
export const postedAt: Migration = {
  name: '0039-posted-at',
  up: async (database) => {
    await database.schema.alterTable('messages', (table) => {
      table.bigInteger('posted_at');
    });
    await database.raw(
      'CREATE INDEX messages_posted_index ON messages (account_id, posted_at) WHERE posted_at IS NOT NULL',
    );
  },
};
