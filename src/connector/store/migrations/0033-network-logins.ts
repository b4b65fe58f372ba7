import type { Migration } from './migration.ts';

/** Logins of people at IRC networks. */
export const networkLogins: Migration = {
  name: '0033-network-logins',
  up: async (database) => {
    await database.schema.createTable('network_logins', (table) => {
      // Part of the place that the proof is encrypted for, so that one can't replace another.
      table.text('login_id').primary();
      table.text('account_id').notNullable().references('accounts.account_id').onDelete('CASCADE');
      // A login is for one name and one address: another address must not get it.
      table.text('network').notNullable();
      table.text('address').notNullable();
      table.text('proof_sealed').notNullable();
      table.text('state').notNullable();
      // Last answer of the network.
      table.text('words');
      table.bigInteger('changed_at').notNullable();
      table.unique(['account_id', 'network', 'address']);
    });
  },
};
