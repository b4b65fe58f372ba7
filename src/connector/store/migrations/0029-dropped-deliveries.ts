import type { Migration } from './migration.ts';

/**
 * How many deliveries of a subscription were dropped. Beside the subscription and without a reference to it: whoever drops
 * deliveries has locked them, and must not wait then for one who ends their subscription.
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
