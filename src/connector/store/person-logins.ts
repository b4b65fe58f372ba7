import type { LoginKey } from '../domain/login-name.ts';
import type { Person } from '../ports/account-store.ts';
import type { Database } from './database.ts';
import { lock } from './dialect.ts';
import { grant, grantsLock } from './grants.ts';

export interface LoginRow {
  account_id: string;
  login: string | null;
  /** Key for lookups: the same for all spellings of the login. Null like the login. */
  login_key: string | null;
  issuer: string | null;
  subject: string | null;
  removed_at: number | null;
}

/** Columns of an account without a login. */
export const NO_LOGIN = { login: null, login_key: null };

/**
 * Binds an account to a person, unless it is another person's, or the person has another account. Returns whether it is
 * theirs now.
 */
export async function bindSubject(transaction: Database, accountId: string, person: Person): Promise<boolean> {
  await lock(transaction, 'accounts');
  const accounts = () => transaction<LoginRow>('accounts');
  const other = await accounts()
    .where({ ...person })
    .whereNot('account_id', accountId)
    .first('account_id');
  if (other !== undefined) return false;
  const bound = await accounts()
    .where('account_id', accountId)
    .whereNull('removed_at')
    .where((same) => same.whereNull('subject').orWhere({ ...person }))
    .update({ ...person });
  return bound === 1;
}

/**
 * Gives an account the login that its person has now. The previous owner loses it: the account of another person has no
 * login until they sign in again. An unanswered invitation was for this person, who gets its channels.
 * @returns the account that had the login, if there was one
 */
export async function takeLogin(
  transaction: Database,
  accountId: string,
  login: string,
  loginKey: LoginKey,
): Promise<string[]> {
  await lock(transaction, 'accounts');
  const accounts = () => transaction<LoginRow>('accounts');
  const own = { login, login_key: loginKey(login) };
  const standing = await accounts().where('account_id', accountId).whereNull('removed_at').first('account_id');
  if (standing === undefined) throw new Error('the account was removed while its person signed in');
  const holder = await accounts()
    .where('login_key', own.login_key)
    .whereNot('account_id', accountId)
    .first('account_id', 'subject');
  if (holder?.subject === null) await answerInvitation(transaction, holder.account_id, accountId);
  else if (holder !== undefined) await accounts().where('account_id', holder.account_id).update(NO_LOGIN);
  await accounts().where('account_id', accountId).update(own);
  return holder === undefined ? [] : [holder.account_id];
}

/**
 * Removes a login from an account that has an owner, unless it is this person's.
 * @returns the account, if there was one
 */
export async function freeLogin(transaction: Database, key: string, person: Person): Promise<string[]> {
  await lock(transaction, 'accounts');
  const lost = await transaction<LoginRow>('accounts')
    .where('login_key', key)
    .whereNotNull('subject')
    .whereNot((same) => same.where({ ...person }))
    .update(NO_LOGIN)
    .returning('account_id');
  return lost.map(({ account_id: accountId }) => accountId);
}

/**
 * Computes the keys of all logins again, after a change of the identity provider. If two logins are now equal, the
 * older account keeps its one.
 * @returns the accounts that lost their login
 */
export async function keyLogins(transaction: Database, loginKey: LoginKey): Promise<string[]> {
  await lock(transaction, 'accounts');
  const accounts = () => transaction<LoginRow>('accounts');
  const found = await accounts()
    .whereNotNull('login')
    .orderBy([{ column: 'created_at' }, { column: 'account_id' }])
    .select('account_id', 'login', 'login_key');
  const outdated = found.filter(({ login, login_key: key }) => login !== null && loginKey(login) !== key);
  if (outdated.length === 0) return [];
  // Both columns are unique, so all keys go before the new ones come.
  await accounts().update({ login_key: null });
  const known = new Set<string>();
  const lost: string[] = [];
  for (const { account_id: accountId, login } of found) {
    if (login === null) continue;
    const key = loginKey(login);
    const isFree = !known.has(key);
    known.add(key);
    if (!isFree) lost.push(accountId);
    await accounts()
      .where('account_id', accountId)
      .update(isFree ? { login_key: key } : NO_LOGIN);
  }
  return lost;
}

/** Moves the channels of an invited account, which has no other data, because its person never signed in to it. */
async function answerInvitation(transaction: Database, invited: string, accountId: string): Promise<void> {
  await grantsLock(transaction, accountId);
  const channels: string[] = await transaction('grants').where('account_id', invited).pluck('channel');
  await transaction('accounts').where('account_id', invited).delete();
  await grant(transaction, accountId, channels);
}
