import { nickKey } from '../domain/nick.ts';
import { accountRemoved, ConnectorError } from '../errors.ts';
import type { Database } from './database.ts';
import { lock } from './dialect.ts';

/** Creates the error for a change of an account that was removed. */
export const accountGone = (): ConnectorError =>
  new ConnectorError('account_unknown', 'this person has no account any more');

/** Gives an account another nick, unless another account has it in any spelling. @throws ConnectorError account_unknown */
export function renameAccount(database: Database, accountId: string, nick: string): Promise<boolean> {
  const key = nickKey(nick);
  return database.transaction(async (transaction) => {
    // Lock: accounts that are created meanwhile also look for a free nick.
    await lock(transaction, 'accounts');
    const other: unknown = await transaction('accounts')
      .where('nick_key', key)
      .whereNot('account_id', accountId)
      .first('account_id');
    if (other !== undefined) return false;
    const renamed = await transaction('accounts')
      .where('account_id', accountId)
      .whereNull('removed_at')
      .update({ nick, nick_key: key });
    if (renamed === 0) throw accountGone();
    return true;
  });
}

/**
 * Keeps the account from being removed until the transaction ends, so that the removal also ends what is stored here.
 * @throws ConnectorError account_removed
 */
export async function requireStanding(transaction: Database, accountId: string): Promise<void> {
  const standing: unknown = await transaction('accounts')
    .where('account_id', accountId)
    .whereNull('removed_at')
    .forShare()
    .first('account_id');
  if (standing === undefined) throw accountRemoved();
}
