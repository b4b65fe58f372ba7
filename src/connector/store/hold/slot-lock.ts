import type { Knex } from 'knex';
import { dialectOf } from '../dialect.ts';

/** "home" and "slot": all transactions of the holder have this lock shared, and who takes the slot has it alone. */
const KEYS = `${0x686f6d65}, ${0x736c6f74}`;

/** As a statement, for the beginning of each transaction of the holder. */
export const SHARE_SLOT = `SELECT pg_advisory_xact_lock_shared(${KEYS})`;

/** Waits until no transaction of the holder is under way; a new one waits until this transaction ends. SQLite has one writer anyway. */
export async function lockSlot(transaction: Knex): Promise<void> {
  if (dialectOf(transaction) === 'postgres') await transaction.raw(`SELECT pg_advisory_xact_lock(${KEYS})`);
}
