import { nickKey } from '../domain/nick.ts';
import type { Database } from './database.ts';
import { lock } from './dialect.ts';

/** Gives an account another nick, unless another account has it in any spelling. */
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
    await transaction('accounts').where('account_id', accountId).update({ nick, nick_key: key });
    return true;
  });
}
