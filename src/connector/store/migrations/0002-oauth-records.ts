import type { Migration } from './migration.ts';

/**
 * All records of the authorization server: ids are hashed, payloads encrypted, so that a copy of the file grants no
 * access.
 */
export const oauthRecords: Migration = {
  name: '0002-oauth-records',
  up: async (database) => {
    await database.schema.createTable('oauth_records', (table) => {
      table.text('kind').notNullable();
      table.text('id_hash').notNullable();
      table.text('uid_hash').index();
      table.text('grant_hash').index();
      table.text('payload_sealed').notNullable();
      table.bigInteger('consumed_at');
      table.bigInteger('expires_at').index();
      table.primary(['kind', 'id_hash']);
    });
  },
};
