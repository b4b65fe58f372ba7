import type { Knex } from 'knex';
import { dialectOf } from '../dialect.ts';

/**
 * Keys "home" and "slot": all transactions of the holder have this lock shared, and a process that takes the slot has
 * it exclusively.
 */
const KEYS = `${0x686f6d65}, ${0x736c6f74}`;

/** Statement for the beginning of each transaction of the holder. */
export const SHARE_SLOT = `SELECT pg_advisory_xact_lock_shared(${KEYS})`;

/**
 * Waits until the holder's transactions have ended; a new one waits until this transaction ends. SQLite has one writer
 * anyway.
 */
export async function lockSlot(transaction: Knex): Promise<void> {
  if (dialectOf(transaction) === 'postgres') await transaction.raw(`SELECT pg_advisory_xact_lock(${KEYS})`);
}

/** Time after which the server ends an idle transaction that takes the slot: its process is frozen. */
const TAKING_IDLE_DEADLINE_MS = 3_000;
/** Wait for the end of the holder's transactions; a heartbeat waits for locks for less time. */
const TAKING_LOCK_DEADLINE_MS = 5_000;

/** Locks the slot to take it, with a deadline: a process that freezes just then must not keep all others waiting. */
export async function lockSlotToTake(transaction: Knex): Promise<void> {
  if (dialectOf(transaction) === 'postgres') {
    await transaction.raw(
      "SELECT set_config('idle_in_transaction_session_timeout', ?, true), set_config('lock_timeout', ?, true)",
      [`${TAKING_IDLE_DEADLINE_MS}`, `${TAKING_LOCK_DEADLINE_MS}`],
    );
  }
  await lockSlot(transaction);
}
