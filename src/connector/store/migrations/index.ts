import type { Knex } from 'knex';
import { accountsAndHistory } from './0001-accounts-and-history.ts';
import { oauthRecords } from './0002-oauth-records.ts';

/** One step forward; there is none back. A released step never changes. */
export interface Migration {
  name: string;
  up(database: Knex): Promise<void>;
}

const migrations: readonly Migration[] = [accountsAndHistory, oauthRecords];

export const migrationSource: Knex.MigrationSource<Migration> = {
  getMigrations: async () => [...migrations],
  getMigrationName: ({ name }) => name,
  getMigration: async ({ up }) => ({
    up,
    down: async () => {
      throw new Error('migrations go forward only: restore a backup instead');
    },
  }),
};
