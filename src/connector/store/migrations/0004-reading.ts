import type { Knex } from 'knex';
import { foldText } from '../../domain/fold.ts';
import type { Migration } from './migration.ts';

/** Rows folded in one step: few enough for the memory, with texts of any length. */
const BACKFILL_ROWS = 1_000;

/** Tables for reading: cursors of agent sessions, and folded texts for searches. */
export const reading: Migration = {
  name: '0004-reading',
  up: async (database) => {
    await createCursors(database);
    await addFoldedText(database);
  },
};

async function createCursors(database: Knex): Promise<void> {
  await database.schema.createTable('agent_cursors', (table) => {
    table.text('session_id').notNullable().references('agent_sessions.session_id').onDelete('CASCADE');
    table.text('channel').notNullable();
    table.bigInteger('acknowledged_row').notNullable();
    table.text('acknowledged_entry_id');
    table.bigInteger('delivered_row').notNullable();
    table.primary(['session_id', 'channel']);
  });
  await database.schema.createTable('pruned_channels', (table) => {
    table.text('account_id').notNullable().references('accounts.account_id').onDelete('CASCADE');
    table.text('channel').notNullable();
    table.bigInteger('pruned_row').notNullable();
    table.primary(['account_id', 'channel']);
  });
  await database.schema.alterTable('agent_sessions', (table) => {
    table.index(['account_id', 'client_id', 'last_used_at']);
  });
  await database.schema.alterTable('messages', (table) => {
    table.text('session_id');
  });
}

async function addFoldedText(database: Knex): Promise<void> {
  await database.schema.alterTable('entries', (table) => {
    table.text('text_folded').notNullable().defaultTo('');
    // Unread goes by arrival, and counting it must not touch the rows themselves.
    table.index(['account_id', 'channel', 'row', 'message_id']);
    table.index(['account_id', 'event_at', 'row']);
  });
  let after = 0;
  for (;;) {
    const rows: { row: number; text: string }[] = await database('entries')
      .where('row', '>', after)
      .orderBy('row')
      .limit(BACKFILL_ROWS)
      .select('row', 'text');
    for (const { row, text } of rows) {
      await database('entries')
        .where('row', row)
        .update({ text_folded: foldText(text) });
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = Number(last.row);
  }
}
