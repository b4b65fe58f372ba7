import type { Grant } from '../domain/channel.ts';
import { freeNick, nickKey } from '../domain/nick.ts';
import type { NewAccount } from '../ports/account-store.ts';
import type { Database } from './database.ts';
import { lock } from './dialect.ts';
import { grant, select } from './grants.ts';
import { type LoginRow, NO_LOGIN } from './person-logins.ts';
import { emptiestSlot } from './slots-of-accounts.ts';

/** Columns of a new account that the caller determines. */
export interface NewRow {
  account_id: string;
  login: string;
  login_key: string;
}

export interface MadeAccount {
  /** The new account, or the one that had the login already. */
  accountId: string;
  /** Accounts that lost the login. */
  lost: string[];
}

/**
 * Creates an account. Undefined if the maximum is reached; the existing one if the login has one. Creations and renames
 * of accounts share a lock, so that the count, the freed login and the free nick stay valid until the account exists.
 */
export async function makeAccount(
  transaction: Database,
  row: NewRow,
  { nick: wanted, grants, isNewPerson = false }: NewAccount,
  maxAccounts: number,
): Promise<MadeAccount | undefined> {
  await lock(transaction, 'accounts');
  const accounts = () => transaction<LoginRow>('accounts');
  const holder = await accounts().where('login_key', row.login_key).first('account_id', 'subject');
  if (holder !== undefined && !(isNewPerson && holder.subject !== null)) {
    return { accountId: holder.account_id, lost: [] };
  }
  if ((await countOf(transaction)) >= maxAccounts) return undefined;
  const lost = holder === undefined ? [] : [holder.account_id];
  await accounts().whereIn('account_id', lost).update(NO_LOGIN);
  const nick = await freeNickIn(transaction, wanted);
  const slot = await emptiestSlot(transaction);
  await transaction('accounts').insert({ ...row, nick, nick_key: nickKey(nick), slot });
  const channels = grants.map(({ channel }) => channel);
  await grant(transaction, row.account_id, channels);
  await select(transaction, row.account_id, enabledOf(grants));
  return { accountId: row.account_id, lost };
}

async function countOf(transaction: Database): Promise<number> {
  const [count] = await transaction('accounts')
    .whereNull('removed_at')
    .count<{ accounts: number | string }[]>({ accounts: '*' });
  return Number(count?.accounts);
}

async function freeNickIn(transaction: Database, wanted: string): Promise<string> {
  const taken = new Set<string>(await transaction('accounts').pluck('nick_key'));
  const isTaken = (key: string): boolean => taken.has(key);
  return isTaken(nickKey(wanted)) ? freeNick(wanted, isTaken) : wanted;
}

const enabledOf = (grants: readonly Grant[]): string[] =>
  grants.filter(({ enabled }) => enabled).map(({ channel }) => channel);
