import type { Knex } from 'knex';
import type { Migration } from './migration.ts';

/** What processes share: who holds what, and what is to be told to subscribers, each taken by one process at a time. */
export const leases: Migration = {
  name: '0005-leases',
  up: async (database) => {
    await createLeases(database);
    await createDeliveries(database);
  },
};

async function createLeases(database: Knex): Promise<void> {
  await database.schema.createTable('leases', (table) => {
    table.text('name').primary();
    table.text('holder').notNullable();
    table.bigInteger('taken_at').notNullable();
    // Unset where a lock of the operating system or of the server says how long.
    table.bigInteger('expires_at');
  });
}

async function createDeliveries(database: Knex): Promise<void> {
  await database.schema.createTable('deliveries', (table) => {
    table.bigIncrements('row');
    table.text('delivery_id').notNullable().unique();
    table.text('account_id').notNullable().references('accounts.account_id').onDelete('CASCADE');
    table.text('subscription_id').notNullable();
    table.text('entry_id').notNullable();
    table.text('status').notNullable();
    table.integer('attempts').notNullable().defaultTo(0);
    table.bigInteger('created_at').notNullable();
    table.bigInteger('due_at').notNullable();
    // Of a line that comes twice only one is told.
    table.unique(['subscription_id', 'entry_id']);
    // What is due next is found, and locked for one process, without looking at the rest.
    table.index(['status', 'due_at', 'row']);
  });
}
