import type { Migration } from './migration.ts';

/** Stores what a person selected apart from what an owner granted: neither is written over by a change of the other. */
export const selections: Migration = {
  name: '0009-selections',
  up: async (database) => {
    await database.schema.createTable('selections', (table) => {
      table.text('account_id').notNullable();
      table.text('channel').notNullable();
      table.primary(['account_id', 'channel']);
      table
        .foreign(['account_id', 'channel'])
        .references(['account_id', 'channel'])
        .inTable('grants')
        // A revoked channel is no longer selected.
        .onDelete('CASCADE');
    });
    await database.raw(
      'INSERT INTO selections (account_id, channel) SELECT account_id, channel FROM grants WHERE enabled',
    );
    // Not by knex: on SQLite it would drop the table and make it anew, and the drop would take the selections with it.
    await database.raw('ALTER TABLE grants DROP COLUMN enabled');
  },
};
