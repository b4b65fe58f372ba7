import type { Migration } from './migration.ts';

/** Processes that share the database, and which of them acts for the accounts. */
export const processes: Migration = {
  name: '0030-processes',
  up: async (database) => {
    await database.schema.createTable('processes', (table) => {
      // Id of one run of the program: the next run has another one.
      table.text('process_id').primary();
      table.text('name').notNullable();
      table.text('version').notNullable();
      // Time by the database's clock.
      table.bigInteger('started_at').notNullable();
      table.bigInteger('seen_at').notNullable();
      // Milliseconds by which the clock of its machine is ahead of the database's.
      table.bigInteger('clock_ahead_ms').notNullable().defaultTo(0);
    });
    await database.schema.createTable('slots', (table) => {
      table.integer('slot').primary();
      // Null while the slot is free. Without a reference: the row of a process may be deleted before its slot is taken.
      table.text('process_id');
      // Grows each time the slot is taken.
      table.bigInteger('fence').notNullable();
      table.bigInteger('taken_at').notNullable();
    });
    await database('slots').insert({ slot: 0, process_id: null, fence: 0, taken_at: 0 });
  },
};
