import type { Migration } from './migration.ts';

/**
 * Details of each line's echo: the text that others saw if the server changed it, and its time if only its place among
 * the lines identified it. Also the time since which a later line of the channel has come back without it.
 */
export const echoes: Migration = {
  name: '0022-echoes',
  up: async (database) => {
    for (const column of ['heard_text text', 'heard_at bigint', 'overtaken_at bigint']) {
      await database.raw(`ALTER TABLE message_parts ADD COLUMN ${column}`);
    }
  },
};
