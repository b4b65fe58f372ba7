import type { Migration } from './migration.ts';

/** The processes that share the database, and which of them acts for the accounts. */
export const processes: Migration = {
  name: '0030-processes',
  up: async (database) => {
    await database.schema.createTable('processes', (table) => {
      // Of one run of the program: the next run has another one.
      table.text('process_id').primary();
      table.text('name').notNullable();
      table.text('version').notNullable();
      // By the clock of the database.
      table.bigInteger('started_at').notNullable();
      table.bigInteger('seen_at').notNullable();
      // By how much the clock of its machine is ahead of the database's.
      table.bigInteger('clock_ahead_ms').notNullable().defaultTo(0);
    });
    await database.schema.createTable('slots', (table) => {
      table.integer('slot').primary();
      // Null while no process has it. Without a reference: what is known of a process may go before its slot is taken.
      table.text('process_id');
      // Grows each time that the slot is taken.
      table.bigInteger('fence').notNullable();
      table.bigInteger('taken_at').notNullable();
    });
    await database('slots').insert({ slot: 0, process_id: null, fence: 0, taken_at: 0 });
  },
};
