import type { Knex } from 'knex';
import { PENDING_MAX_MS } from '../domain/limits.ts';
import { statementClock } from './hold/database-clock.ts';
import { makeOwedPasswords } from './migrations/0032-owed-passwords.ts';

/**
 * Age above which a bouncer has read a line for sure, even if the clocks of two machines differ by the allowed maximum.
 */
const RECENT_MS = 120_000;

/**
 * Records accounts with recently written lines as owed new passwords, when the slot of a process is taken that is not
 * known to have ended. Earlier records that are still owed stay.
 */
export async function owePasswords(transaction: Knex): Promise<void> {
  await makeOwedPasswords(transaction);
  const since = `${statementClock(transaction)} - ${RECENT_MS}`;
  // Uses an index by creation time, which is before the writing; otherwise all lines ever sent would be read.
  await transaction.raw(
    `INSERT INTO owed_passwords (account_id)
     SELECT account_id FROM accounts WHERE EXISTS (
       SELECT 1 FROM message_parts AS part
       WHERE part.account_id = accounts.account_id AND part.status IN ('queued', 'echoed')
       AND part.created_at >= ${since} - ${PENDING_MAX_MS} AND part.written_at >= ${since})
     ON CONFLICT (account_id) DO NOTHING`,
  );
}

/**
 * Returns accounts whose users in the bouncer are owed new passwords. Users of removed accounts are removed there
 * anyway.
 */
export async function owedPasswords(database: Knex): Promise<string[]> {
  const accounts = database('accounts').whereNull('removed_at').select('account_id');
  await database('owed_passwords').whereNotIn('account_id', accounts).delete();
  return database('owed_passwords').pluck('account_id');
}

/** Records that the bouncer knows the account's new password. */
export async function notePasswordKnown(database: Knex, accountId: string): Promise<void> {
  await database('owed_passwords').where('account_id', accountId).delete();
}
