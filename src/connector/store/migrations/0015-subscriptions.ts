import type { Knex } from 'knex';
import type { Migration } from './migration.ts';

/** Subscriptions to mentions, and queued deliveries. */
export const subscriptions: Migration = {
  name: '0015-subscriptions',
  up: async (database) => {
    await createSubscriptions(database);
    // The reserved table was never used.
    await database.schema.dropTable('deliveries');
    await createDeliveries(database);
    await database.schema.createTable('totals', (table) => {
      table.text('name').primary();
      table.bigInteger('value').notNullable();
    });
  },
};

async function createSubscriptions(database: Knex): Promise<void> {
  await database.schema.createTable('subscriptions', (table) => {
    table.text('subscription_id').primary();
    table.text('account_id').notNullable().references('accounts.account_id').onDelete('CASCADE');
    table.text('client_id').notNullable();
    table.text('client_name').notNullable();
    // Stored as JSON, because they are read as a whole.
    table.text('filters').notNullable();
    table.text('channel');
    table.text('callback_host').notNullable();
    table.text('callback_sealed').notNullable();
    table.bigInteger('verified_at').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('expires_at').notNullable().index();
    table.text('outcome');
    // The newest delivery that has ended: an older one that ends later does not count.
    table.bigInteger('outcome_row').notNullable().defaultTo(0);
    table.bigInteger('outcome_at');
    table.bigInteger('accepted_at');
    table.bigInteger('failing_since');
    table.text('last_failure');
    table.index(['account_id', 'client_id']);
  });
}

async function createDeliveries(database: Knex): Promise<void> {
  await database.schema.createTable('deliveries', (table) => {
    table.bigIncrements('row');
    table.text('event_id').notNullable().unique();
    table.text('subscription_id').notNullable().references('subscriptions.subscription_id').onDelete('CASCADE');
    table.text('account_id').notNullable();
    table.text('channel').notNullable();
    table.text('body').notNullable();
    table.integer('attempts').notNullable().defaultTo(0);
    table.bigInteger('created_at').notNullable().index();
    table.bigInteger('due_at').notNullable();
    // End of the lease of the process that attempts it.
    table.bigInteger('leased_until').notNullable().defaultTo(0).index();
    // Find due, leased and oldest deliveries of a subscription, without reading the others.
    table.index(['subscription_id', 'due_at', 'row']);
    table.index(['subscription_id', 'leased_until']);
    table.index(['subscription_id', 'row']);
    table.index(['account_id', 'subscription_id']);
  });
}
