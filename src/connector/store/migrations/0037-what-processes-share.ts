import type { Migration } from './migration.ts';

/** Facts that each process kept in its memory: downloads under way, and the newest calls of clients. */
export const whatProcessesShare: Migration = {
  name: '0037-what-processes-share',
  up: async (database) => {
    await database.schema.createTable('downloads', (table) => {
      table.text('download_id').primary();
      // Each person downloads one history at a time.
      table.text('reader_id').notNullable().unique();
      table.text('account_id').notNullable().index();
      // Without a reference: the row of a process may be deleted before its downloads end.
      table.text('process_id').notNullable();
      // Time by the database's clock.
      table.bigInteger('lasts_until').notNullable();
    });
    await database.schema.createTable('calls', (table) => {
      table.bigIncrements('row').primary();
      // The log of a process; a process has several if it begins to serve in another way.
      table.text('log_id').notNullable();
      // Without a reference: a call may be recorded while its account is removed.
      table.text('account_id').notNullable().index();
      table.text('client_id').notNullable();
      table.text('method').notNullable();
      table.text('tool');
      table.text('outcome').notNullable();
      table.bigInteger('ms').notNullable();
      table.bigInteger('at').notNullable().index();
      table.index(['log_id', 'row']);
    });
  },
};
