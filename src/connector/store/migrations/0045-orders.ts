import type { Migration } from './migration.ts';

/** What any process asks of the one that holds an account's session. */
export const orders: Migration = {
  name: '0045-orders',
  up: async (database) => {
    await database.schema.createTable('orders', (table) => {
      // Order in which they are carried out.
      table.bigIncrements('row').primary();
      table.text('order_id').notNullable().unique();
      table.text('account_id').notNullable().references('accounts.account_id').onDelete('CASCADE').index();
      table.text('kind').notNullable();
      table.text('argument');
      // Parts of processes, which have ids of their own.
      table.text('asked_by').notNullable();
      table.text('taken_by');
      // Time by the database's clock.
      table.bigInteger('deadline_at').notNullable().index();
      // An `OrderOutcome` as JSON.
      table.text('outcome');
    });
  },
};
