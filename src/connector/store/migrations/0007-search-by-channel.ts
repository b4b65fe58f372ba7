import { dialectOf } from '../dialect.ts';
import type { Migration } from './migration.ts';

/** Lets searches find blocks by channel and time, too; the index is rebuilt while the program runs. */
export const searchByChannel: Migration = {
  name: '0007-search-by-channel',
  up: async (database) => {
    await database('text_marks').delete();
    if (dialectOf(database) === 'postgres') await database('text_grams').delete();
    else await database.raw("INSERT INTO text_grams (text_grams) VALUES ('delete-all')");
    await database('text_blocks').delete();
    await database.schema.alterTable('text_blocks', (table) => {
      table.index(['account_id', 'channel', 'newest_at', 'block']);
    });
  },
};
