import type { Migration } from './migration.ts';

/**
 * Lines that a server has dropped without a word stay on their way for as long as they are kept: those that may still come back
 * are found by their time.
 */
export const linesOnTheirWay: Migration = {
  name: '0031-lines-on-their-way',
  up: async (database) => {
    await database.schema.alterTable('message_parts', (table) => {
      table.index(['account_id', 'status', 'created_at', 'row']);
    });
    // Of the bouncer's own echoes few wait for the server's word at a time.
    await database.raw(
      `CREATE INDEX message_parts_heard_index ON message_parts (account_id, status, "row") WHERE status = 'queued' AND echoed_at IS NOT NULL`,
    );
  },
};
