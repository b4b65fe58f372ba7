import type { Migration } from './migration.ts';

/** Facts about each process in which all have to agree, and the settings that count for all. */
export const agreement: Migration = {
  name: '0052-agreement+additive',
  up: async (database) => {
    await database.schema.alterTable('processes', (table) => {
      // JSON; null for a process of an earlier version.
      table.text('agreement');
    });
    await database.schema.createTable('decided_settings', (table) => {
      table.text('name').primary();
      table.text('process_id').notNullable();
      table.text('process_name').notNullable();
      // Time by the database's clock.
      table.bigInteger('decided_at').notNullable();
      table.text('content').notNullable();
    });
  },
};
