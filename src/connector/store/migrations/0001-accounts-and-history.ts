import type { Knex } from 'knex';
import type { Migration } from './migration.ts';

/** Times are milliseconds since 1970 in 64 bits; public ids are text, `row` is the order of arrival. */
export const accountsAndHistory: Migration = {
  name: '0001-accounts-and-history',
  up: async (database) => {
    await createAccounts(database);
    await createEntries(database);
    await createMessages(database);
    await createSessions(database);
  },
};

async function createAccounts(database: Knex): Promise<void> {
  await database.schema.createTable('accounts', (table) => {
    table.text('account_id').primary();
    table.text('login').notNullable().unique();
    table.text('issuer');
    table.text('subject');
    table.text('nick').notNullable();
    table.text('nick_key').notNullable().unique();
    table.text('bouncer_user').notNullable().unique();
    table.text('bouncer_password_sealed').notNullable();
    table.bigInteger('online_since');
    table.bigInteger('last_disconnected_at');
    table.bigInteger('created_at').notNullable();
    table.unique(['issuer', 'subject']);
  });
  await database.schema.createTable('grants', (table) => {
    table.text('account_id').notNullable().references('accounts.account_id').onDelete('CASCADE');
    table.text('channel').notNullable();
    table.boolean('enabled').notNullable();
    table.primary(['account_id', 'channel']);
  });
}

async function createEntries(database: Knex): Promise<void> {
  await database.schema.createTable('entries', (table) => {
    table.bigIncrements('row');
    table.text('entry_id').notNullable().unique();
    table.text('account_id').notNullable().references('accounts.account_id').onDelete('CASCADE');
    table.text('fingerprint').notNullable();
    table.text('network').notNullable();
    table.text('channel').notNullable();
    table.text('kind').notNullable();
    table.text('sender').notNullable();
    table.text('text').notNullable();
    table.text('target');
    table.bigInteger('event_at').notNullable();
    table.bigInteger('observed_at').notNullable();
    table.text('timestamp_source').notNullable();
    table.text('message_id');
    table.unique(['account_id', 'fingerprint']);
    table.index(['account_id', 'channel', 'event_at', 'row']);
    table.index(['message_id']);
  });
}

async function createMessages(database: Knex): Promise<void> {
  await database.schema.createTable('messages', (table) => {
    table.bigIncrements('row');
    table.text('message_id').notNullable().unique();
    table.text('account_id').notNullable().references('accounts.account_id').onDelete('CASCADE');
    table.text('client_id').notNullable();
    table.text('idempotency_key');
    table.text('channel').notNullable();
    table.text('entry_id').notNullable();
    table.text('status').notNullable();
    table.text('reason');
    table.bigInteger('created_at').notNullable();
    table.unique(['account_id', 'client_id', 'idempotency_key']);
  });
  await database.schema.createTable('message_parts', (table) => {
    table.bigIncrements('row');
    table.text('message_id').notNullable().references('messages.message_id').onDelete('CASCADE');
    table.text('account_id').notNullable();
    table.integer('number').notNullable();
    table.text('channel').notNullable();
    table.text('text').notNullable();
    table.text('tag').notNullable().unique();
    table.text('status').notNullable();
    table.unique(['message_id', 'number']);
    table.index(['account_id', 'status', 'row']);
  });
}

async function createSessions(database: Knex): Promise<void> {
  await database.schema.createTable('agent_sessions', (table) => {
    table.text('session_id').primary();
    table.text('account_id').notNullable().references('accounts.account_id').onDelete('CASCADE');
    table.text('client_id').notNullable();
    table.bigInteger('last_used_at').notNullable().index();
  });
  await database.schema.createTable('browser_sessions', (table) => {
    table.text('secret_hash').primary();
    table.text('account_id').notNullable().references('accounts.account_id').onDelete('CASCADE');
    table.text('csrf_token').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('last_used_at').notNullable().index();
  });
}
