import type { Knex } from 'knex';
import { dialectOf } from '../dialect.ts';
import type { Migration } from './migration.ts';

/** An index of texts by blocks of neighbouring entries; it is filled while the program runs. */
export const search: Migration = {
  name: '0006-search',
  up: async (database) => {
    await database.schema.createTable('text_blocks', (table) => {
      table.bigIncrements('block');
      table.text('account_id').notNullable().references('accounts.account_id').onDelete('CASCADE');
      table.text('channel').notNullable();
      table.bigInteger('first_row').notNullable();
      table.bigInteger('last_row').notNullable();
      table.bigInteger('oldest_at').notNullable();
      table.bigInteger('newest_at').notNullable();
      table.index(['account_id', 'channel', 'last_row']);
    });
    await database.schema.createTable('text_marks', (table) => {
      table.text('account_id').notNullable().references('accounts.account_id').onDelete('CASCADE');
      table.text('channel').notNullable();
      table.bigInteger('indexed_row').notNullable();
      table.primary(['account_id', 'channel']);
    });
    await (dialectOf(database) === 'postgres' ? createArrays(database) : createWords(database));
  },
};

/** Stores only which block has which gram: not the texts, not the positions. */
async function createWords(database: Knex): Promise<void> {
  await database.raw(
    "CREATE VIRTUAL TABLE text_grams USING fts5(grams, content='', contentless_delete=1, detail=none, tokenize='ascii')",
  );
}

async function createArrays(database: Knex): Promise<void> {
  await database.schema.createTable('text_grams', (table) => {
    table.bigInteger('rowid').primary().references('text_blocks.block').onDelete('CASCADE');
    table.specificType('grams', 'integer[]').notNullable();
  });
  await database.raw('CREATE INDEX text_grams_grams_index ON text_grams USING gin (grams)');
}
