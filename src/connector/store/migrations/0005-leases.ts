import type { Knex } from 'knex';
import type { Migration } from './migration.ts';

/** Tables that processes share: leases; and deliveries, reserved for events and not used yet. */
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
    // Unset when a lock of the operating system or of the server limits the lease.
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
    // A line that comes twice is delivered once.
    table.unique(['subscription_id', 'entry_id']);
    // Finds the next due delivery, and locks it for one process, without reading the others.
    table.index(['status', 'due_at', 'row']);
  });
}
