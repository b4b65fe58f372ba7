import type { Migration } from './migration.ts';

/**
 * What the echo of each line said: what others saw where the server changed it, and when it was said where only its place among
 * the lines showed that it was the echo. Also since when a later line of the channel has come back without it.
 */
export const echoes: Migration = {
  name: '0022-echoes',
  up: async (database) => {
    for (const column of ['heard_text text', 'heard_at bigint', 'overtaken_at bigint']) {
      await database.raw(`ALTER TABLE message_parts ADD COLUMN ${column}`);
    }
  },
};
