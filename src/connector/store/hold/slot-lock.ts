import type { Knex } from 'knex';
import { dialectOf, rowsOf } from '../dialect.ts';

/**
 * Keys "home" and "slot": all transactions of the holder have this lock shared, and a process that takes the slot has
 * it exclusively.
 */
const KEYS = `${0x686f6d65}, ${0x736c6f74}`;

/** Statement for the beginning of each transaction of the holder. */
export const SHARE_SLOT = `SELECT pg_advisory_xact_lock_shared(${KEYS})`;

/**
 * Returns the key of a process: all its transactions without the slot have this lock shared, and a process that takes
 * its account slots has it exclusively.
 * @param processId as SQL
 */
const processKey = (processId: string): string => `hashtextextended('process ' || ${processId}, 0)`;

/** Returns the statement for the beginning of each transaction of a process without the slot. @param processId as SQL */
export const shareProcessOf = (processId: string): string =>
  `SELECT pg_advisory_xact_lock_shared(${processKey(processId)})`;

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
/** Wait for the end of transactions where account slots move: heartbeats wait meanwhile, and it is tried again. */
const MOVING_LOCK_DEADLINE_MS = 1_000;

/** Locks the slot to take it, with a deadline: a process that freezes just then must not keep all others waiting. */
export async function lockSlotToTake(transaction: Knex): Promise<void> {
  await limitTransaction(transaction, TAKING_LOCK_DEADLINE_MS);
  await lockSlot(transaction);
}

/** Locks the slot to move an account slot, with a shorter deadline. */
export async function lockSlotInTime(transaction: Knex): Promise<void> {
  await limitTransaction(transaction, MOVING_LOCK_DEADLINE_MS);
  await lockSlot(transaction);
}

/** Shares the slot's lock, as a transaction of its holder. */
export async function shareSlotInTime(transaction: Knex): Promise<void> {
  await limitTransaction(transaction, MOVING_LOCK_DEADLINE_MS);
  if (dialectOf(transaction) === 'postgres') await transaction.raw(SHARE_SLOT);
}

/** Waits for a second until the process's transactions without the slot have ended. Lock order: the slot before. */
export async function lockProcess(transaction: Knex, processId: string): Promise<void> {
  await limitTransaction(transaction, MOVING_LOCK_DEADLINE_MS);
  if (dialectOf(transaction) === 'postgres') {
    await transaction.raw(`SELECT pg_advisory_xact_lock(${processKey('CAST(? AS text)')})`, [processId]);
  }
}

/** Takes the same lock if no transaction of the process is under way. */
export async function hasLockNow(transaction: Knex, processId: string): Promise<boolean> {
  if (dialectOf(transaction) === 'sqlite') return true;
  const [row] = rowsOf<{ taken: boolean }>(
    await transaction.raw(`SELECT pg_try_advisory_xact_lock(${processKey('CAST(? AS text)')}) AS taken`, [processId]),
  );
  return row?.taken === true;
}

/** Waits for a second until no transaction has the process's lock exclusively. */
export async function shareProcess(transaction: Knex, processId: string): Promise<void> {
  await limitTransaction(transaction, MOVING_LOCK_DEADLINE_MS);
  if (dialectOf(transaction) === 'postgres') {
    await transaction.raw(shareProcessOf('CAST(? AS text)'), [processId]);
  }
}

/** Limits each wait of a transaction for a lock, and each pause between its statements: its process may freeze. */
export async function limitTransaction(transaction: Knex, lockMs: number): Promise<void> {
  if (dialectOf(transaction) === 'sqlite') return;
  await transaction.raw(
    "SELECT set_config('idle_in_transaction_session_timeout', ?, true), set_config('lock_timeout', ?, true)",
    [`${TAKING_IDLE_DEADLINE_MS}`, `${lockMs}`],
  );
}

/** Limits each further statement of a transaction. */
export async function limitStatements(transaction: Knex, statementMs: number): Promise<void> {
  if (dialectOf(transaction) === 'sqlite') return;
  await transaction.raw("SELECT set_config('statement_timeout', ?, true)", [`${statementMs}`]);
}
