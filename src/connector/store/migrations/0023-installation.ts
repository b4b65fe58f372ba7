import type { Migration } from './migration.ts';

/** Owner of the database: a constant that the keys must open, and the addresses it was used with. */
export const installation: Migration = {
  name: '0023-installation',
  up: async (database) => {
    await database.schema.createTable('installation', (table) => {
      // There is one row.
      table.text('name').primary();
      table.text('check_sealed').notNullable();
      table.text('base_url').notNullable();
      table.text('issuer').notNullable();
      // Names as a JSON array.
      table.text('networks').notNullable();
    });
  },
};
