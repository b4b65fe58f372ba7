import type { Migration } from './migration.ts';

/**
 * Number of a subscription's dropped deliveries. Stored in a table without a reference to the subscription: a
 * transaction that drops deliveries has locked them, and must not wait then for one that ends their subscription.
 */
export const droppedDeliveries: Migration = {
  name: '0029-dropped-deliveries',
  up: async (database) => {
    await database.schema.createTable('dropped_deliveries', (table) => {
      table.text('subscription_id').primary();
      table.bigInteger('count').notNullable();
    });
  },
};
