import type { Migration } from './migration.ts';

/** Number of account slots. A released step never changes, so it has the number for itself. */
const SLOTS = 64;

/** Slots of accounts, each of which one process acts for, where several serve. */
export const accountSlots: Migration = {
  name: '0050-account-slots',
  up: async (database) => {
    await database.schema.createTable('account_slots', (table) => {
      table.integer('slot').primary();
      // Null while no process acts for its accounts. Without a reference: the row of a process may be deleted before.
      table.text('process_id');
      // Time by the database's clock.
      table.bigInteger('taken_at').notNullable();
    });
    await database('account_slots').insert(
      Array.from({ length: SLOTS }, (_, slot) => ({ slot, process_id: null, taken_at: 0 })),
    );
    await database.schema.alterTable('processes', (table) => {
      // Time by the database's clock since which the process gets no more account slots, because it is going to end.
      table.bigInteger('declines_since');
    });
    await database.schema.alterTable('accounts', (table) => {
      table.integer('slot').notNullable().defaultTo(0);
    });
    await database.raw(
      `UPDATE accounts SET slot = numbered.slot FROM (
         SELECT account_id, (row_number() OVER (ORDER BY created_at, account_id) - 1) % ${SLOTS} AS slot FROM accounts
       ) AS numbered WHERE numbered.account_id = accounts.account_id`,
    );
  },
};
