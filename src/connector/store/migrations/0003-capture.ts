import type { Migration } from './migration.ts';

/** Tables for exact replay: how far each channel is complete, gaps as entries, and the further lines of a send. */
export const capture: Migration = {
  name: '0003-capture',
  up: async (database) => {
    await database.schema.createTable('channel_syncs', (table) => {
      table.text('account_id').notNullable().references('accounts.account_id').onDelete('CASCADE');
      table.text('channel_key').notNullable();
      table.bigInteger('synced_to').notNullable();
      table.primary(['account_id', 'channel_key']);
    });
    await database.schema.alterTable('entries', (table) => {
      table.bigInteger('gap_from');
      table.bigInteger('gap_to');
      table.text('gap_reason');
    });
    await database.schema.alterTable('message_parts', (table) => {
      table.text('fingerprint');
      table.bigInteger('created_at');
      table.bigInteger('written_at');
      table.bigInteger('echoed_at');
      table.index(['account_id', 'fingerprint']);
    });
  },
};
