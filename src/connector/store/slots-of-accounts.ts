import type { Knex } from 'knex';
import type { AccountStore } from '../ports/account-store.ts';

/** Number of account slots. Each account is in one for ever; a process acts for all accounts of a slot. */
export const ACCOUNT_SLOTS = 64;

/** Most accounts whose slots are kept in memory. */
const KEPT_MAX = 10_000;

/**
 * Returns the slot with fewest accounts; the first of several. Call it under the lock of new accounts, so that two of
 * them do not both count the same.
 */
export async function emptiestSlot(transaction: Knex): Promise<number> {
  const counts: { slot: number; accounts: number | string }[] = await transaction('accounts')
    .whereNull('removed_at')
    .groupBy('slot')
    .select('slot', transaction.raw('count(*) AS accounts'));
  const bySlot = new Map(counts.map(({ slot, accounts }) => [slot, Number(accounts)]));
  let emptiest = 0;
  for (let slot = 1; slot < ACCOUNT_SLOTS; slot += 1) {
    if ((bySlot.get(slot) ?? 0) < (bySlot.get(emptiest) ?? 0)) emptiest = slot;
  }
  return emptiest;
}

/** Restricts a query of accounts to slots; without any given, it selects all. */
export function inSlots(accounts: Knex.QueryBuilder, slots: readonly number[] | undefined): void {
  if (slots !== undefined) accounts.whereIn('slot', [...slots]);
}

/** Selects the ids of the accounts in slots, removed ones included. */
export const accountsIn = (database: Knex, slots: readonly number[]) =>
  database('accounts')
    .whereIn('slot', [...slots])
    .select('account_id');

/** Creates the part of the store of accounts that reads slots. */
export const slotReads = (database: Knex): Pick<AccountStore, 'slotOf' | 'idsIn' | 'slotsOfOnline'> => ({
  slotOf: slotReader(database),
  idsIn: (slots) => accountsIn(database, slots).pluck('account_id'),
  slotsOfOnline: () => database('accounts').whereNull('removed_at').whereNotNull('online_since').pluck('slot'),
});

/** Creates a reader of accounts' slots. It reads each once: a slot never changes, and no id is used twice. */
function slotReader(database: Knex): (accountId: string) => Promise<number | undefined> {
  const kept = new Map<string, number>();
  return async (accountId) => {
    const known = kept.get(accountId);
    if (known !== undefined) return known;
    const row = await database<{ account_id: string; slot: number }>('accounts')
      .where('account_id', accountId)
      .first('slot');
    if (row === undefined) return undefined;
    const [oldest] = kept.keys();
    if (kept.size >= KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    kept.set(accountId, row.slot);
    return row.slot;
  };
}
