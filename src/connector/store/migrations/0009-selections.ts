import type { Migration } from './migration.ts';

/** Stores a person's selection apart from the owner's grants, so that changes of one do not overwrite the other. */
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
    // Not by knex: on SQLite it would drop the table and create it again, and the drop would delete the selections.
    await database.raw('ALTER TABLE grants DROP COLUMN enabled');
  },
};
