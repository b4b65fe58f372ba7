import type { Knex } from 'knex';
import type { Migration } from './migration.ts';

/** Running numbers of each channel, each sender and each cursor, so that unread entries need not be counted. */
export const runningCounts: Migration = {
  name: '0008-running-counts',
  up: async (database) => {
    await createCounts(database);
    await fillChannels(database);
    await fillSends(database);
    await extendCursors(database);
    await database.schema.dropTable('pruned_channels');
  },
};

async function createCounts(database: Knex): Promise<void> {
  await database.schema.createTable('channel_counts', (table) => {
    table.text('account_id').notNullable().references('accounts.account_id').onDelete('CASCADE');
    table.text('channel').notNullable();
    table.bigInteger('stored').notNullable();
    table.bigInteger('gone').notNullable();
    table.bigInteger('received_row').notNullable();
    table.primary(['account_id', 'channel']);
  });
  await database.schema.createTable('send_counts', (table) => {
    table.text('account_id').notNullable().references('accounts.account_id').onDelete('CASCADE');
    table.text('channel').notNullable();
    table.text('client_id').notNullable();
    // Empty for sends of the client without a session.
    table.text('session_id').notNullable().index();
    table.bigInteger('stored').notNullable();
    table.bigInteger('gone').notNullable();
    table.primary(['account_id', 'channel', 'client_id', 'session_id']);
  });
}

async function fillChannels(database: Knex): Promise<void> {
  await database.raw(`
    INSERT INTO channel_counts (account_id, channel, stored, gone, received_row)
    SELECT entries.account_id, entries.channel, count(*),
      sum(CASE WHEN messages.status = 'failed' THEN 1 ELSE 0 END),
      max(CASE WHEN entries.kind <> 'gap' AND entries.timestamp_source <> 'local' AND coalesce(messages.status, '') <> 'failed'
        THEN entries.row ELSE 0 END)
    FROM entries LEFT JOIN messages ON messages.message_id = entries.message_id
    GROUP BY entries.account_id, entries.channel`);
  // Channels without entries; sessions may have positions in them.
  await database.raw(`
    INSERT INTO channel_counts (account_id, channel, stored, gone, received_row)
    SELECT account_id, channel, 0, 0, 0 FROM pruned_channels WHERE NOT EXISTS (
      SELECT 1 FROM channel_counts AS known
      WHERE known.account_id = pruned_channels.account_id AND known.channel = pruned_channels.channel)`);
}

async function fillSends(database: Knex): Promise<void> {
  await database.raw(`
    INSERT INTO send_counts (account_id, channel, client_id, session_id, stored, gone)
    SELECT entries.account_id, entries.channel, messages.client_id, coalesce(messages.session_id, ''), count(*),
      sum(CASE WHEN messages.status = 'failed' THEN 1 ELSE 0 END)
    FROM entries JOIN messages ON messages.message_id = entries.message_id
    GROUP BY entries.account_id, entries.channel, messages.client_id, coalesce(messages.session_id, '')`);
}

interface Position {
  account_id: string;
  channel: string;
  acknowledged_row: number | string;
}

async function extendCursors(database: Knex): Promise<void> {
  await database.schema.alterTable('agent_cursors', (table) => {
    table.text('account_id').notNullable().defaultTo('');
    table.text('client_id').notNullable().defaultTo('');
    table.bigInteger('passed').notNullable().defaultTo(0);
    table.bigInteger('own_passed').notNullable().defaultTo(0);
    table.bigInteger('gap_row').notNullable().defaultTo(0);
    table.index(['account_id', 'channel', 'acknowledged_row']);
  });
  for (const column of ['account_id', 'client_id']) {
    await database.raw(
      'UPDATE agent_cursors SET ?? = (SELECT ?? FROM agent_sessions WHERE agent_sessions.session_id = agent_cursors.session_id)',
      [column, column],
    );
  }
  await database.raw(`
    UPDATE agent_cursors SET gap_row = coalesce((
      SELECT pruned_row FROM pruned_channels
      WHERE pruned_channels.account_id = agent_cursors.account_id AND pruned_channels.channel = agent_cursors.channel
        AND pruned_row > acknowledged_row), 0)`);
  await fillPassed(database);
  await fillOwnPassed(database);
}

/** Counts once for all sessions at the same place: many have never acknowledged an entry. */
async function fillPassed(database: Knex): Promise<void> {
  const positions: Position[] = await database('agent_cursors').distinct('account_id', 'channel', 'acknowledged_row');
  for (const position of positions) {
    await database.raw(
      `UPDATE agent_cursors SET passed = coalesce((
         SELECT stored FROM channel_counts WHERE account_id = :account_id AND channel = :channel), 0) - (
         SELECT count(*) FROM entries LEFT JOIN messages ON messages.message_id = entries.message_id
         WHERE entries.account_id = :account_id AND entries.channel = :channel AND entries.row > :acknowledged_row
           AND coalesce(messages.status, '') <> 'failed')
       WHERE account_id = :account_id AND channel = :channel AND acknowledged_row = :acknowledged_row`,
      { ...position },
    );
  }
}

async function fillOwnPassed(database: Knex): Promise<void> {
  await database.raw(`
    UPDATE agent_cursors SET own_passed = coalesce((
      SELECT sum(stored) FROM send_counts
      WHERE send_counts.account_id = agent_cursors.account_id AND send_counts.channel = agent_cursors.channel
        AND send_counts.client_id = agent_cursors.client_id
        AND send_counts.session_id IN ('', agent_cursors.session_id)), 0) - (
      SELECT count(*) FROM messages JOIN entries ON entries.message_id = messages.message_id
      WHERE messages.account_id = agent_cursors.account_id AND messages.client_id = agent_cursors.client_id
        AND coalesce(messages.session_id, '') IN ('', agent_cursors.session_id) AND messages.status <> 'failed'
        AND entries.channel = agent_cursors.channel AND entries.row > agent_cursors.acknowledged_row)`);
}
