import type { OwedDeletion } from '../ports/store.ts';
import type { Database } from './database.ts';

interface OwingRow {
  account_id: string;
  removed_at: number | string | null;
  forget_to_row: number | string | null;
}

/**
 * Returns the owed deletions: of removed accounts that still have entries, and of accounts whose person has deleted
 * their history.
 */
export async function owedDeletions(database: Database): Promise<OwedDeletion[]> {
  const rows: OwingRow[] = await database('accounts')
    .where((removed) => removed.whereNotNull('removed_at').whereExists(entriesOf(database)))
    .orWhere((deleting) => deleting.whereNull('removed_at').whereNotNull('forget_to_row'))
    .select('account_id', 'removed_at', 'forget_to_row');
  return rows.map((row) => ({
    accountId: row.account_id,
    upTo: row.removed_at === null ? Number(row.forget_to_row) : null,
  }));
}

/** Returns a condition for accounts that have entries. */
export const entriesOf = (database: Database) =>
  database('entries').whereRaw('entries.account_id = accounts.account_id').select(database.raw('1'));

/** Records that the deletion is complete, unless a later one, which goes further, has begun meanwhile. */
export async function noteDeleted(database: Database, accountId: string, upTo: number): Promise<void> {
  await database('accounts').where({ account_id: accountId, forget_to_row: upTo }).update({ forget_to_row: null });
}
