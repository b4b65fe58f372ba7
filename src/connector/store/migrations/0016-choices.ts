import type { Migration } from './migration.ts';

/**
 * Choices of a person: their network, and the time from which their history is kept; and whether the person was
 * removed. Each network has lines of its own to catch up with. Earlier versions knew one network, and only the
 * configuration has its name: the program fills it in at its start.
 */
export const choices: Migration = {
  name: '0016-choices',
  up: async (database) => {
    for (const column of ['network text', 'history_from bigint', 'removed_at bigint']) {
      await database.raw(`ALTER TABLE accounts ADD COLUMN ${column}`);
    }
    await database.schema.createTable('later_syncs', (table) => {
      table.text('account_id').notNullable().references('accounts.account_id').onDelete('CASCADE');
      table.text('network').notNullable();
      table.text('channel_key').notNullable();
      table.bigInteger('synced_to').notNullable();
      table.primary(['account_id', 'network', 'channel_key']);
    });
    await database.raw(
      "INSERT INTO later_syncs (account_id, network, channel_key, synced_to) SELECT account_id, '', channel_key, synced_to FROM channel_syncs",
    );
    await database.schema.dropTable('channel_syncs');
    await database.schema.renameTable('later_syncs', 'channel_syncs');
  },
};
