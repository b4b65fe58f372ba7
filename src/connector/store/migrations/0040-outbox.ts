import type { Migration } from './migration.ts';

/** Facts that let every process accept a send for the process that holds the account's session. */
export const outbox: Migration = {
  name: '0040-outbox',
  up: async (database) => {
    await database.schema.alterTable('message_parts', (table) => {
      // Network for which the line was accepted; null for lines of earlier versions.
      table.text('network');
      // Time at which the account's pace had no line left when this one was written: see `Pacing`.
      table.bigInteger('paced_until');
    });
    await database.schema.alterTable('presences', (table) => {
      // A `SendingState` as JSON.
      table.text('sending');
    });
  },
};
