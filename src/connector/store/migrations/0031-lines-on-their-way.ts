import type { Migration } from './migration.ts';

/**
 * Indexes for lines on their way. Lines that a server has silently dropped stay so for as long as they are kept: those
 * that may still come back are found by their time.
 */
export const linesOnTheirWay: Migration = {
  name: '0031-lines-on-their-way',
  up: async (database) => {
    await database.schema.alterTable('message_parts', (table) => {
      table.index(['account_id', 'status', 'created_at', 'row']);
    });
    // Few lines with the bouncer's own echo wait for the server's at a time.
    await database.raw(
      `CREATE INDEX message_parts_heard_index ON message_parts (account_id, status, "row") WHERE status = 'queued' AND echoed_at IS NOT NULL`,
    );
  },
};
