import type { Knex } from 'knex';
import type { Migration } from './migration.ts';

/**
 * Accounts for which a dead, or only frozen, process has written lines lately: their users in the bouncer are owed new
 * passwords. Without a reference to the account, so that no other lock is needed while the slot is taken.
 */
export const owedPasswords: Migration = { name: '0032-owed-passwords', up: makeOwedPasswords };

/**
 * Creates the table if it is missing. A process takes the slot before it migrates: then the table may exist, or is
 * created with the taking.
 */
export async function makeOwedPasswords(database: Knex): Promise<void> {
  if (await database.schema.hasTable('owed_passwords')) return;
  await database.schema.createTable('owed_passwords', (table) => {
    table.text('account_id').primary();
  });
}
