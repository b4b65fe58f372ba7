import { nickKey } from '../domain/nick.ts';
import { ConnectorError } from '../errors.ts';
import type { Database } from './database.ts';
import { lock } from './dialect.ts';

/** What is left of an account that was removed changes no more. */
export const accountGone = (): ConnectorError =>
  new ConnectorError('account_unknown', 'this person has no account any more');

/** Gives an account another nick, unless another account has it in any spelling. @throws ConnectorError account_unknown */
export function renameAccount(database: Database, accountId: string, nick: string): Promise<boolean> {
  const key = nickKey(nick);
  return database.transaction(async (transaction) => {
    // Accounts that are made at this moment look for a free nick, too.
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
