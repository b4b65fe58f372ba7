import type { Migration } from './migration.ts';

/**
 * Index of the lines that wait to be written, which are few at any time: the process that has the sessions looks for
 * those of other processes each second, among all lines that were ever sent.
 */
export const waitingLines: Migration = {
  name: '0049-waiting-lines',
  up: async (database) => {
    await database.raw(
      `CREATE INDEX message_parts_pending_index ON message_parts (account_id) WHERE status = 'pending'`,
    );
  },
};
