import type { Knex } from 'knex';
import { PENDING_MAX_MS } from '../domain/limits.ts';
import type { AccountStore } from '../ports/account-store.ts';
import { statementClock } from './hold/database-clock.ts';
import { makeOwedPasswords } from './migrations/0032-owed-passwords.ts';
import { accountsIn } from './slots-of-accounts.ts';

/**
 * Age above which a bouncer has read a line for sure, even if the clocks of two machines differ by the allowed maximum.
 */
const RECENT_MS = 120_000;

/**
 * Records accounts with recently written lines as owed new passwords, when the slot of a process is taken that is not
 * known to have ended, or its account slots. Earlier records that are still owed stay.
 * @param slots without them, those of all accounts
 */
export async function owePasswords(transaction: Knex, slots?: readonly number[]): Promise<void> {
  if (slots?.length === 0) return;
  await makeOwedPasswords(transaction);
  const since = `${statementClock(transaction)} - ${RECENT_MS}`;
  // Uses an index by creation time, which is before the writing; otherwise all lines ever sent would be read.
  await transaction.raw(
    `INSERT INTO owed_passwords (account_id)
     SELECT account_id FROM accounts WHERE ${slots === undefined ? '' : `slot IN (${slots.join(', ')}) AND `}EXISTS (
       SELECT 1 FROM message_parts AS part
       WHERE part.account_id = accounts.account_id AND part.status IN ('queued', 'echoed')
       AND part.created_at >= ${since} - ${PENDING_MAX_MS} AND part.written_at >= ${since})
     ON CONFLICT (account_id) DO NOTHING`,
  );
}

/** Creates the part of the store of accounts that has these records. */
export const passwordDebts = (database: Knex): Pick<AccountStore, 'owedPasswords' | 'notePasswordKnown'> => ({
  owedPasswords: (slots) => owedPasswords(database, slots),
  notePasswordKnown: (accountId) => notePasswordKnown(database, accountId),
});

/**
 * Returns accounts whose users in the bouncer are owed new passwords. Users of removed accounts are removed there
 * anyway.
 * @param slots without them, those of all accounts
 */
async function owedPasswords(database: Knex, slots?: readonly number[]): Promise<string[]> {
  const accounts = database('accounts').whereNull('removed_at').select('account_id');
  await database('owed_passwords').whereNotIn('account_id', accounts).delete();
  const owed = database('owed_passwords');
  return (slots === undefined ? owed : owed.whereIn('account_id', accountsIn(database, slots))).pluck('account_id');
}

/** Records that the bouncer knows the account's new password. */
async function notePasswordKnown(database: Knex, accountId: string): Promise<void> {
  await database('owed_passwords').where('account_id', accountId).delete();
}
